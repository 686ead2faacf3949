"""Small valid documents for the contract's tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

import numpy as np

from cognis_memory.domain.filters import EVERYTHING, Filter
from cognis_memory.domain.matryoshka import candidate_vectors, normalise
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import FloatMatrix, FloatVector, Kind, Owner
from cognis_memory.ports import KeywordIndex, VectorIndex

NOON = datetime(2026, 7, 15, 12, tzinfo=UTC)
OWNER = Owner("acme", "ana")
MODEL = "test-model"


class SearchIndex(VectorIndex, KeywordIndex, Protocol):
    """An engine that is both indexes, or two that are written together."""


class OpenIndex(Protocol):
    """Opens the engine's data once more, as another process would."""

    def __call__(self, model_id: str = MODEL) -> SearchIndex: ...


def vectors(number: int, seed: int = 0) -> FloatMatrix:
    """Unit vectors, shape (number, 768)."""
    return normalise(np.random.default_rng(seed).standard_normal((number, 768)))


def document(number: int, text: str = "", **changes: Any) -> IndexDocument:
    """A current memory whose vector depends on its number alone."""
    values: dict[str, Any] = {
        "id": f"mem_{number:05d}",
        "kind": Kind.MEMORY,
        "text": text or f"Ana has been to place {number}.",
        "vector": vectors(1, seed=number)[0],
        "revision": 1,
        "timestamp": NOON,
        "created_at": NOON,
        "valid_from": NOON,
    }
    return IndexDocument(**(values | changes))


def documents(*numbers: int) -> list[IndexDocument]:
    return [document(number) for number in numbers]


def ids(*numbers: int) -> set[str]:
    return {document(number).id for number in numbers}


def near(
    index: VectorIndex,
    vector: FloatVector,
    owner: Owner = OWNER,
    filter: Filter = EVERYTHING,
    limit: int = 1_000,
) -> list[str]:
    """Ids nearest to a whole vector, best first."""
    hits = index.nearest(owner, candidate_vectors(vector), filter=filter, limit=limit)
    return [hit.id for hit in hits]


def matching(
    index: KeywordIndex,
    query: str,
    owner: Owner = OWNER,
    filter: Filter = EVERYTHING,
    limit: int = 1_000,
) -> list[str]:
    return [hit.id for hit in index.match(owner, query, filter=filter, limit=limit)]


def found(index: SearchIndex, owner: Owner = OWNER, word: str = "place") -> set[str]:
    """What both sides of the index find, where they agree."""
    by_vector = set(near(index, vectors(1)[0], owner))
    by_word = set(matching(index, word, owner))
    assert by_vector == by_word, "vector and keyword search hold different documents"
    return by_vector


def apply(
    index: SearchIndex, *upserts: IndexDocument, deleted: Sequence[str] = (), owner: Owner = OWNER
) -> None:
    index.apply(owner, upserts, deleted)
