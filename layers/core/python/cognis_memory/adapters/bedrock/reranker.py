"""The `Reranker` port on Bedrock's Rerank, of models such as Cohere Rerank 3.5 and Amazon Rerank 1.0.

Shapes: RerankRequest and RerankResponse in botocore's `bedrock-agent-runtime/2023-07-26/service-2.json`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from cognis_memory.adapters.aws.errors import translated_model_errors
from cognis_memory.errors import RerankUnavailable

MAX_SOURCES: Final = 1_000
"""Of one request."""
MAX_CHARACTERS: Final = 32_000
"""Of the query and of each text, as the service takes them."""


class BedrockReranker:
    """One request for up to 1,000 texts; of a longer query or text the beginning counts."""

    def __init__(self, client: Any, model_arn: str, *, max_characters: int = MAX_CHARACTERS) -> None:
        """`client` is a `bedrock-agent-runtime` client; `model_arn` a foundation model's of its region."""
        self.model_id = f"bedrock/{model_arn.rpartition('/')[2]}"
        self._client = client
        self._model_arn = model_arn
        self._max_characters = max_characters

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """As `ports.Reranker.rerank`. What the service refuses is RerankUnavailable, too.

        Raises ConfigurationError where the model does not exist or the role may not call it.
        """
        scores: list[float] = []
        for start in range(0, len(texts), MAX_SOURCES):
            scores += self._scores(query, texts[start : start + MAX_SOURCES])
        return scores

    def _scores(self, query: str, texts: Sequence[str]) -> list[float]:
        request = {
            "queries": [{"type": "TEXT", "textQuery": {"text": self._cut(query)}}],
            "sources": [self._source(text) for text in texts],
            "rerankingConfiguration": {
                "type": "BEDROCK_RERANKING_MODEL",
                "bedrockRerankingConfiguration": {
                    "modelConfiguration": {"modelArn": self._model_arn},
                    "numberOfResults": len(texts),
                },
            },
        }
        results: list[dict[str, Any]] = []
        with translated_model_errors("Rerank", RerankUnavailable, RerankUnavailable):
            response = self._client.rerank(**request)
            results += response.get("results", [])
            while response.get("nextToken"):
                response = self._client.rerank(**request, nextToken=response["nextToken"])
                results += response.get("results", [])
        return _by_position(results, len(texts))

    def _source(self, text: str) -> dict[str, Any]:
        document = {"type": "TEXT", "textDocument": {"text": self._cut(text)}}
        return {"type": "INLINE", "inlineDocumentSource": document}

    def _cut(self, text: str) -> str:
        """A blank stands for a text without a character, which the service does not take."""
        return text[: self._max_characters] or " "


def _by_position(results: Sequence[dict[str, Any]], count: int) -> list[float]:
    """The scores by the texts' order in the request. Raises RerankUnavailable unless each has one, 0 to 1."""
    scores: dict[int, float] = {}
    for result in results:
        scores[result.get("index", -1)] = result.get("relevanceScore", -1.0)
    if scores.keys() != set(range(count)) or len(results) != count:
        raise RerankUnavailable(f"asked for scores of {count} texts, got {len(results)}")
    if not all(0.0 <= score <= 1.0 for score in scores.values()):
        raise RerankUnavailable("a score is not within 0 to 1")
    return [scores[index] for index in range(count)]
