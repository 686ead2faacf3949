"""Stage 3: a model, or rules, decide what of the new messages is worth keeping and what it changes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Final

from cognis_memory.domain.tokens import estimate_tokens
from cognis_memory.errors import CognisError, ExtractionFailed, UserErased
from cognis_memory.models.event import Event, Notice, Usage
from cognis_memory.models.extraction import ExtractedFact, Extraction, ExtractionRequest
from cognis_memory.models.message import Message
from cognis_memory.models.requests import IngestRequest
from cognis_memory.models.values import Category, FloatVector, Operation
from cognis_memory.services.ingestion.lease import held_lease
from cognis_memory.services.ingestion.proposals import FACTS_PER_MESSAGE, Proposal, Proposals, dump, load
from cognis_memory.services.ingestion.redacted_payloads import redact_payload
from cognis_memory.services.ingestion.screening import instructs, screened
from cognis_memory.services.ingestion.similar import WorkingSet, similar_memories
from cognis_memory.services.ingestion.state import IngestionPorts, IngestionState, lease_of
from cognis_memory.services.payload_keys import payload_prefix, proposals_key
from cognis_memory.services.progress import begin
from cognis_memory.services.spending import count_on_event

STAGE = "ExtractMemories"
VERBATIM_CATEGORY = Category.PERSONAL_DETAILS

RUN: Final = timedelta(minutes=1)
"""The chunk that is under way then has the rest of the function's time."""

CHUNK_TOKENS: Final = 12_000
"""Of messages, as estimated: one call of a model. What is longer is cut by the extractor."""


def extract_memories(ports: IngestionPorts, state: IngestionState) -> IngestionState:
    """Proposes facts for every message that is not committed yet, chunk by chunk under the lease.

    Messages that try to instruct the memory are left out and said in the event's notices. A run begins chunks
    for about `RUN` and leaves the rest to the next, which goes on from its draft: so the number of messages
    lengthens no run, and one that dies loses little.

    Raises ExtractionFailed when the extractor's answer cannot be used, StaleLease when another holder
    took over: then the event goes back to acquiring; UserErased when an erasure began meanwhile.
    """
    event = begin(ports, state, STAGE)
    if event.payload_key is None:
        return state.model_copy(update={"extraction_left": False})
    request = ports.request(event)
    # What an earlier run or holder committed and did not live to project is among the similar memories, too.
    ports.projector.catch_up(event.owner)
    messages = ports.ledger.get_messages(event.owner, event.message_ids)
    proposals = _Collector(event, messages)
    first = _resume(ports, proposals, drafted=state.extraction_left)
    waiting, notices = screened(_waiting(messages, first), verbatim=not request.infer)
    proposals.notify(notices)
    vectors = ports.ledger.get_vectors(event.owner, [message.id for message in waiting])
    began = ports.clock()
    for number, chunk in enumerate(_chunks(waiting, ports.extractor.chunk_messages if request.infer else 1)):
        if number > 0 and ports.clock() - began >= RUN:
            _keep(ports, event, proposals.result(next_message=chunk[0].position))
            return state.model_copy(update={"extraction_left": True})
        chunk_vectors = [vectors[message.id] for message in chunk if message.id in vectors]
        with held_lease(ports, lease_of(event.owner, state, ports)):
            _propose(ports, proposals, chunk, chunk_vectors, request)
    _keep(ports, event, proposals.result())
    key = proposals_key(event.owner, event.id)
    return state.model_copy(update={"proposals_key": key, "extraction_left": False})


def _keep(ports: IngestionPorts, event: Event, proposals: Proposals) -> None:
    """Writes them; one that was written after an erasure had removed those that it found is taken back."""
    ports.payloads.put(proposals_key(event.owner, event.id), dump(proposals))
    if ports.ledger.erasure_epoch(event.owner) != event.erasure_epoch:
        ports.payloads.delete(payload_prefix(event.owner, event.id))
        raise UserErased("the user was erased after this work was accepted")
    redact_payload(ports.ledger, ports.payloads, event.tenant_id, event.id)


class _Collector:
    """The event's facts so far, and their working set; `event` counts what they consumed."""

    def __init__(self, event: Event, messages: Mapping[str, Message]) -> None:
        self.event = event
        self._messages = messages
        self.working = WorkingSet(event.id)
        self._facts: list[Proposal] = []
        self._notices: list[Notice] = []

    def keep(self, facts: Sequence[Proposal]) -> None:
        for proposal in facts:
            self._facts.append(proposal)
            if message := self._messages.get(proposal.message_id):
                self.working.record(proposal, message.timestamp)

    def notify(self, notices: Sequence[Notice]) -> None:
        self._notices += [notice for notice in notices if notice not in self._notices]

    def take(self, chunk: Sequence[Message], extraction: Extraction, labels: dict[int, str]) -> None:
        counts: dict[int, int] = {}
        for fact in extraction.facts:
            if instructs(fact):
                continue
            number = counts.get(fact.message_index, 0)
            counts[fact.message_index] = number + 1
            self.keep([_proposal(fact, number, chunk, labels)])
        self.notify(extraction.notices)

    def result(self, next_message: int | None = None) -> Proposals:
        """In the order of positions and without those that an earlier run has committed."""
        fresh = (fact for fact in self._facts if fact.position >= self.event.cursor)
        ordered = sorted(fresh, key=lambda fact: fact.position)
        return Proposals(facts=tuple(ordered), notices=tuple(self._notices), next_message=next_message)


