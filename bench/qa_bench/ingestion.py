"""Brings conversations into a memory, session by session, through all four stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from time import perf_counter

from pydantic import BaseModel, ConfigDict

from cognis_local import Memory
from cognis_local.conversations import Conversation, Session
from cognis_memory.errors import CognisError, ConfigurationError, ContentBlocked, ExtractionFailed
from cognis_memory.models.answers import EventAnswer
from cognis_memory.models.event import EventStatus, Usage
from cognis_memory.models.requests import MAX_MESSAGES
from cognis_memory.models.values import Operation
from qa_bench.cases import EvaluationError
from qa_bench.folder import Journal
from qa_bench.parallel import side_by_side

OF_THE_MODEL = frozenset({ExtractionFailed.__name__, ContentBlocked.__name__})
"""Failures that a figure is right to show: the model could not extract, or would not."""


class Unfinished(Exception):
    """A request of the conversation failed for another reason than its model; the message is its name."""


class Ingested(BaseModel):
    """A conversation that is in the memory. `failed` counts the requests that its model got no facts from, by
    error; their messages can be found all the same."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    conversation: str
    messages: int
    facts: int
    failed: dict[str, int]
    usage: Usage
    seconds: float


def check_kept(memory: Memory, journal: Journal[Ingested]) -> None:
    """Raises EvaluationError where the memory holds nothing of a conversation that the journal has."""
    ledger, index = memory.retrieval.ledger, memory.retrieval.vectors
    owners = {owner.user_id: owner for owner in ledger.owners()}
    for line in journal.read():
        owner = owners.get(line.conversation)
        if line.messages and (owner is None or not index.exists(owner)):
            message = f"{line.conversation} was ingested, and the folder's memory no longer holds it"
            raise EvaluationError(f"{message}: use another --folder.")


def ingest_all(
    memory: Memory,
    conversations: Sequence[Conversation],
    journal: Journal[Ingested],
    *,
    parallel: int,
    tell: Callable[[str], None],
) -> Counter[str]:
    """Ingests what is not in the journal yet, and adds it there; `parallel` conversations at a time.

    Returns what stood in the way of the others, by error; they are begun again by a later run, which goes on
    where this one stopped. Raises ConfigurationError where the extractor's model cannot be called at all.
    """
    done = {line.conversation for line in journal.read()}
    waiting = [conversation for conversation in conversations if conversation.id not in done]
    obstacles: Counter[str] = Counter()
    with closing(side_by_side(partial(ingest, memory), waiting, parallel)) as futures:
        for number, future in enumerate(futures, start=1):
            try:
                journal.append(future.result())
            except ConfigurationError:
                raise
            except CognisError as error:
                obstacles[error.code] += 1
            except Unfinished as unfinished:
                obstacles[str(unfinished)] += 1
            tell(f"ingested {number} of {len(waiting)} conversations")
    return obstacles


def ingest(memory: Memory, conversation: Conversation) -> Ingested:
    """Raises CognisError or Unfinished for what may go through another time; what is done is kept."""
    started = perf_counter()
    events = [
        _add(memory, conversation, session.context_id, number, messages)
        for session in conversation.sessions
        for number, messages in enumerate(_requests(session))
    ]
    return Ingested(
        conversation=conversation.id,
        messages=sum(len(event.messages) for event in events),
        facts=sum(_adds(event) for event in events),
        failed=Counter(event.error.type for event in events if event.error is not None),
        usage=sum((event.usage for event in events), start=Usage()),
        seconds=perf_counter() - started,
    )


def _requests(session: Session) -> list[list[dict[str, object]]]:
    turns = iter(
        {"role": turn.role, "speaker": turn.speaker, "content": turn.content, "timestamp": turn.timestamp}
        for turn in session.turns
    )
    return list(iter(lambda: list(islice(turns, MAX_MESSAGES)), []))


def _add(
    memory: Memory,
    conversation: Conversation,
    context_id: str,
    number: int,
    messages: list[dict[str, object]],
) -> EventAnswer:
    """Raises ConfigurationError and Unfinished for an event that failed for another reason than its model."""
    event = memory.add(
        conversation.id,
        messages,
        context_id=context_id,
        timezone=conversation.timezone,
        idempotency_key=f"{context_id}/{number}",
    )
    if event.error is None or event.error.type in OF_THE_MODEL:
        return event
    if event.error.type == ConfigurationError.__name__:
        raise ConfigurationError("the model that extracts is not there, or may not be called")
    raise Unfinished(event.error.type)


def _adds(event: EventAnswer) -> int:
    if event.status is not EventStatus.SUCCEEDED:
        return 0
    return sum(operation.operation is Operation.ADD for operation in event.operations)
