"""The axes along which both models' vectors are told, the most telling first.

A model's own components all say about equally much, so that the first third of them says a third. Turned
onto the principal axes of the model's vectors, the first third says most. The axes come from the vectors of
all entries of each model's vocabulary, so from the model alone; `bench/embedding_axes.py` makes the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

AXES_FILE = "axes.npz"


@dataclass(frozen=True, slots=True)
class Axes:
    """Columns are axes, orthonormal: `minilm` (384, 384) turns, `universal` (512, 384) turns and cuts."""

    minilm: NDArray[np.float32]
    universal: NDArray[np.float32]


def load_axes() -> Axes:
    """The axes of the installed models' versions."""
    with (
        files(__package__).joinpath(AXES_FILE).open("rb") as file,
        np.load(file, allow_pickle=False) as arrays,
    ):
        return Axes(arrays["minilm"].astype(np.float32), arrays["universal"].astype(np.float32))


def principal_axes(vectors: NDArray[np.float32], count: int) -> NDArray[np.float64]:
    """The directions in which `vectors` (n, d) vary most, in falling order, as columns (d, count).

    The sign of each is chosen so that its largest entry is positive.
    """
    centred = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    _, directions = np.linalg.eigh(centred.T @ centred)
    axes = directions[:, ::-1][:, :count]
    return np.asarray(axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(count)]))
