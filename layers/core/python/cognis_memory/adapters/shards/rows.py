"""A document as a shard stores it."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cognis_memory.adapters.shards.layout import COLUMNS
from cognis_memory.domain.matryoshka import FULL_COMPONENTS, normalise
from cognis_memory.domain.text import index_terms, storable_text
from cognis_memory.domain.times import instant_of, microseconds
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import FloatVector, Metadata, MetadataScalar

HALF: Final = np.dtype("<f2")
"""How vectors are stored: half precision keeps the nearest documents in place, eight-bit integers do not."""

HalfVector = NDArray[np.float16]
"""Shape (768,)."""

HalfMatrix = NDArray[np.float16]
"""Shape (n, 768)."""

Field = str | int | None
MetadataRow = tuple[str, str, str | int | float, int | None, int]
"""Key, type of the value, value, its instant where it is a text that names one, whether it was in a list."""

_INTEGERS: Final = range(-(2**63), 2**63)

_HALF_STEP: Final = 1e-4
"""Below the steps of half precision between the larger components of a unit vector."""


@dataclass(frozen=True, slots=True)
class Row:
    """One document; `fields` in the order of COLUMNS, `text` and `context` as terms joined by spaces."""

    revision: int
    fields: tuple[Field, ...]
    metadata: tuple[MetadataRow, ...]
    text: str
    context: str
    vector: HalfVector

    @property
    def id(self) -> str:
        return str(self.fields[0])

    @property
    def length(self) -> int:
        """The number of terms."""
        return len(self.text.split()) + len(self.context.split())

    @property
    def digest(self) -> bytes:
        """Tells whether two rows have the same indexed terms."""
        return hashlib.blake2b(f"{self.text}\n{self.context}".encode(), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class StoredRow:
    """What can be read of a document: `digest` stands for its terms, the vector has unit length."""

    revision: int
    fields: tuple[Field, ...]
    metadata: frozenset[MetadataRow]
    digest: bytes
    vector: FloatVector

    def holds(self, row: Row) -> bool:
        """Whether it was written from such a row."""
        same = (
            self.revision == row.revision
            and self.fields == row.fields
            and self.metadata == frozenset(row.metadata)
            and self.digest == row.digest
        )
        unit = normalise(row.vector.astype(np.float32))
        return same and bool(np.allclose(self.vector, unit, atol=_HALF_STEP))


def row_of(document: IndexDocument) -> Row:
    """Raises ValueError for a vector of another shape than (768,) or with components that are not finite."""
    vector = np.asarray(document.vector, dtype=HALF)
    if vector.shape != (FULL_COMPONENTS,) or not np.isfinite(vector).all():
        raise ValueError(f"a vector has {FULL_COMPONENTS} finite components")
    return Row(
        revision=document.revision,
        fields=tuple(_field(getattr(document, name)) for name in COLUMNS),
        metadata=tuple(_metadata_rows(document.metadata)),
        text=" ".join(index_terms(document.text)),
        context=" ".join(index_terms(document.context)),
        vector=vector,
    )


def matrix_of(data: bytes) -> HalfMatrix:
    """The vectors of a chunk, without copying."""
    return np.frombuffer(data, HALF).reshape(-1, FULL_COMPONENTS)


def storable_number(number: float) -> int | float:
    """The number as SQLite holds it: integers of 64 bits, others by their nearest float."""
    if isinstance(number, int) and number not in _INTEGERS:
        try:
            return float(number)
        except OverflowError:
            return math.inf if number > 0 else -math.inf
    return number


def _field(value: str | bool | datetime | None) -> Field:
    match value:
        case datetime():
            return microseconds(value)
        case str():
            return storable_text(value)
        case bool():
            return int(value)
        case None:
            return None


def _metadata_rows(metadata: Metadata) -> list[MetadataRow]:
    return [
        _metadata_row(key, element, is_list=isinstance(value, list))
        for key, value in metadata.items()
        for element in (value if isinstance(value, list) else [value])
    ]


def _metadata_row(key: str, value: MetadataScalar, *, is_list: bool) -> MetadataRow:
    key = storable_text(key)
    if isinstance(value, bool):
        return key, "boolean", int(value), None, int(is_list)
    if isinstance(value, str):
        return key, "text", storable_text(value), instant_of(value), int(is_list)
    if math.isnan(value):
        return key, "not a number", 0, None, int(is_list)
    return key, "number", storable_number(value), None, int(is_list)
