"""MiniLM's token vectors of texts, remembered for the reranker."""

from __future__ import annotations

from collections.abc import Sequence

from cognis_local.models.minilm import EncodedTokens, MiniLM
from cognis_local.models.script import is_latin
from cognis_local.models.vector_cache import PackedVectors, VectorCache

_KIND = "tokens"


class TokenVectors:
    """Encodes texts with MiniLM. What was encoded for its embedding is in the cache when it is reranked."""

    def __init__(self, model: MiniLM, cache: VectorCache) -> None:
        self._model = model
        self._cache = cache
        self._single: tuple[str, EncodedTokens] | None = None

    def encode(self, texts: Sequence[str]) -> list[EncodedTokens]:
        """Every text's vectors afresh; the cache keeps those that token matching would use."""
        encoded = self._model.encode(texts)
        if len(texts) == 1:
            self._single = (texts[0], encoded[0])
        for text, tokens in zip(texts, encoded, strict=True):
            if is_latin(text):
                self._cache.put(_KIND, text, _pack(tokens))
        return encoded

    def query(self, text: str) -> EncodedTokens:
        """One text's vectors; those of the last text encoded alone are still there, since a query is
        embedded before it is reranked with."""
        if self._single is None or self._single[0] != text:
            self._single = (text, self._model.encode([text])[0])
        return self._single[1]

    def packed(self, texts: Sequence[str]) -> list[PackedVectors]:
        """Every text's vectors without the marks of its begin and end, from the cache where it has them."""
        return self._cache.get_or_make(
            _KIND, texts, lambda missing: [_pack(tokens) for tokens in self._model.encode(missing)]
        )


def _pack(tokens: EncodedTokens) -> PackedVectors:
    inner = tokens.vectors[1:-1]
    return PackedVectors.pack(inner if len(inner) else tokens.vectors)
