"""Remembers the vectors of queries: agents ask the same again, for another filter or the next turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from cognis_memory.models.values import FloatMatrix, FloatVector
from cognis_memory.ports import Embedder


class RememberedQueries:
    """The `Embedder` port over another, for one text a call; the last `size` texts cost no call."""

    def __init__(self, embedder: Embedder, size: int) -> None:
        self._embedder = embedder
        self._row = lru_cache(size)(self._embed)

    @property
    def model_id(self) -> str:
        return self._embedder.model_id

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        if len(texts) != 1:
            return self._embedder.embed(texts)
        row: FloatMatrix = self._row(texts[0])[None, :]
        return row

    def _embed(self, text: str) -> FloatVector:
        """Read only, for it is handed out again. An error is not remembered."""
        vector: FloatVector = self._embedder.embed([text])[0]
        vector.flags.writeable = False
        return vector
