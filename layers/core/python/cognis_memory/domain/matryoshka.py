"""Matryoshka embeddings: a prefix of the vector, renormalised, is a vector of its own (arXiv 2205.13147).

Functions take one vector, shape (d,), or a matrix of rows, shape (n, d), and return float32 of like shape.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

FULL_COMPONENTS: Final = 768
CANDIDATE_COMPONENTS: Final = 256


def normalise(vectors: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """Scales each vector to unit length; a zero vector stays zero."""
    wide = vectors.astype(np.float64)  # squares of float32 overflow and vanish
    lengths = np.linalg.norm(wide, axis=-1, keepdims=True)
    unit: NDArray[np.float64] = wide / np.where(lengths > 0, lengths, 1.0)
    return unit.astype(np.float32)


def shorten(vectors: NDArray[np.floating[Any]], components: int = FULL_COMPONENTS) -> NDArray[np.float32]:
    """The first `components` of each vector, renormalised: 1,024 of a larger model to our 768.

    Raises ValueError when there are fewer.
    """
    if vectors.shape[-1] < components:
        raise ValueError(f"cannot take {components} components of {vectors.shape[-1]}")
    return normalise(vectors[..., :components])


def candidate_vectors(vectors: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """The first 256 components of each vector, renormalised: the vectors of the candidate stage."""
    return shorten(vectors, CANDIDATE_COMPONENTS)
