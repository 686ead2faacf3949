"""The `Embedder` port over a model server."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np

from cognis_memory.adapters.model_server import Refused, Transport, Unavailable, UnusableAnswer
from cognis_memory.adapters.tei.batches import batches
from cognis_memory.adapters.tei.payloads import embed_body, parse_embeddings
from cognis_memory.errors import EmbeddingFailed, EmbeddingUnavailable
from cognis_memory.models.values import FloatMatrix, FloatVector


class TeiEmbedder:
    """Sends texts in batches and remembers the vectors of those that came alone, as queries do.

    `batch_size` must not exceed the server's `max_client_batch_size` (32 unless it was started otherwise).
    """

    def __init__(
        self,
        transport: Transport,
        *,
        model_id: str,
        dimensions: int = 768,
        batch_size: int = 32,
        remembered_queries: int = 256,
    ) -> None:
        self.model_id = model_id
        self.dimensions = dimensions
        self._transport = transport
        self._batch_size = batch_size
        self._queries = _RecentVectors(remembered_queries)

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """As `ports.Embedder.embed`. An empty text is refused: EmbeddingFailed."""
        if len(texts) == 1:
            return self._embed_query(texts[0])
        empty = np.zeros((0, self.dimensions), dtype=np.float32)
        return np.concatenate([empty, *map(self._request, batches(texts, self._batch_size))])

    def _embed_query(self, text: str) -> FloatMatrix:
        vector = self._queries.get(text)
        if vector is None:
            vector = self._request([text])[0]
            self._queries.put(text, vector)
        return vector[np.newaxis].copy()

    def _request(self, texts: Sequence[str]) -> FloatMatrix:
        if not all(texts):
            raise EmbeddingFailed("an empty text has no embedding")
        try:
            answer = self._transport.post("/embed", embed_body(texts))
            return parse_embeddings(answer, count=len(texts), dimensions=self.dimensions)
        except Unavailable as error:
            raise EmbeddingUnavailable(str(error)) from error
        except (Refused, UnusableAnswer) as error:
            raise EmbeddingFailed(str(error)) from error


class _RecentVectors:
    """The vectors asked for last, by the whole text."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = Lock()
        self._vectors: OrderedDict[str, FloatVector] = OrderedDict()

    def get(self, text: str) -> FloatVector | None:
        with self._lock:
            vector = self._vectors.get(text)
            if vector is not None:
                self._vectors.move_to_end(text)
            return vector

    def put(self, text: str, vector: FloatVector) -> None:
        with self._lock:
            self._vectors[text] = vector
            self._vectors.move_to_end(text)
            while len(self._vectors) > self._limit:
                self._vectors.popitem(last=False)
