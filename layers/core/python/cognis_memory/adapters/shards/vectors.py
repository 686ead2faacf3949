"""Exact nearest neighbours in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cognis_memory.adapters.shards.rows import HALF, HalfMatrix
from cognis_memory.domain.matryoshka import CANDIDATE_COMPONENTS, FULL_COMPONENTS
from cognis_memory.models.values import FloatMatrix, FloatVector

_ROWS_AT_ONCE: Final = 2_048
"""Bounds what conversion takes beside its result."""

_SMALL: Final = 2_048
"""Up to so many vectors are held in single precision, which spares converting what a search rescores."""

SlotArray = NDArray[np.int64]


class VectorTable:
    """A shard's vectors by slot, whole and by their first 256 components."""

    def __init__(self, chunks: Sequence[HalfMatrix]) -> None:
        whole = np.concatenate([np.empty((0, FULL_COMPONENTS), HALF), *chunks])
        self._whole: NDArray[Any] = _units(whole) if len(whole) <= _SMALL else whole
        self._prefixes = np.empty((len(whole), CANDIDATE_COMPONENTS), np.float32)
        for start in range(0, len(whole), _ROWS_AT_ONCE):
            rows = slice(start, start + _ROWS_AT_ONCE)
            self._prefixes[rows] = _units(self._whole[rows, :CANDIDATE_COMPONENTS])

    def candidate_scores(self, vector: FloatVector) -> FloatVector:
        """The cosine of every slot's first 256 components to `vector`, of shape (256,): shape (slots,)."""
        return inner_products(self._prefixes, vector)

    def units(self, slots: SlotArray) -> FloatMatrix:
        """The vectors of those slots, of unit length."""
        rows = self._whole[slots]
        return rows if len(self._whole) <= _SMALL else _units(rows)


def table_bytes(vectors: int) -> int:
    """What a table of so many vectors takes in memory."""
    whole = np.dtype(np.float32) if vectors <= _SMALL else HALF
    return vectors * (CANDIDATE_COMPONENTS * np.dtype(np.float32).itemsize + FULL_COMPONENTS * whole.itemsize)


def inner_products(vectors: FloatMatrix, vector: FloatVector) -> FloatVector:
    """The inner product of each row with the vector, by one thread.

    As fast as memory is read; a library for linear algebra would split it among threads, and wait for them.
    """
    products: FloatVector = np.vecdot(vectors, vector)
    return products


def best_slots(scores: NDArray[np.floating[Any]], among: NDArray[np.bool_], limit: int) -> SlotArray:
    """Where the highest scores are, best first, equal ones in order; `among` says which count, by slot."""
    slots = np.flatnonzero(among)
    found = scores[slots]
    if limit < len(slots):
        kept = np.sort(np.argpartition(found, -limit)[-limit:])
        slots, found = slots[kept], found[kept]
    return slots[np.argsort(-found, kind="stable")]


def _units(vectors: NDArray[Any]) -> FloatMatrix:
    """In single precision and, but for zero vectors, of unit length: half precision has moved it a little."""
    rows: FloatMatrix = vectors.astype(np.float32)
    lengths = np.sqrt(np.vecdot(rows, rows))
    lengths[lengths == 0] = 1
    rows /= lengths[:, np.newaxis]
    return rows
