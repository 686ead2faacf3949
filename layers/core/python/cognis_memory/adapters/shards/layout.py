"""The shard file: a SQLite database, sealed with a checksum.

A shard is an ordinary SQLite file that is written once and replaced whole, never changed in place. The field
`user_version` of its header, which SQLite leaves to applications, holds the CRC-32 of all other bytes; the
property `layout` names the tables, their columns and the tokenisation, and `owner` says whose it is. All
three are checked whenever a file is opened. One that fails counts as damaged, whatever it is, and is rebuilt
from the ledger: a file of a newer layout too, so that older code never misreads it.
"""

from __future__ import annotations

import zlib
from types import MappingProxyType
from typing import Final

from cognis_memory.domain.filters import FIELD_TYPES, FieldType
from cognis_memory.domain.text import TOKENISATION_VERSION
from cognis_memory.errors import CorruptData

COLUMNS: Final = tuple(FIELD_TYPES)
"""The fields of a document that filters can name, as columns of `documents`."""

CHUNK_ROWS: Final = 256
"""Vectors a row of `vectors`: one a row would waste a third of each page."""

_TYPES: Final = MappingProxyType(
    {FieldType.TEXT: "TEXT", FieldType.TIME: "INTEGER", FieldType.BOOLEAN: "INTEGER"}
)
_COLUMN_TYPES: Final = ", ".join(f"{name} {_TYPES[type_]}" for name, type_ in FIELD_TYPES.items())

TABLES: Final = f"""
CREATE TABLE properties (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE documents (
    slot INTEGER PRIMARY KEY, revision INTEGER NOT NULL, digest BLOB NOT NULL, length INTEGER NOT NULL,
    {_COLUMN_TYPES}, UNIQUE (id)
) STRICT;
CREATE TABLE metadata (
    key TEXT, type TEXT, value ANY, instant INTEGER, is_list INTEGER, slot INTEGER,
    PRIMARY KEY (key, type, value, is_list, slot)
) STRICT, WITHOUT ROWID;
CREATE TABLE tombstones (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE free_slots (slot INTEGER PRIMARY KEY) STRICT;
CREATE TABLE vectors (chunk INTEGER PRIMARY KEY, rows BLOB NOT NULL) STRICT;
CREATE VIRTUAL TABLE words USING fts5(text, context, content='', contentless_delete=1, tokenize='ascii');
"""
"""`slot` is a document's place in `vectors` and its rowid in `words`. `digest` is that of the indexed terms,
which are not kept otherwise, `length` their number. Times are microseconds since 1970. `words` takes terms
made already, joined by spaces: the ascii tokenizer parts them there and nowhere else."""

LAYOUT: Final = f"{zlib.crc32(TABLES.encode()):08x}/{TOKENISATION_VERSION}"
"""Differs between any two versions of tables and terms."""

_MAGIC: Final = b"SQLite format 3\0"
_CHECKSUM: Final = slice(60, 64)
_HEADER_BYTES: Final = 100


def seal(data: bytes) -> bytes:
    """The database file with its checksum in the header."""
    view = memoryview(data)
    return b"".join((view[: _CHECKSUM.start], _checksum(view).to_bytes(4), view[_CHECKSUM.stop :]))


def verify(data: memoryview) -> None:
    """Raises CorruptData unless these are the bytes of a sealed shard."""
    if len(data) < _HEADER_BYTES or bytes(data[: len(_MAGIC)]) != _MAGIC:
        raise CorruptData("the shard is not a database file")
    if _checksum(data) != int.from_bytes(data[_CHECKSUM]):
        raise CorruptData("the shard's checksum does not fit its content")


def _checksum(data: memoryview) -> int:
    before = zlib.crc32(data[: _CHECKSUM.start])
    return zlib.crc32(data[_CHECKSUM.stop :], before)
