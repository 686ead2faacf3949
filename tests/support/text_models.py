"""Models behind a model server: deterministic, and honest about the words that texts share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from fakes import HashEmbedder, OverlapReranker
from numpy.typing import NDArray


class HashTextModels:
    """Vectors of 768 components by terms, log-odds by shared terms; words are tokens."""

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return HashEmbedder().embed(texts)

    def rerank(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return 8 * np.asarray(OverlapReranker().rerank(query, texts)) - 4
