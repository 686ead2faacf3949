"""The JSON of Text Embeddings Inference, apart from how it travels."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cognis_memory.adapters.model_server import UnusableAnswer


def embed_body(texts: Sequence[str]) -> bytes:
    """The request for one vector a text; the server cuts texts beyond its model's length."""
    return _encode({"inputs": [_valid(text) for text in texts], "normalize": True, "truncate": True})


def parse_embeddings(answer: bytes, *, count: int, dimensions: int) -> NDArray[np.float32]:
    """Shape (count, dimensions), unit length, in the order of the request.

    Longer vectors are cut to `dimensions` and normalised again. Raises UnusableAnswer.
    """
    try:
        vectors = np.asarray(json.loads(answer), dtype=np.float32)
    except (ValueError, TypeError) as error:
        raise UnusableAnswer("the answer is not a list of vectors of one length") from error
    if vectors.ndim != 2 or len(vectors) != count or vectors.shape[1] < dimensions:
        raise UnusableAnswer(f"asked for {count} vectors of {dimensions}, got the shape {vectors.shape}")
    vectors = vectors[:, :dimensions]
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and lengths.all()):
        raise UnusableAnswer("a vector has no direction")
    return np.asarray(vectors / lengths, dtype=np.float32)


def rerank_body(query: str, texts: Sequence[str]) -> bytes:
    """The request for one score, 0 to 1, a text."""
    texts = [_valid(text) for text in texts]
    return _encode({"query": _valid(query), "texts": texts, "raw_scores": False, "truncate": True})


def parse_scores(answer: bytes, *, count: int) -> list[float]:
    """Scores by the texts' order in the request, whatever order the answer has. Raises UnusableAnswer."""
    try:
        scores = {int(rank["index"]): float(rank["score"]) for rank in json.loads(answer)}
    except (ValueError, TypeError, KeyError) as error:
        raise UnusableAnswer("the answer is not a list of index and score") from error
    if sorted(scores) != list(range(count)):
        raise UnusableAnswer(f"asked for scores of {count} texts, got {len(scores)}")
    if not all(0.0 <= score <= 1.0 for score in scores.values()):
        raise UnusableAnswer("a score is not within 0 to 1")
    return [scores[index] for index in range(count)]


def _encode(payload: dict[str, object]) -> bytes:
    return json.dumps(payload, ensure_ascii=False).encode()


def _valid(text: str) -> str:
    """The text with lone surrogates, which no JSON parser of another language takes, made U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
