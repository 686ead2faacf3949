"""The ten most similar memories that an extractor sees with new messages, and the three nearest retractions.

Messages may come late: what was true at their time is seen beside what is current, and so are retractions
that were stated after them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from cognis_memory.domain.filters import (
    And,
    Comparator,
    Comparison,
    Filter,
    Not,
    ended_since,
    known_at,
)
from cognis_memory.domain.fusion import fuse
from cognis_memory.domain.matryoshka import candidate_vectors
from cognis_memory.domain.text import index_terms
from cognis_memory.models.extraction import LabelledMemory
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import FloatVector, Operation, Owner
from cognis_memory.services.ingestion.proposals import Proposal
from cognis_memory.services.ingestion.state import IngestionPorts

SIMILAR_MEMORIES = 10
SIMILAR_RETRACTIONS = 3
RRF_K = 10


@dataclass(slots=True)
class WorkingSet:
    """What the facts of this event change before they are committed: they are one another's past.

    `retracted` holds the retractions among them by the ids of their versions, as `added` the others.
    `stated` tells when the memories that were shown, and those of this event, were stated last.
    """

    event_id: str
    added: dict[str, Proposal] = field(default_factory=dict)
    retracted: dict[str, Proposal] = field(default_factory=dict)
    superseded: set[str] = field(default_factory=set)
    stated: dict[str, datetime] = field(default_factory=dict)
    _terms: dict[str, frozenset[str]] = field(default_factory=dict)

    def record(self, proposal: Proposal, stated: datetime) -> None:
        """Takes in a fact of a message of that time.

        One that goes into the history changes nothing here, unless it ends something: that may have ended
        what is stated earlier still.
        """
        target = proposal.target_id
        late = target is not None and self.stated.get(target, stated) > stated
        if target and not late:
            self.stated[target] = stated
        ends = proposal.retracts or proposal.operation is Operation.DELETE
        if proposal.operation is Operation.NONE or (late and not ends):
            return
        if target and not late:
            self.superseded.add(target)
            self.added.pop(target, None)
            self.retracted.pop(target, None)
        id_ = proposal.new_id(self.event_id)
        among = self.retracted if late or proposal.operation is Operation.DELETE else self.added
        among[id_] = proposal
        self.stated[id_] = stated
        self._terms[id_] = frozenset(index_terms(proposal.content))

    def most_alike(self, text: str, limit: int) -> list[str]:
        """Ids of the added facts that share most terms with the text; the latest first among equals."""
        return self._most_alike(self.added, text, limit)

    def retractions_most_alike(self, text: str, limit: int) -> list[str]:
        """As `most_alike`, of the retractions."""
        return self._most_alike(self.retracted, text, limit)

    def _most_alike(self, among: Iterable[str], text: str, limit: int) -> list[str]:
        terms = frozenset(index_terms(text))
        latest_first = reversed(list(among))
        return sorted(latest_first, key=lambda id_: -len(terms & self._terms[id_]))[:limit]


def similar_memories(
    ports: IngestionPorts,
    owner: Owner,
    chunk: Sequence[Message],
    vectors: Sequence[FloatVector],
    working: WorkingSet,
) -> tuple[list[LabelledMemory], dict[int, str]]:
    """At most ten memories, then three retractions, labelled from 1 on, and the real id behind each label.

    Committed memories and facts proposed earlier in the same event compete by reciprocal rank fusion of
    vectors, keywords and shared terms; what the event replaces already is left out. Lists of their own raise
    two kinds that likeness alone puts too low: memories in other languages than the messages', because texts
    of one language are nearer to each other than texts of one meaning, and memories that fill an attribute,
    because a new value takes the place of the old however little the words have in common.
    """
    text = "\n".join(message.content for message in chunk)
    held = _committed(ports, owner, chunk, text, vectors=vectors, superseded=working.superseded)
    rankings = {"proposed": working.most_alike(text, SIMILAR_MEMORIES), **held.rankings}
    best = _best(rankings, working.added.keys() | held.memories.keys(), SIMILAR_MEMORIES)
    ended = _retracted(ports, owner, chunk, text, vectors=vectors, superseded=working.superseded)
    rankings = {"proposed": working.retractions_most_alike(text, SIMILAR_RETRACTIONS), **ended.rankings}
    best += _best(rankings, working.retracted.keys() | ended.memories.keys(), SIMILAR_RETRACTIONS)
    committed = {**held.memories, **ended.memories}
    sources: dict[str, Memory | Proposal] = {**committed, **working.added, **working.retracted}
    working.stated |= {id_: memory.last_stated for id_, memory in committed.items()}
    labels = dict(enumerate(best, start=1))
    return [labelled(label, sources[id_], working.stated.get(id_)) for label, id_ in labels.items()], labels


def _best(rankings: dict[str, list[str]], known: Collection[str], limit: int) -> list[str]:
    """The first of each list and then the others, both by reciprocal rank fusion.

    What leads one list may be the very thing that was said, however many lists others stand in.
    """
    # What is proposed stands in one list, what is committed may stand in all the others.
    weights = dict.fromkeys(rankings, 1.0) | {"proposed": len(rankings) - 1.0}
    fused = [found.id for found in fuse(rankings, weights=weights, k=RRF_K) if found.id in known]
    leading = {next((id_ for id_ in ranking if id_ in known), None) for ranking in rankings.values()}
    return sorted(fused, key=lambda id_: id_ not in leading)[:limit]


def labelled(label: int, source: Memory | Proposal, stated: datetime | None = None) -> LabelledMemory:
    """`stated` is the time of a proposal, which does not hold it itself."""
    ends = source.operation is Operation.DELETE or (isinstance(source, Memory) and source.retracts)
    return LabelledMemory(
        label=label,
        content=source.content,
        category=source.category,
        subject=source.subject,
        slot=source.slot,
        timestamp=source.first_stated if isinstance(source, Memory) else stated,
        retracts=source.retracts,
        retracted=ends and not (isinstance(source, Memory) and source.is_current),
    )


@dataclass(frozen=True, slots=True)
class _Committed:
    rankings: dict[str, list[str]]
    memories: dict[str, Memory]


def _committed(
    ports: IngestionPorts,
    owner: Owner,
    chunk: Sequence[Message],
    text: str,
    *,
    vectors: Sequence[FloatVector],
    superseded: set[str],
) -> _Committed:
    """Memories of the same scope that are current or were true then, checked against the ledger."""
    like, then = chunk[0], _time_of(chunk)
    # A fact told in one scope neither repeats nor replaces a memory of another.
    among = known_at(then, now=ports.clock(), scope=like.scope, context_id=like.context_id)
    filters = {"": among, **_in_other_languages(among, chunk)}
    over = SIMILAR_MEMORIES * 2
    near = {
        f"vector {number}{name}": _nearest(ports, owner, vector, within, over)
        for number, vector in enumerate(vectors)
        for name, within in filters.items()
    }
    words = [hit.id for hit in ports.keywords.match(owner, text, filter=among, limit=over)]
    found = _read(ports, owner, (id_ for ids in (words, *near.values()) for id_ in ids), superseded)
    held = {id_: memory for id_, memory in found.items() if memory.is_current or _was_true(memory, then)}
    of_attributes = {
        f"{name}, attributes": [id_ for id_ in ids if id_ in held and held[id_].slot]
        for name, ids in near.items()
    }
    return _Committed({"keyword": words, **near, **of_attributes}, held)


def _retracted(
    ports: IngestionPorts,
    owner: Owner,
    chunk: Sequence[Message],
    text: str,
    *,
    vectors: Sequence[FloatVector],
    superseded: set[str],
) -> _Committed:
    """Retractions of the same scope that are the last words of their chains or later than the messages.

    Checked against the ledger.
    """
    like, then = chunk[0], _time_of(chunk)
    among = ended_since(then, now=ports.clock(), scope=like.scope, context_id=like.context_id)
    rankings = {
        f"vector {number}": _nearest(ports, owner, vector, among, SIMILAR_MEMORIES)
        for number, vector in enumerate(vectors)
    }
    words = ports.keywords.match(owner, text, filter=among, limit=SIMILAR_MEMORIES)
    rankings["keyword"] = [hit.id for hit in words]
    found = _read(ports, owner, (id_ for ids in rankings.values() for id_ in ids), superseded)
    ended = {id_: memory for id_, memory in found.items() if _ended(memory, then)}
    return _Committed(rankings, ended)


def _ended(memory: Memory, then: datetime) -> bool:
    if memory.is_current:
        return False
    stands = memory.operation is Operation.DELETE and memory.valid_until is None
    ends = memory.retracts or memory.operation is Operation.DELETE
    return stands or (ends and memory.timestamp > then)


def _nearest(
    ports: IngestionPorts, owner: Owner, vector: FloatVector, within: Filter, limit: int
) -> list[str]:
    hits = ports.vectors.nearest(owner, candidate_vectors(vector), filter=within, limit=limit)
    return [hit.id for hit in hits]


def _time_of(chunk: Sequence[Message]) -> datetime:
    return min(message.timestamp for message in chunk)


def _was_true(memory: Memory, then: datetime) -> bool:
    lasted = memory.valid_until is None or memory.valid_until > then
    return memory.operation is not Operation.DELETE and memory.valid_from <= then and lasted


def _read(
    ports: IngestionPorts, owner: Owner, found: Iterable[str], superseded: set[str]
) -> dict[str, Memory]:
    ids = list(dict.fromkeys(id_ for id_ in found if id_ not in superseded))
    return ports.ledger.get_memories(owner, ids) if ids else {}


def _in_other_languages(among: Filter, chunk: Sequence[Message]) -> dict[str, Filter]:
    """For each language of the messages, the memories that are in another."""
    languages = dict.fromkeys(message.language for message in chunk)
    return {
        f" but {language}": And((among, Not(Comparison("language", Comparator.EQ, language))))
        for language in languages
    }
