"""Vectors of texts seen before, so that reranking the same memories again need not encode them again."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_ENTRY_OVERHEAD = 400  # bytes of the objects around the arrays, roughly


@dataclass(frozen=True, slots=True)
class PackedVectors:
    """Unit vectors as int8, each row with its own scale: `codes` (n, d), `scales` (n,)."""

    codes: NDArray[np.int8]
    scales: NDArray[np.float32]

    @classmethod
    def pack(cls, vectors: NDArray[np.float32]) -> PackedVectors:
        """Normalises the rows of `vectors`, shape (n, d), and rounds them to 255 steps."""
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
        peaks = np.maximum(np.abs(unit).max(axis=1), np.finfo(np.float32).tiny)
        codes = np.rint(unit / peaks[:, None] * 127).astype(np.int8)
        return cls(codes, (peaks / 127).astype(np.float32))

    def unpack(self) -> NDArray[np.float32]:
        """Shape (n, d); each component within half a step of what was packed."""
        return np.asarray(self.codes * self.scales[:, None], dtype=np.float32)

    @property
    def nbytes(self) -> int:
        return self.codes.nbytes + self.scales.nbytes + _ENTRY_OVERHEAD


class VectorCache:
    """The texts used last, up to `max_bytes`. Keys are digests: no text is kept."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._entries: OrderedDict[bytes, PackedVectors] = OrderedDict()

    def get(self, kind: str, text: str) -> PackedVectors | None:
        """What was put under the same kind and the same whole text."""
        key = _key(kind, text)
        entry = self._entries.get(key)
        if entry is not None:
            self._entries.move_to_end(key)
        return entry

    def put(self, kind: str, text: str, entry: PackedVectors) -> None:
        """Keeps the entry, and lets go of the ones unused for longest until all fit."""
        key = _key(kind, text)
        replaced = self._entries.pop(key, None)
        self._bytes += entry.nbytes - (replaced.nbytes if replaced else 0)
        self._entries[key] = entry
        while self._bytes > self._max_bytes:
            _, dropped = self._entries.popitem(last=False)
            self._bytes -= dropped.nbytes

    def get_or_make(
        self, kind: str, texts: Sequence[str], make: Callable[[list[str]], list[PackedVectors]]
    ) -> list[PackedVectors]:
        """An entry for each text, in the order given; `make` is called once for all that are missing."""
        found = {text: entry for text in texts if (entry := self.get(kind, text)) is not None}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            made = dict(zip(missing, make(missing), strict=True))
            for text, entry in made.items():
                self.put(kind, text, entry)
            found |= made
        return [found[text] for text in texts]

    @property
    def nbytes(self) -> int:
        """Bytes held, at most `max_bytes`."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._entries)


def _key(kind: str, text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16, person=kind.encode()).digest()
