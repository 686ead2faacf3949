"""Stage 3: a model, or rules, decide what of the new messages is worth keeping and what it changes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from cognis_memory.domain.indexed_text import spoken_text
from cognis_memory.domain.pricing import Prices
from cognis_memory.domain.tokens import estimate_tokens
from cognis_memory.errors import ExtractionFailed, UserErased
from cognis_memory.models.event import Event, Notice, Usage
from cognis_memory.models.extraction import ExtractedFact, Extraction, ExtractionRequest
from cognis_memory.models.message import Message
from cognis_memory.models.requests import IngestRequest
from cognis_memory.models.values import Category, FloatVector, Operation
from cognis_memory.services.ingestion.proposals import FACTS_PER_MESSAGE, Proposal, Proposals, dump, load
from cognis_memory.services.ingestion.redacted_payloads import redact_payload
from cognis_memory.services.ingestion.screening import instructs, screened
from cognis_memory.services.ingestion.similar import WorkingSet, similar_memories
from cognis_memory.services.ingestion.state import (
    LEASE_DURATION,
    IngestionPorts,
    IngestionState,
    lease_of,
    payload_prefix,
    proposals_key,
)
from cognis_memory.services.progress import begin

STAGE = "ExtractMemories"
VERBATIM_CATEGORY = Category.PERSONAL_DETAILS


def extract_memories(ports: IngestionPorts, state: IngestionState) -> IngestionState:
    """Proposes facts for every message that is not committed yet, chunk by chunk under the lease.

    Messages that try to instruct the memory are left out and said in the event's notices.

    Raises ExtractionFailed when the extractor's answer cannot be used, StaleLease when another holder
    took over: then the event goes back to acquiring; UserErased when an erasure began meanwhile.
    """
    event = begin(ports, state, STAGE)
    if event.payload_key is None:
        return state
    request = ports.request(event)
    # What an earlier run or holder committed and did not live to project is among the similar memories, too.
    ports.projector.catch_up(event.owner)
    key = proposals_key(event.owner, event.id)
    messages = ports.ledger.get_messages(event.owner, event.message_ids)
    proposals = _Collector(event, messages)
    proposals.keep(_begun(ports, event, key))
    waiting, notices = screened(_waiting(event, messages), verbatim=not request.infer)
    proposals.notify(notices)
    vectors = ports.ledger.get_vectors(event.owner, [message.id for message in waiting])
    for chunk in _chunks(waiting, ports.extractor.chunk_messages if request.infer else 1):
        ports.ledger.renew_lease(
            lease_of(event.owner, state, ports), now=ports.clock(), duration=LEASE_DURATION
        )
        chunk_vectors = [vectors[message.id] for message in chunk if message.id in vectors]
        _propose(ports, proposals, chunk, chunk_vectors, request)
    ports.payloads.put(key, dump(proposals.result(ports.prices)))
    _unless_erased(ports, event)
    redact_payload(ports.ledger, ports.payloads, event.tenant_id, event.id)
    return state.model_copy(update={"proposals_key": key})


def _unless_erased(ports: IngestionPorts, event: Event) -> None:
    """Takes back a payload that was written after an erasure had removed those that it found."""
    if ports.ledger.erasure_epoch(event.owner) != event.erasure_epoch:
        ports.payloads.delete(payload_prefix(event.owner, event.id))
        raise UserErased("the user was erased after this work was accepted")


class _Collector:
    """The event's facts so far, their working set and what they consumed."""

    def __init__(self, event: Event, messages: Mapping[str, Message]) -> None:
        self.event = event
        self._messages = messages
        self.working = WorkingSet(event.id)
        self._facts: list[Proposal] = []
        self._usage = Usage()
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
        self._usage = _sum(self._usage, extraction.usage)
        self.notify(extraction.notices)

    def result(self, prices: Prices) -> Proposals:
        """In the order of positions and without those that an earlier run has committed."""
        fresh = (fact for fact in self._facts if fact.position >= self.event.cursor)
        ordered = sorted(fresh, key=lambda fact: fact.position)
        usage = prices.priced(self._consumed())
        return Proposals(facts=tuple(ordered), usage=usage, notices=tuple(self._notices))

    def _consumed(self) -> Usage:
        """With the tokens of all that is embedded, messages and facts, as far as these can be estimated."""
        embedded = [spoken_text(message) for message in self._messages.values() if message.searchable]
        embedded += [fact.content for fact in self._facts if fact.operation is not Operation.NONE]
        tokens = sum(estimate_tokens(text) for text in embedded)
        return _sum(self._usage, Usage(embedding_tokens=tokens))


def _begun(ports: IngestionPorts, event: Event, key: str) -> list[Proposal]:
    """What is left of a message whose first facts are committed, as it was proposed together with them.

    Extracted again, the same message may give other facts, now that some of them are held.
    """
    position, number = divmod(event.cursor, FACTS_PER_MESSAGE)
    if number == 0:
        return []
    facts = load(ports.payloads.get(key)).facts
    return [f for f in facts if f.position >= event.cursor and f.position // FACTS_PER_MESSAGE == position]


def _waiting(event: Event, messages: Mapping[str, Message]) -> list[Message]:
    """The event's messages that can hold facts, and of which none is committed."""
    first = math.ceil(event.cursor / FACTS_PER_MESSAGE)
    return [m for m in messages.values() if m.position >= first and m.searchable]


def _chunks(messages: Sequence[Message], size: int) -> Iterator[Sequence[Message]]:
    for start in range(0, len(messages), size):
        yield messages[start : start + size]


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
    proposals.take(chunk, ports.extractor.extract(asked) if request.infer else _verbatim(asked), labels)


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


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(**{name: getattr(one, name) + getattr(other, name) for name in Usage.model_fields})
