"""The local embedder: two models' components interleaved into one vector.

For unit vectors a, b and a weight w, the vector (√w·a, √(1−w)·b) has unit length, and the dot product of two
such vectors is the weighted sum of both models' cosines. Interleaving the components, a₀ b₀ a₁ b₁ …, each
model's most telling first (see `axes`), lets any even prefix carry both models, so that the first 256
components stand on their own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cognis_local.models.axes import Axes
from cognis_local.models.identity import DIMENSIONS
from cognis_local.models.minilm import sentence_vectors
from cognis_local.models.script import other_script_share
from cognis_local.models.token_vectors import TokenVectors
from cognis_local.models.universal import UniversalSentenceEncoder

_MINILM_WEIGHT_LATIN = 0.8
_MINILM_WEIGHT_OTHER = 0.2


class InterleavedEmbedder:
    """All 384 components of MiniLM and 384 of the Universal Sentence Encoder's 512, each half normalised.

    MiniLM, the better one in English, weighs .8 in a text in Latin script and .2 in another, where it knows
    little, and in between for mixed texts. Both weights were measured, see `docs/local-models.md`.
    """

    def __init__(self, tokens: TokenVectors, universal: UniversalSentenceEncoder, axes: Axes) -> None:
        self._tokens = tokens
        self._universal = universal
        self._axes = axes

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (n, 768), unit length. A text's vector depends on that text alone, to about 1e-6."""
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        minilm = _unit(sentence_vectors(self._tokens.encode(texts)) @ self._axes.minilm)
        universal = _unit(self._universal.encode(texts) @ self._axes.universal)
        return interleave(minilm, universal, np.array([minilm_weight(text) for text in texts]))


def minilm_weight(text: str) -> float:
    """MiniLM's share of a text's cosine, .2 to .8; the encoder's is the rest."""
    share = other_script_share(text)
    return _MINILM_WEIGHT_LATIN + share * (_MINILM_WEIGHT_OTHER - _MINILM_WEIGHT_LATIN)


def interleave(
    first: NDArray[np.float32], second: NDArray[np.float32], weights: NDArray[np.float64]
) -> NDArray[np.float32]:
    """(√w·first, √(1−w)·second), component by component in turn: (n, d), (n, d), (n,) → (n, 2d)."""
    vectors = np.empty((len(first), 2 * first.shape[1]), dtype=np.float32)
    vectors[:, 0::2] = first * np.sqrt(weights)[:, None]
    vectors[:, 1::2] = second * np.sqrt(1.0 - weights)[:, None]
    return vectors


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)
