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

from cognis_memory.adapters.shards.conditions import register_functions
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
        self.size = _verified_size(path)
        self._idle: queue.LifoQueue[apsw.Connection] = queue.LifoQueue()
        for _ in range(_CONNECTIONS):
            self._idle.put(_open(path, self.size))

    @contextmanager
    def connection(self) -> Iterator[apsw.Connection]:
        """A connection for the time of a statement or two; raises CorruptData when the file is damaged."""
        connection = self._idle.get()
        try:
            with reading():
                yield connection
        finally:
            self._idle.put(connection)


def _verified_size(path: Path) -> int:
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        if size == 0:  # which cannot be mapped
            raise CorruptData("the shard is empty")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped, memoryview(mapped) as data:
            verify(data)
        return size


def _open(path: Path, size: int) -> apsw.Connection:
    # `immutable` spares locks and looks for a journal; the mapped file spares copies of its pages.
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        with reading():
            connection = apsw.Connection(f"file:{quote(str(path))}?immutable=1", flags=flags)
            connection.execute(f"PRAGMA mmap_size = {size}")
            connection.execute(_VOCABULARY)
    except apsw.CantOpenError as error:
        raise FileNotFoundError(path) from error
    register_functions(connection)
    return connection
