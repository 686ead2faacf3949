"""The 768 components of a vector as OpenSearch stores and returns them: integers of 12 bits.

The cosine asks for a direction only, so each vector is scaled to its own largest component. The error that is
left, some .00002 in a cosine, keeps the nearest documents in place. A binary field travels as base64, of
which one character is 6 bits: a component is two characters, and a look-up in one table decodes it. Float16
would take a third more bytes and six times as long to decode, and that is most of a search's work in the
client.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from cognis_memory.domain.matryoshka import FULL_COMPONENTS
from cognis_memory.models.values import FloatMatrix, FloatVector

_ALPHABET: Final = np.frombuffer(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", dtype=np.uint8
)
"""Of base64 (RFC 4648): the character of each value of 6 bits."""

_LARGEST: Final = 2_047
_ZERO: Final = 2_048
"""What stands for a component of 0; so all 12 bits are of positive integers."""


def encode(vector: FloatVector) -> str:
    """A vector of shape (768,) in base64."""
    largest = float(np.abs(vector).max())
    direction = vector / largest if largest else vector
    integers = np.rint(direction * _LARGEST).astype(np.int16) + _ZERO
    characters: bytes = _ALPHABET[np.stack([integers >> 6, integers & 63], axis=-1)].tobytes()
    return characters.decode("ascii")


def decode(encoded: Sequence[str]) -> FloatMatrix:
    """The rows, shape (n, 768), each of its vector's direction and of any length."""
    pairs = np.frombuffer("".join(encoded).encode("ascii"), dtype="<u2")
    # Every pair is within the table; "wrap" is the way that takes no checks.
    rows: FloatMatrix = _COMPONENTS.take(pairs, mode="wrap").reshape(-1, FULL_COMPONENTS)
    return rows


def _component_table() -> FloatVector:
    """The component of every two characters, read as a little-endian integer of 16 bits."""
    table = np.zeros((256, 256), dtype=np.float32)  # by the second character, then by the first
    values = np.arange(64 * 64, dtype=np.float32).reshape(64, 64) - _ZERO
    table[np.ix_(_ALPHABET, _ALPHABET)] = values.T
    return table.ravel()


_COMPONENTS: Final = _component_table()
