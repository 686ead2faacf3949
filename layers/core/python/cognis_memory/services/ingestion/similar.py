"""The ten most similar current memories that an extractor sees with new messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cognis_memory.domain.filters import And, Comparator, Comparison, Filter, Not, visible
from cognis_memory.domain.fusion import fuse
from cognis_memory.domain.matryoshka import candidate_vectors
from cognis_memory.domain.text import index_terms
from cognis_memory.models.extraction import LabelledMemory
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import FloatVector, Kind, Operation, Owner
from cognis_memory.services.ingestion.proposals import Proposal
from cognis_memory.services.ingestion.state import IngestionPorts

SIMILAR_MEMORIES = 10
RRF_K = 10


@dataclass(slots=True)
class WorkingSet:
    """What the facts of this event change before they are committed: they are one another's past."""

    event_id: str
    added: dict[str, Proposal] = field(default_factory=dict)
    superseded: set[str] = field(default_factory=set)
    _terms: dict[str, frozenset[str]] = field(default_factory=dict)

    def record(self, proposal: Proposal) -> None:
        if proposal.operation in (Operation.UPDATE, Operation.DELETE) and proposal.target_id:
            self.superseded.add(proposal.target_id)
            self.added.pop(proposal.target_id, None)
        if proposal.operation in (Operation.ADD, Operation.UPDATE):
            id_ = proposal.new_id(self.event_id)
            self.added[id_] = proposal
            self._terms[id_] = frozenset(index_terms(proposal.content))

    def most_alike(self, text: str, limit: int) -> list[str]:
        """Ids of the added facts that share most terms with the text; the latest first among equals."""
        terms = frozenset(index_terms(text))
        latest_first = reversed(list(self.added))
        return sorted(latest_first, key=lambda id_: -len(terms & self._terms[id_]))[:limit]


def similar_memories(
    ports: IngestionPorts,
    owner: Owner,
    chunk: Sequence[Message],
    vectors: Sequence[FloatVector],
    working: WorkingSet,
) -> tuple[list[LabelledMemory], dict[int, str]]:
    """At most ten memories under the labels 1 to 10, and the real id behind each label.

    Committed memories and facts proposed earlier in the same event compete by reciprocal rank fusion of
    vectors, keywords and shared terms; what the event replaces already is left out. Lists of their own raise
    two kinds that likeness alone puts too low: memories in other languages than the messages', because texts
    of one language are nearer to each other than texts of one meaning, and memories that fill an attribute,
    because a new value takes the place of the old however little the words have in common.
    """
    text = "\n".join(message.content for message in chunk)
    held = _committed(ports, owner, chunk, text, vectors=vectors, superseded=working.superseded)
    rankings = {"proposed": working.most_alike(text, SIMILAR_MEMORIES), **held.rankings}
    fused = fuse(rankings, weights=dict.fromkeys(rankings, 1.0), k=RRF_K)
    known = [found.id for found in fused if found.id in working.added or found.id in held.memories]
    best = known[:SIMILAR_MEMORIES]
    labels = dict(enumerate(best, start=1))
    shown = [labelled(label, working.added.get(id_) or held.memories[id_]) for label, id_ in labels.items()]
    return shown, labels


def labelled(label: int, source: Memory | Proposal) -> LabelledMemory:
    return LabelledMemory(
        label=label,
        content=source.content,
        category=source.category,
        subject=source.subject,
        slot=source.slot,
        timestamp=source.timestamp if isinstance(source, Memory) else None,
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
    """Current memories of the same scope, checked against the ledger."""
    among = _same_scope(ports, chunk[0])
    filters = {"": among, **_in_other_languages(among, chunk)}
    over = SIMILAR_MEMORIES * 2
    near = {
        f"vector {number}{name}": _nearest(ports, owner, vector, within, over)
        for number, vector in enumerate(vectors)
        for name, within in filters.items()
    }
    words = [hit.id for hit in ports.keywords.match(owner, text, filter=among, limit=over)]
    held = _held(ports, owner, (id_ for ids in (words, *near.values()) for id_ in ids), superseded)
    of_attributes = {
        f"{name}, attributes": [id_ for id_ in ids if id_ in held and held[id_].slot]
        for name, ids in near.items()
    }
    return _Committed({"keyword": words, **near, **of_attributes}, held)


def _nearest(
    ports: IngestionPorts, owner: Owner, vector: FloatVector, within: Filter, limit: int
) -> list[str]:
    hits = ports.vectors.nearest(owner, candidate_vectors(vector), filter=within, limit=limit)
    return [hit.id for hit in hits]


def _held(
    ports: IngestionPorts, owner: Owner, found: Iterable[str], superseded: set[str]
) -> dict[str, Memory]:
    ids = list(dict.fromkeys(id_ for id_ in found if id_ not in superseded))
    held = ports.ledger.get_memories(owner, ids) if ids else {}
    return {id_: memory for id_, memory in held.items() if memory.is_current}


def _in_other_languages(among: Filter, chunk: Sequence[Message]) -> dict[str, Filter]:
    """For each language of the messages, the memories that are in another."""
    languages = dict.fromkeys(message.language for message in chunk)
    return {
        f" but {language}": And((among, Not(Comparison("language", Comparator.EQ, language))))
        for language in languages
    }


def _same_scope(ports: IngestionPorts, like: Message) -> Filter:
    """A fact told in one scope neither repeats nor replaces a memory of another."""
    return visible(now=ports.clock(), scope=like.scope, context_id=like.context_id, kinds=(Kind.MEMORY,))
