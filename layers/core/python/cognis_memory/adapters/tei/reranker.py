"""The `Reranker` port over a model server."""

from __future__ import annotations

from collections.abc import Sequence

from cognis_memory.adapters.model_server import Refused, Transport, Unavailable, UnusableAnswer
from cognis_memory.adapters.tei.batches import batches
from cognis_memory.adapters.tei.payloads import parse_scores, rerank_body
from cognis_memory.errors import RerankUnavailable


class TeiReranker:
    """Sends texts in batches; a cross-encoder judges each pair by itself, so batches do not matter.

    `batch_size` must not exceed the server's `max_client_batch_size` (32 unless it was started otherwise).
    """

    def __init__(self, transport: Transport, *, model_id: str, batch_size: int = 32) -> None:
        self.model_id = model_id
        self._transport = transport
        self._batch_size = batch_size

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """As `ports.Reranker.rerank`. Whatever hinders it is RerankUnavailable: a search does without."""
        scores: list[float] = []
        for batch in batches(texts, self._batch_size):
            scores += self._request(query, batch)
        return scores

    def _request(self, query: str, texts: Sequence[str]) -> list[float]:
        try:
            answer = self._transport.post("/rerank", rerank_body(query, texts))
            return parse_scores(answer, count=len(texts))
        except (Unavailable, Refused, UnusableAnswer) as error:
            raise RerankUnavailable(str(error)) from error
