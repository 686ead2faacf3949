"""A shard in memory, to be changed and written whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Final

import apsw
import numpy as np

from cognis_memory.adapters.shards.layout import CHUNK_ROWS, COLUMNS, TABLES, seal
from cognis_memory.adapters.shards.properties import Properties
from cognis_memory.adapters.shards.rows import HALF, HalfVector, MetadataRow, Row, matrix_of
from cognis_memory.adapters.shards.sql import (
    Entry,
    execute,
    execute_in,
    find_entries,
    find_tombstones,
    reading,
)
from cognis_memory.domain.matryoshka import FULL_COMPONENTS

_PUT_DOCUMENT: Final = f"""
    INSERT OR REPLACE INTO documents (slot, revision, digest, length, {", ".join(COLUMNS)})
    VALUES (?, ?, ?, ?{", ?" * len(COLUMNS)})
"""  # noqa: S608
_GET_DOCUMENTS: Final = f"SELECT slot, revision, {', '.join(COLUMNS)} FROM documents ORDER BY slot"  # noqa: S608
_NEXT_SLOT: Final = """
    SELECT 1 + coalesce(max(slot), -1) FROM (SELECT slot FROM documents UNION ALL SELECT slot FROM free_slots)
"""


class Draft:
    """Holds a shard's database; `put` and `bury` change it, `to_bytes` makes the file."""

    def __init__(self, connection: apsw.Connection, properties: Properties) -> None:
        self._connection = connection
        self._connection.execute("PRAGMA secure_delete = ON")  # zeros over what is deleted
        self._outdated_words = False
        self.properties = properties

    @classmethod
    def empty(cls, properties: Properties) -> Draft:
        connection = apsw.Connection(":memory:")
        connection.execute(TABLES)
        return cls(connection, properties)

    @classmethod
    def load(cls, data: bytes, properties: Properties) -> Draft:
        """A copy of an open shard."""
        connection = apsw.Connection(":memory:")
        with reading():
            connection.deserialize("main", data)
        return cls(connection, properties)

    @property
    def document_count(self) -> int:
        return self._total("documents")

    @property
    def change_count(self) -> int:
        """How many documents of a base this shard, as its head, puts or deletes."""
        return self.document_count + self._total("tombstones")

    def entries(self, ids: Sequence[str]) -> dict[str, Entry]:
        return find_entries(self._connection, ids)

    def tombstones(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that were deleted."""
        return find_tombstones(self._connection, ids)

    def all_tombstones(self) -> list[str]:
        return [id_ for (id_,) in self._connection.execute("SELECT id FROM tombstones")]

    def bury(self, ids: Sequence[str]) -> None:
        """Removes the documents, what they consist of included, and remembers that they were deleted."""
        with self._connection:
            slots = [entry.slot for entry in self.entries(ids).values()]
            self._remove_metadata(slots)
            for table, column in (("documents", "slot"), ("words", "rowid")):
                self._connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", [(s,) for s in slots])  # noqa: S608
            self._write_vectors({slot: np.zeros(FULL_COMPONENTS, HALF) for slot in slots})
            self._connection.executemany("INSERT INTO free_slots VALUES (?)", [(slot,) for slot in slots])
            self._connection.executemany("INSERT OR IGNORE INTO tombstones VALUES (?)", [(i,) for i in ids])
        self._outdated_words |= bool(slots)

    def put(self, rows: Sequence[Row]) -> None:
        """Adds the documents, or puts them in place of those with their ids. Each id may occur once."""
        with self._connection:
            entries = self.entries([row.id for row in rows])
            self._remove_metadata([entry.slot for entry in entries.values()])
            free = self._free_slots(len(rows) - len(entries))
            placed = {entries[row.id].slot if row.id in entries else next(free): row for row in rows}
            self._connection.executemany(
                _PUT_DOCUMENT,
                [(slot, row.revision, row.digest, row.length, *row.fields) for slot, row in placed.items()],
            )
            self._connection.executemany(
                "INSERT OR IGNORE INTO metadata VALUES (?, ?, ?, ?, ?, ?)",
                [(*values, slot) for slot, row in placed.items() for values in row.metadata],
            )
            self._write_words(placed, entries)
            self._write_vectors({slot: row.vector for slot, row in placed.items()})

    def rows(self) -> Iterator[Row]:
        """Every document, its terms read back from the index."""
        terms, metadata = self._terms(), self._metadata()
        chunks = execute(self._connection, "SELECT chunk, rows FROM vectors")
        vectors = {chunk: matrix_of(rows) for chunk, rows in chunks}
        for slot, revision, *fields in list(execute(self._connection, _GET_DOCUMENTS)):
            chunk, place = divmod(slot, CHUNK_ROWS)
            text, context = (" ".join(terms[slot, column]) for column in ("text", "context"))
            yield Row(
                revision=revision,
                fields=tuple(fields),
                metadata=tuple(metadata[slot]),
                text=text,
                context=context,
                vector=vectors[chunk][place],
            )

    def to_bytes(self, commit: str) -> bytes:
        """The file of this state, marked with the writer's own id; no trace of what was removed is in it."""
        self.properties = replace(self.properties, commit=commit)
        with self._connection:
            self.properties.write(self._connection)
            if self._outdated_words:  # which lie in the index until all of its parts are merged
                self._connection.execute("INSERT INTO words (words) VALUES ('optimize')")
        return seal(self._connection.serialize("main"))

    def _total(self, table: str) -> int:
        return int(self._connection.execute(f"SELECT count(*) FROM {table}").get)  # noqa: S608

    def _free_slots(self, needed: int) -> Iterator[int]:
        """Slots for that many documents: those of deleted ones first, then at the end."""
        end = self._connection.execute(_NEXT_SLOT).get
        free = self._connection.execute("SELECT slot FROM free_slots LIMIT ?", (needed,)).fetchall()
        self._connection.executemany("DELETE FROM free_slots WHERE slot = ?", free)
        return chain((slot for (slot,) in free), count(end))

    def _remove_metadata(self, slots: Sequence[int]) -> None:
        # One pass over the table for all slots, as they are the last part of its key.
        list(execute_in(self._connection, "DELETE FROM metadata WHERE slot IN", slots))

    def _write_words(self, placed: Mapping[int, Row], entries: Mapping[str, Entry]) -> None:
        changed = {
            slot: row
            for slot, row in placed.items()
            if row.id not in entries or entries[row.id].digest != row.digest
        }
        self._outdated_words |= any(row.id in entries for row in changed.values())
        self._connection.executemany(
            "INSERT OR REPLACE INTO words (rowid, text, context) VALUES (?, ?, ?)",
            [(slot, row.text, row.context) for slot, row in changed.items()],
        )

    def _write_vectors(self, vectors: Mapping[int, HalfVector]) -> None:
        chunks: defaultdict[int, dict[int, HalfVector]] = defaultdict(dict)
        for slot, vector in vectors.items():
            chunks[slot // CHUNK_ROWS][slot % CHUNK_ROWS] = vector
        for chunk, placed in chunks.items():
            stored = matrix_of(
                self._connection.execute("SELECT rows FROM vectors WHERE chunk = ?", (chunk,)).get or b""
            )
            rows = np.zeros((max(len(stored), max(placed) + 1), FULL_COMPONENTS), HALF)
            rows[: len(stored)] = stored
            rows[list(placed)] = list(placed.values())
            self._connection.execute("INSERT OR REPLACE INTO vectors VALUES (?, ?)", (chunk, rows.tobytes()))

    def _terms(self) -> defaultdict[tuple[int, str], list[str]]:
        """The indexed terms of each slot and column, in order."""
        self._connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.term_instances USING fts5vocab(main, words, instance)"
        )
        instances = execute(
            self._connection, "SELECT doc, col, term FROM term_instances ORDER BY doc, col, offset"
        )
        terms: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
        for slot, column, term in instances:
            terms[slot, column].append(term)
        return terms

    def _metadata(self) -> defaultdict[int, list[MetadataRow]]:
        metadata: defaultdict[int, list[MetadataRow]] = defaultdict(list)
        for *values, slot in execute(self._connection, "SELECT * FROM metadata"):
            metadata[slot].append(tuple(values))
        return metadata
