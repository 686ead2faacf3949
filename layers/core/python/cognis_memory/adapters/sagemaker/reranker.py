"""The `Reranker` port on a SageMaker endpoint with TEI, such as BAAI/bge-reranker-v2-m3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cognis_memory.adapters.model_server import Transport
from cognis_memory.adapters.tei import TeiReranker

MAX_CLIENT_BATCH_SIZE: Final = 64
"""Texts of one request, as the endpoint is started with: all that a search has reranked go at once."""

MAX_CHARACTERS: Final = 2_000
"""Of the query and of each text. A cross-encoder's time grows with the length of what it reads, and what a
long message is about stands at its beginning; the endpoint itself cuts at its model's 8,192 tokens."""


class SageMakerReranker(TeiReranker):
    """Scores each text, cut to `max_characters`, by a cross-encoder: the sigmoid of its logit."""

    def __init__(
        self,
        transport: Transport,
        *,
        model_id: str,
        batch_size: int = MAX_CLIENT_BATCH_SIZE,
        max_characters: int = MAX_CHARACTERS,
    ) -> None:
        super().__init__(transport, model_id=model_id, batch_size=batch_size)
        self._max_characters = max_characters

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """As `ports.Reranker.rerank`. Raises RerankUnavailable for whatever hinders it."""
        limit = self._max_characters
        return super().rerank(query[:limit], [text[:limit] for text in texts])
