"""Late interaction: each part of the query looks for its best match in a text (MaxSim, ColBERT,
arXiv 2004.12832), over vectors of models that were trained for sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cognis_local.models.phrase_vectors import PhraseVectors
from cognis_local.models.script import is_latin
from cognis_local.models.token_vectors import TokenVectors
from cognis_local.models.vector_cache import PackedVectors

_PHRASE_WEIGHT = 0.3


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic curve from a similarity to the log-odds that a text answers the query."""

    slope: float
    middle: float

    def logit(self, similarity: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.slope * (similarity - self.middle)


TOKEN_CALIBRATION = Calibration(slope=10.0, middle=0.49)
PHRASE_CALIBRATION = Calibration(slope=15.0, middle=0.32)
"""Fitted so that relevant and other texts among the first 50 weigh the same; see `docs/local-models.md`."""


class MaxSimReranker:
    """Reads a query and a text together, and judges each pair by itself.

    When both are in Latin script, tokens are compared: the mean over the query's words of the best cosine to
    a token of the text, each word weighed by the length of its vector, which is small for function words.
    Otherwise phrases are, with .3, beside the cosine of the whole texts with .7. Both were measured, see
    `docs/local-models.md`.
    """

    def __init__(self, tokens: TokenVectors, phrases: PhraseVectors) -> None:
        self._tokens = tokens
        self._phrases = phrases

    def logits(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """The log-odds that each text answers the query, shape (n,), in the order given."""
        by_token = np.array([is_latin(query) and is_latin(text) for text in texts], dtype=np.bool_)
        logits = np.empty(len(texts), dtype=np.float64)
        latin = [text for text, chosen in zip(texts, by_token, strict=True) if chosen]
        other = [text for text, chosen in zip(texts, by_token, strict=True) if not chosen]
        if latin:
            logits[by_token] = TOKEN_CALIBRATION.logit(self.token_similarity(query, latin))
        if other:
            logits[~by_token] = PHRASE_CALIBRATION.logit(self.phrase_similarity(query, other))
        return logits

    def token_similarity(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Weighted MaxSim over MiniLM's tokens, -1 to 1, shape (n,)."""
        encoded = self._tokens.query(query)
        words = encoded.words if encoded.words.any() else np.ones_like(encoded.words)
        vectors = encoded.vectors[words]
        lengths = np.linalg.norm(vectors, axis=1)
        return _maxsim(vectors / lengths[:, None], lengths / lengths.sum(), self._tokens.packed(texts))

    def phrase_similarity(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """MaxSim over phrases and the whole texts' cosine, weighed, -1 to 1, shape (n,)."""
        packed = self._phrases.packed([query, *texts])
        asked, documents = packed[0].unpack(), packed[1:]
        parts = asked[1:]
        uniform = np.full(len(parts), 1 / len(parts))
        best = _maxsim(parts, uniform, [PackedVectors(d.codes[1:], d.scales[1:]) for d in documents])
        whole = np.array([float(asked[0] @ d.codes[0]) * float(d.scales[0]) for d in documents])
        return _PHRASE_WEIGHT * best + (1 - _PHRASE_WEIGHT) * whole


def _maxsim(
    query: NDArray[np.float32], weights: NDArray[np.floating], documents: Sequence[PackedVectors]
) -> NDArray[np.float64]:
    """Σ weights · (best cosine within each document): (m, d), (m,), n documents → (n,)."""
    starts = np.cumsum([0, *(len(document.codes) for document in documents[:-1])])
    rows = np.concatenate([document.codes for document in documents]).astype(np.float32)
    scales = np.concatenate([document.scales for document in documents])
    cosines = (query @ rows.T) * scales
    return np.asarray(weights @ np.maximum.reduceat(cosines, starts, axis=1), dtype=np.float64)
