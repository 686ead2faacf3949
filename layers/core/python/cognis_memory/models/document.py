"""What an index holds of a memory or a message, and what a search of it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from cognis_memory.models.values import Category, FloatVector, Kind, Metadata, Scope


@dataclass(frozen=True, slots=True)
class IndexDocument:
    """A projection of one ledger document. Every field can be filtered on by name.

    `text` is the document's own words, `context` what was said around it: just before a message, or in and
    before the messages that a memory was made of.
    `vector` has shape (768,); its first 256 components, renormalised, are the candidate stage's vector.
    A document whose `revision` is not newer than the indexed one is ignored.
    """

    id: str
    kind: Kind
    text: str
    vector: FloatVector
    revision: int
    timestamp: datetime
    created_at: datetime
    valid_from: datetime
    context: str = ""
    language: str = "en"
    category: Category | None = None
    scope: Scope = Scope.USER
    context_id: str | None = None
    agent_id: str | None = None
    speaker: str | None = None
    event_time: datetime | None = None
    event_end: datetime | None = None
    valid_until: datetime | None = None
    expires_at: datetime | None = None
    is_current: bool = True
    replaces_id: str | None = None
    metadata: Metadata = field(default_factory=dict)


class Hit(NamedTuple):
    """One document found, with the stage's own score: higher is better."""

    id: str
    score: float


class VectorHit(NamedTuple):
    """A document with its exact cosine to the query and its vector, shape (768,)."""

    id: str
    score: float
    vector: FloatVector


class CandidateHits(NamedTuple):
    """What both sides of an index found at once.

    `nearest` and `matched` are ids, best first; `rescored` holds every one of them by its exact cosine.
    `milliseconds` says how long the parts took, by the names of the stages.
    """

    nearest: list[str]
    matched: list[str]
    rescored: list[VectorHit]
    milliseconds: Mapping[str, float]
