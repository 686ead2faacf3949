"""Stage 4: the facts become versions in the ledger, then documents in the indexes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from cognis_memory.errors import ConfigurationError, StaleEvent
from cognis_memory.models.commit import Commit
from cognis_memory.models.event import Event, EventOperation, EventStatus, Notice
from cognis_memory.models.values import FloatMatrix, FloatVector, Operation
from cognis_memory.services.ingestion.facts import apply_fact
from cognis_memory.services.ingestion.proposals import Proposal, Proposals, load
from cognis_memory.services.ingestion.staging import Staging
from cognis_memory.services.ingestion.state import IngestionPorts, IngestionState
from cognis_memory.services.payload_keys import payload_prefix
from cognis_memory.services.progress import advance, begin
from cognis_memory.services.spending import count_on_event, embedding_usage
from cognis_memory.services.writing import CommitSize, split_writes

STAGE = "EmbedAndCommitMemories"


def embed_and_commit_memories(ports: IngestionPorts, state: IngestionState) -> IngestionState:
    """Commits the proposals in fenced transactions, projects them and ends the event.

    Raises StaleLease or RevisionConflict when another writer came between: nothing of the refused commit
    is written, and the event goes back to acquiring its lease.
    """
    event = begin(ports, state, STAGE)
    if event.payload_key is not None:
        event = _carry_out(ports, event, state)
    if event.status is not EventStatus.SUCCEEDED:
        ports.payloads.delete(payload_prefix(event.owner, event.id))
        advance(ports, event, status=EventStatus.SUCCEEDED, completed_at=ports.clock())
    return state.model_copy(update={"proposals_key": None})


def _carry_out(ports: IngestionPorts, event: Event, state: IngestionState) -> Event:
    """Commits and projects; the event without a payload says that only its end is left to write.

    So a crash between the end of the work and that of the event leaves no payload behind.
    """
    if state.extraction_left:
        raise ConfigurationError("the state machine is older than its functions; replay the event")
    if state.proposals_key is None:
        raise StaleEvent(f"event {event.id} reached this stage without proposals")
    proposals = load(ports.payloads.get(state.proposals_key))
    if proposals.next_message is not None:
        raise StaleEvent(f"the proposals of event {event.id} are a draft again")
    event = _CommitRun(ports, event, state.lease_token, proposals).commit_all()
    ports.projector.catch_up(event.owner)
    return advance(ports, event, notices=_notices(event, proposals), payload_key=None)


def _notices(event: Event, proposals: Proposals) -> tuple[Notice, ...]:
    """What was said at the acceptance or by an earlier run, and what is new."""
    return tuple(dict.fromkeys((*event.notices, *proposals.notices)))


class _CommitRun:
    """Stages fact after fact and writes a commit whenever the next fact would not fit."""

    def __init__(self, ports: IngestionPorts, event: Event, token: int | None, proposals: Proposals) -> None:
        self._ports = ports
        self._event = event
        self._token = token
        self._notices = _notices(event, proposals)
        self._facts = [fact for fact in proposals.facts if fact.position >= event.cursor]
        self._vectors = self._embed(self._facts)
        about = {fact.new_id(event.id): fact.target_id for fact in proposals.facts if fact.target_id}
        targets = list(dict.fromkeys(about.values()))
        message_ids = list(dict.fromkeys(fact.message_id for fact in self._facts))
        self._staging = Staging.load(ports.ledger, event.owner, targets, message_ids, about)
        self._operations: list[EventOperation] = []
        self._around = self._size_around()

    def commit_all(self) -> Event:
        """Returns the event after the last commit."""
        now = self._ports.clock()
        for fact in self._facts:
            self._add(fact, now)
        if self._staging.documents or self._operations:
            self._flush(self._facts[-1].position + 1)
        return self._event

    def _add(self, fact: Proposal, now: datetime) -> None:
        before = self._around
        self._staging.mark()
        self._apply(fact, now)
        if len(self._operations) > 1 and not (self._around + self._staging.size).fits:
            self._staging.undo()
            self._operations.pop()
            self._around = before
            self._flush(fact.position)
            self._apply(fact, now)

    def _apply(self, fact: Proposal, now: datetime) -> None:
        vector = self._vectors.get(fact.position)
        done = apply_fact(
            self._staging, self._event, fact, vector, embed=self._embed_one, model=self._model, now=now
        )
        self._operations.append(done)
        self._around += CommitSize(0, len(done.model_dump_json().encode()) + 1)

    def _size_around(self) -> CommitSize:
        """Of the next commit without what is staged; its event may get longer numbers in the meantime."""
        return CommitSize.of(replace(self._whole(self._event.cursor), documents=(), chains=()))

    def _embed_one(self, text: str) -> FloatVector:
        vector: FloatVector = self._embed_all([text])[0]
        return vector

    def _embed(self, facts: Sequence[Proposal]) -> dict[int, FloatVector]:
        """Vectors of the facts that are not expected to be repeats, by position."""
        made = [fact for fact in facts if fact.operation is not Operation.NONE]
        if not made:
            return {}
        vectors = self._embed_all([fact.content for fact in made])
        return {fact.position: vector for fact, vector in zip(made, vectors, strict=True)}

    def _embed_all(self, texts: Sequence[str]) -> FloatMatrix:
        vectors = self._ports.embedder.embed(texts)
        self._event = count_on_event(self._ports, self._event, embedding_usage(texts))
        return vectors

    @property
    def _model(self) -> str:
        return self._ports.embedder.model_id

    def _whole(self, cursor: int) -> Commit:
        """Everything staged, with the event moved on to `cursor`, as one commit."""
        event = self._event.model_copy(
            update={
                "cursor": cursor,
                "operations": (*self._event.operations, *self._operations),
                "notices": self._notices,
                "updated_at": self._ports.clock(),
                "revision": self._event.revision + 1,
            }
        )
        return Commit(
            id=f"{event.id}-facts-{cursor}",
            owner=event.owner,
            epoch=event.erasure_epoch,
            created_at=self._ports.clock(),
            fence=self._token,
            event=event,
            documents=tuple(self._staging.documents.values()),
            chains=tuple(self._staging.grown.values()),
        )

    def _flush(self, cursor: int) -> None:
        whole = self._whole(cursor)
        for part in _parts(whole):
            self._ports.ledger.commit(part)
            self._staging.written(part.documents, part.chains)
        if whole.event is not None:
            self._event = whole.event
        self._operations = []
        self._around = self._size_around()


def _parts(whole: Commit) -> Iterator[Commit]:
    """The commit itself, or, for one fact that renumbers a very long chain, several.

    The first carries the new version and the chain, the last the event: a crash between them leaves the
    fact unfinished, and its repeat finds the version in place and writes the rest.
    """
    around = CommitSize.of(replace(whole, documents=()))
    *first, last = [*split_writes(whole.documents, around)] or [()]
    for number, documents in enumerate(first):
        chains = () if number else whole.chains
        yield replace(whole, event=None, id=f"{whole.id}-part-{number}", documents=documents, chains=chains)
    yield replace(whole, documents=last, chains=() if first else whole.chains)
