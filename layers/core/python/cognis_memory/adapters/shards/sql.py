"""Reading a shard's tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import apsw
import numpy as np
from numpy.typing import NDArray

from cognis_memory.errors import CorruptData

_MAX_PARAMETERS: Final = 500
"""Question marks a statement."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a shard holds a document, and which version of it."""

    slot: int
    revision: int
    digest: bytes


@contextmanager
def reading() -> Iterator[None]:
    """Turns what SQLite says of a damaged file into CorruptData."""
    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError, apsw.IOError) as error:
        raise CorruptData("the shard cannot be read") from error


def find_entries(connection: apsw.Connection, ids: Sequence[str]) -> dict[str, Entry]:
    """The entries of those ids that the shard holds."""
    rows = execute_in(connection, "SELECT id, slot, revision, digest FROM documents WHERE id IN", ids)
    return {id_: Entry(slot, revision, digest) for id_, slot, revision, digest in rows}


def find_tombstones(connection: apsw.Connection, ids: Sequence[str]) -> set[str]:
    """Those of the ids that were deleted."""
    return {id_ for (id_,) in execute_in(connection, "SELECT id FROM tombstones WHERE id IN", ids)}


def execute(connection: apsw.Connection, statement: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a statement without parameters."""
    return connection.execute(statement)


def execute_in(
    connection: apsw.Connection, statement: str, values: Sequence[str] | Sequence[int]
) -> Iterator[tuple[Any, ...]]:
    """Runs a statement that ends with IN for all values, in batches, and yields its rows."""
    for start in range(0, len(values), _MAX_PARAMETERS):
        batch = values[start : start + _MAX_PARAMETERS]
        yield from connection.execute(f"{statement} ({', '.join('?' * len(batch))})", batch)


def numbers_of(text: str | None) -> NDArray[np.int64]:
    """The integers of a `group_concat` with spaces: thousands are read faster as one text than as rows."""
    return np.fromstring(text or "", np.int64, sep=" ")
