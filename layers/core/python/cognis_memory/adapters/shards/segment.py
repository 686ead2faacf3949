"""One shard file, opened: its documents in memory, its words and fields read from the file."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import apsw
import numpy as np
from numpy.typing import NDArray

from cognis_memory.adapters.shards.conditions import TRUE, Condition
from cognis_memory.adapters.shards.database import ShardDatabase
from cognis_memory.adapters.shards.keywords import FloatArray, Postings, document_frequency, read_postings
from cognis_memory.adapters.shards.properties import Properties
from cognis_memory.adapters.shards.rows import HALF, matrix_of
from cognis_memory.adapters.shards.sql import Entry, execute, find_entries, find_tombstones
from cognis_memory.adapters.shards.vectors import SlotArray, VectorTable, best_slots
from cognis_memory.domain.matryoshka import FULL_COMPONENTS
from cognis_memory.models.document import Hit

_WINDOW: Final = 2
"""Times the limit: so many of the best documents are tried against a filter before all of them are."""

_COUNT_SLOTS: Final = (
    f"SELECT coalesce(sum(length(rows)), 0) / {FULL_COMPONENTS * HALF.itemsize} FROM vectors"  # noqa: S608
)

_AMONG: Final = "carray(?) AS best CROSS JOIN documents ON documents.slot = best.value"

_CACHED_FREQUENCIES: Final = 10_000

_BYTES_PER_DOCUMENT: Final = 3_000
_BYTES_PER_FILE: Final = 500_000
"""About what a segment takes in memory: vectors, ids and connections."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """A segment's documents. `lengths` are numbers of terms by slot, free ones included: shape (slots,)."""

    ids: dict[int, str]
    slots: dict[str, int]
    lengths: FloatArray


class Segment:
    """An open shard file. Threads may read it at the same time; what lies in memory is read at first need."""

    def __init__(self, path: Path, owner: str) -> None:
        """Raises FileNotFoundError when the file is gone, CorruptData when it is damaged or another's."""
        self._database = ShardDatabase(path)
        with self._database.connection() as connection:
            self.properties = Properties.read(connection, owner)
            self.count: int = connection.execute("SELECT count(*) FROM documents").get
        self._catalogue: Catalogue | None = None
        self._vectors: VectorTable | None = None
        self._loading = threading.Lock()
        self._frequencies: dict[str, int] = {}

    @property
    def memory_bytes(self) -> int:
        """An estimate of what the segment takes when everything in it is loaded."""
        return _BYTES_PER_FILE + _BYTES_PER_DOCUMENT * self.count

    @property
    def catalogue(self) -> Catalogue:
        with self._loading:
            if self._catalogue is None:
                with self._database.connection() as connection:
                    self._catalogue = _read_catalogue(connection)
            return self._catalogue

    @property
    def vectors(self) -> VectorTable:
        with self._loading:
            if self._vectors is None:
                with self._database.connection() as connection:
                    chunks = execute(connection, "SELECT rows FROM vectors ORDER BY chunk")
                    self._vectors = VectorTable([matrix_of(rows) for (rows,) in chunks])
            return self._vectors

    def to_bytes(self) -> bytes:
        """The file as it is."""
        with self._database.connection() as connection:
            return connection.serialize("main")

    def entries(self, ids: Sequence[str]) -> dict[str, Entry]:
        with self._database.connection() as connection:
            return find_entries(connection, ids)

    def tombstones(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that were deleted."""
        with self._database.connection() as connection:
            return find_tombstones(connection, ids)

    def mentioned_ids(self) -> list[str]:
        """Every document that is here or was deleted here: the older versions elsewhere no longer count."""
        with self._database.connection() as connection:
            rows = connection.execute("SELECT id FROM documents UNION ALL SELECT id FROM tombstones")
            return [id_ for (id_,) in rows]

    def postings(self, terms: Sequence[str], context_weight: float) -> Postings:
        with self._database.connection() as connection:
            return read_postings(connection, terms, context_weight)

    def frequency(self, term: str) -> int:
        """How many documents have the term."""
        frequency = self._frequencies.get(term)
        if frequency is None:
            with self._database.connection() as connection:
                frequency = document_frequency(connection, term)
            if len(self._frequencies) >= _CACHED_FREQUENCIES:
                self._frequencies.clear()
            self._frequencies[term] = frequency
        return frequency

    def best(self, scores: NDArray[np.floating[Any]], condition: Condition, limit: int) -> list[Hit]:
        """The best documents that meet the condition, however few those are.

        `scores`, of shape (slots,), is minus infinity for slots that are not to be found.
        """
        best = best_slots(scores, limit if condition == TRUE else _WINDOW * limit)
        if condition != TRUE and len(best):
            best = self._meeting(condition, scores, best, limit)
        return list(map(Hit, map(self.catalogue.ids.__getitem__, best.tolist()), scores[best].tolist()))

    def _meeting(
        self, condition: Condition, scores: NDArray[np.floating[Any]], best: SlotArray, limit: int
    ) -> SlotArray:
        with self._database.connection() as connection:
            slots = _slots_meeting(connection, condition, best)
            if len(slots) < limit and len(best) == _WINDOW * limit:
                slots = _slots_meeting(connection, condition)
        return slots[best_slots(scores[slots], limit)]


def _read_catalogue(connection: apsw.Connection) -> Catalogue:
    rows = list(execute(connection, "SELECT slot, id, length FROM documents"))
    ids = {slot: id_ for slot, id_, _ in rows}
    lengths = np.zeros(connection.execute(_COUNT_SLOTS).get)
    lengths[list(ids)] = [length for _, _, length in rows]
    return Catalogue(ids, {id_: slot for slot, id_ in ids.items()}, lengths)


def _slots_meeting(
    connection: apsw.Connection, condition: Condition, among: SlotArray | None = None
) -> SlotArray:
    """The slots of the documents that meet the condition, all or of those given."""
    source, array = ("documents", ()) if among is None else (_AMONG, (apsw.carray(among),))
    # Thousands of numbers are read faster as one text than as rows.
    slots = connection.execute(
        f"SELECT group_concat(documents.slot, ' ') FROM {source} WHERE {condition.sql}",  # noqa: S608
        (*array, *condition.parameters),
    ).get
    return np.fromstring(slots or "", np.int64, sep=" ")
