"""The models with what is made of them: loaded once, when first needed, and used by one request at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from cognis_local.models.axes import load_axes
from cognis_local.models.embedder import InterleavedEmbedder
from cognis_local.models.minilm import MiniLM
from cognis_local.models.phrase_vectors import PhraseVectors
from cognis_local.models.reranker import MaxSimReranker
from cognis_local.models.token_vectors import TokenVectors
from cognis_local.models.universal import UniversalSentenceEncoder
from cognis_local.models.vector_cache import VectorCache

DEFAULT_CACHE_BYTES = 128_000_000


@dataclass(frozen=True, slots=True)
class Models:
    """The loaded models. Not for use from several threads at a time."""

    minilm: MiniLM
    universal: UniversalSentenceEncoder
    embedder: InterleavedEmbedder
    reranker: MaxSimReranker
    cache: VectorCache


def load_models(*, threads: int = 1, cache_bytes: int = DEFAULT_CACHE_BYTES) -> Models:
    """Loads both models side by side. Raises LocalModelsMissing.

    `threads` is how many model runs go side by side; `cache_bytes` bounds what is remembered for reranking.
    """
    with ThreadPoolExecutor(max_workers=1) as pool:
        loading = pool.submit(MiniLM, threads)
        universal = UniversalSentenceEncoder()
        minilm = loading.result()
    cache = VectorCache(cache_bytes)
    tokens = TokenVectors(minilm, cache)
    return Models(
        minilm=minilm,
        universal=universal,
        embedder=InterleavedEmbedder(tokens, universal, load_axes()),
        reranker=MaxSimReranker(tokens, PhraseVectors(universal, cache)),
        cache=cache,
    )


class Engine:
    """What the server calls. Safe to use from several threads; calls wait for each other."""

    def __init__(self, load: Callable[[], Models] = load_models) -> None:
        self._load = load
        self._lock = Lock()
        self._models: Models | None = None

    def warm_up(self) -> None:
        """Loads the models now. Raises LocalModelsMissing."""
        with self._lock:
            self._loaded()

    def count_tokens(self, text: str) -> int:
        """Length of the whole text for the model that cuts it first."""
        with self._lock:
            return self._loaded().minilm.count_tokens(text)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (n, 768), unit length."""
        with self._lock:
            return self._loaded().embedder.embed(texts)

    def rerank(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Log-odds that each text answers the query, shape (n,), in the order given."""
        with self._lock:
            return self._loaded().reranker.logits(query, texts)

    def _loaded(self) -> Models:
        if self._models is None:
            self._models = self._load()
        return self._models