def _resume(ports: IngestionPorts, proposals: _Collector, *, drafted: bool) -> int:
    """Takes over what an earlier run proposed and still holds; answers the first message to extract.

    That is the draft of a run under the same lease. Under another one memories may have changed since: only
    what is left of a message whose first facts are committed stays, as it was proposed together with them,
    for the same message may give other facts now that some of them are held.
    """
    event = proposals.event
    position, number = divmod(event.cursor, FACTS_PER_MESSAGE)
    first = math.ceil(event.cursor / FACTS_PER_MESSAGE)
    if not drafted and number == 0:
        return first
    held = load(ports.payloads.get(proposals_key(event.owner, event.id)))
    if drafted:
        # A run whose answer was lost may have left nothing to extract.
        first = len(event.message_ids) if held.next_message is None else held.next_message
        proposals.notify(held.notices)
    end = first if drafted else position + 1
    kept = range(event.cursor, end * FACTS_PER_MESSAGE)
    proposals.keep([fact for fact in held.facts if fact.position in kept])
    return first


def _waiting(messages: Mapping[str, Message], first: int) -> list[Message]:
    """The messages from that position on that can hold facts."""
    return [m for m in messages.values() if m.position >= first and m.searchable]


def _chunks(messages: Sequence[Message], size: int) -> Iterator[Sequence[Message]]:
    """At most so many messages, and as many as the estimate of their tokens lets through, one at least."""
    chunk: list[Message] = []
    tokens = 0
    for message in messages:
        weight = estimate_tokens(message.content)
        if chunk and (len(chunk) == size or tokens + weight > CHUNK_TOKENS):
            yield chunk
            chunk, tokens = [], 0
        chunk.append(message)
        tokens += weight
    if chunk:
        yield chunk


def _propose(
    ports: IngestionPorts,
    proposals: _Collector,
    chunk: Sequence[Message],
    vectors: Sequence[FloatVector],
    request: IngestRequest,
) -> None:
    owner = proposals.event.owner
    similar, labels = similar_memories(ports, owner, chunk, vectors, proposals.working)
    before_ids = list(chunk[0].preceding)
    known = ports.ledger.get_messages(owner, before_ids)
    before, _ = screened(known[id_] for id_ in before_ids if id_ in known)
    asked = ExtractionRequest(
        messages=tuple(chunk),
        turns_before=tuple(before),
        similar=tuple(similar),
        instructions=request.instructions,
    )
    extraction = _extracted(ports, proposals, asked) if request.infer else _verbatim(asked)
    proposals.take(chunk, extraction, labels)


def _extracted(ports: IngestionPorts, proposals: _Collector, asked: ExtractionRequest) -> Extraction:
    """What the extractor answers; what that took is counted on the event, also where the answer is none."""
    try:
        extraction = ports.extractor.extract(asked)
    except CognisError as error:
        count_on_event(ports, proposals.event, Usage.of_calls(error.consumed))
        raise
    proposals.event = count_on_event(ports, proposals.event, extraction.usage)
    return extraction


def _verbatim(request: ExtractionRequest) -> Extraction:
    """Each message as one memory in its own words; the same words again change nothing."""
    held = {memory.content: memory.label for memory in request.similar if not memory.retracted}
    facts = [
        ExtractedFact(
            operation=Operation.NONE if message.content in held else Operation.ADD,
            content=message.content,
            category=VERBATIM_CATEGORY,
            message_index=index,
            label=held.get(message.content),
            speaker=message.speaker,
            language=message.language,
            event_time=message.event_time,
            event_end=message.event_end,
        )
        for index, message in enumerate(request.messages)
    ]
    return Extraction(tuple(facts))


def _proposal(fact: ExtractedFact, number: int, chunk: Sequence[Message], labels: dict[int, str]) -> Proposal:
    if not 0 <= fact.message_index < len(chunk) or number >= FACTS_PER_MESSAGE:
        raise ExtractionFailed(f"the extractor named message {fact.message_index} of {len(chunk)}")
    needs_label = fact.operation in (Operation.UPDATE, Operation.NONE)
    unlabelled = fact.label is None and not needs_label
    if not unlabelled and (fact.operation is Operation.ADD or fact.label not in labels):
        raise ExtractionFailed(f"the extractor answered {fact.operation} with label {fact.label}")
    message = chunk[fact.message_index]
    return Proposal(
        operation=fact.operation,
        position=message.position * FACTS_PER_MESSAGE + number,
        message_id=message.id,
        target_id=None if fact.label is None else labels[fact.label],
        content=fact.content,
        category=fact.category,
        subject=fact.subject,
        slot=fact.slot,
        speaker=fact.speaker or message.speaker,
        language=fact.language,
        event_time=fact.event_time,
        event_end=fact.event_end,
        retracts=fact.retracts,
        lapses=fact.lapses,
    )
