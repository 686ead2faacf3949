"""The connections to one shard file."""

from __future__ import annotations

import mmap
import os
import queue
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

import apsw

from cognis_memory.adapters.shards.comparisons import register_functions
from cognis_memory.adapters.shards.layout import verify
from cognis_memory.adapters.shards.sql import reading
from cognis_memory.errors import CorruptData

_CONNECTIONS: Final = 2
"""Vector and keyword search of one query read a shard at the same time."""


_VOCABULARY: Final = """
CREATE VIRTUAL TABLE temp.term_documents USING fts5vocab(main, words, row);
CREATE VIRTUAL TABLE temp.term_instances USING fts5vocab(main, words, instance);
"""


class ShardDatabase:
    """A shard file, verified and opened in place; threads share its connections, each used by one at a time.

    All connections are opened at once, as the file may be unlinked afterwards.
    """

    def __init__(self, path: Path) -> None:
        """Raises FileNotFoundError when the file is gone, and CorruptData when it is damaged."""
        _verify_file(path)
        self._idle: queue.LifoQueue[apsw.Connection] = queue.LifoQueue()
        for _ in range(_CONNECTIONS):
            self._idle.put(_open(path))

    @contextmanager
    def connection(self) -> Iterator[apsw.Connection]:
        """A connection for the time of a statement or two; raises CorruptData when the file is damaged."""
        connection = self._idle.get()
        try:
            with reading():
                yield connection
        finally:
            self._idle.put(connection)


def _verify_file(path: Path) -> None:
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:  # which cannot be mapped
            raise CorruptData("the shard is empty")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped, memoryview(mapped) as data:
            verify(data)


def _open(path: Path) -> apsw.Connection:
    # `immutable` spares locks and looks for a journal. The file is not mapped: that is hardly faster, and the
    # pages of vectors, which are read once, would stay resident.
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        with reading():
            connection = apsw.Connection(f"file:{quote(str(path))}?immutable=1", flags=flags)
            connection.execute(_VOCABULARY)
    except apsw.CantOpenError as error:
        raise FileNotFoundError(path) from error
    register_functions(connection)
    return connection
