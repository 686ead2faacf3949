"""One shard file, opened: its documents in memory, its words and fields read from the file."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import apsw
import numpy as np
from numpy.typing import NDArray

from cognis_memory.adapters.shards.database import ShardDatabase
from cognis_memory.adapters.shards.keywords import FloatArray
from cognis_memory.adapters.shards.layout import COLUMNS
from cognis_memory.adapters.shards.masks import FilterMasks, Mask
from cognis_memory.adapters.shards.properties import Properties
from cognis_memory.adapters.shards.rows import HALF, MetadataRow, StoredRow, matrix_of
from cognis_memory.adapters.shards.sql import Entry, execute, execute_in, find_entries, find_tombstones
from cognis_memory.adapters.shards.vectors import VectorTable, best_slots, table_bytes
from cognis_memory.adapters.shards.words import Words
from cognis_memory.domain.matryoshka import FULL_COMPONENTS
from cognis_memory.models.document import Hit

_COUNT_SLOTS: Final = (
    f"SELECT coalesce(sum(length(rows)), 0) / {FULL_COMPONENTS * HALF.itemsize} FROM vectors"  # noqa: S608
)

_GET_REVISIONS: Final = "SELECT id, revision FROM documents"
_GET_ROWS: Final = f"SELECT slot, revision, digest, {', '.join(COLUMNS)} FROM documents WHERE id IN"  # noqa: S608
_GET_METADATA: Final = "SELECT slot, key, type, value, instant, is_list FROM metadata WHERE slot IN"

_BYTES_PER_DOCUMENT: Final = 600
_BYTES_PER_FILE: Final = 500_000
"""About what a segment takes in memory beside its vectors: ids, terms and masks, and connections."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """A segment's documents. By slot, shape (slots,): `ids`, and `lengths`, which are numbers of terms; None
    and 0 for free slots."""

    ids: NDArray[np.object_]
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
        self.words = Words(self._database, self.count)
        self._catalogue: Catalogue | None = None
        self._masks: FilterMasks | None = None
        self._vectors: VectorTable | None = None
        self._loading = threading.Lock()

    @property
    def memory_bytes(self) -> int:
        """An estimate of what the segment takes when everything in it is loaded."""
        return _BYTES_PER_FILE + _BYTES_PER_DOCUMENT * self.count + table_bytes(self.count)

    @property
    def catalogue(self) -> Catalogue:
        with self._loading:
            if self._catalogue is None:
                with self._database.connection() as connection:
                    self._catalogue = _read_catalogue(connection)
            return self._catalogue

    @property
    def masks(self) -> FilterMasks:
        slots = len(self.catalogue.lengths)
        with self._loading:
            if self._masks is None:
                self._masks = FilterMasks(self._database, slots)
            return self._masks

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
        return self._database.content()

    def entries(self, ids: Sequence[str]) -> dict[str, Entry]:
        with self._database.connection() as connection:
            return find_entries(connection, ids)

    def tombstones(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that were deleted."""
        with self._database.connection() as connection:
            return find_tombstones(connection, ids)

    def revisions(self) -> list[tuple[str, int]]:
        """Ids and revisions of the documents here."""
        with self._database.connection() as connection:
            return [(id_, revision) for id_, revision in execute(connection, _GET_REVISIONS)]

    def rows(self, ids: Sequence[str]) -> dict[str, StoredRow]:
        """Those of the ids that are here."""
        with self._database.connection() as connection:
            found = list(execute_in(connection, _GET_ROWS, ids))
            slots = [row[0] for row in found]
            metadata: defaultdict[int, set[MetadataRow]] = defaultdict(set)
            for slot, *values in execute_in(connection, _GET_METADATA, slots):
                metadata[slot].add(tuple(values))
        vectors = self.vectors.units(np.array(slots, np.int64))
        return {
            fields[0]: StoredRow(revision, tuple(fields), frozenset(metadata[slot]), digest, vector)
            for (slot, revision, digest, *fields), vector in zip(found, vectors, strict=True)
        }

    def mentioned_ids(self) -> list[str]:
        """Every document that is here or was deleted here: the older versions elsewhere no longer count."""
        with self._database.connection() as connection:
            rows = connection.execute("SELECT id FROM documents UNION ALL SELECT id FROM tombstones")
            return [id_ for (id_,) in rows]

    def best(self, scores: NDArray[np.floating[Any]], among: Mask, limit: int) -> list[Hit]:
        """The best of those documents by their scores, of shape (slots,)."""
        slots = best_slots(scores, among, limit)
        return list(map(Hit, self.catalogue.ids[slots].tolist(), scores[slots].tolist()))


def _read_catalogue(connection: apsw.Connection) -> Catalogue:
    rows = list(execute(connection, "SELECT slot, id, length FROM documents"))
    slots = {id_: slot for slot, id_, _ in rows}
    places = list(slots.values())
    total = connection.execute(_COUNT_SLOTS).get
    ids, lengths = np.full(total, None), np.zeros(total)
    ids[places] = list(slots)
    lengths[places] = [length for _, _, length in rows]
    return Catalogue(ids, slots, lengths)
