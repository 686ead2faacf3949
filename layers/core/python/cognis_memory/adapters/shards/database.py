"""The connections to one shard file."""

from __future__ import annotations

import mmap
import os
import queue
import weakref
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
        self._file = os.open(path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)
        _verify_file(self._file)
        self._idle: queue.LifoQueue[apsw.Connection] = queue.LifoQueue()
        for _ in range(_CONNECTIONS):
            self._idle.put(_open(path))

    def content(self) -> bytes:
        """The file as it is."""
        return os.pread(self._file, os.fstat(self._file).st_size, 0)

    @contextmanager
    def connection(self) -> Iterator[apsw.Connection]:
        """A connection for the time of a statement or two; raises CorruptData when the file is damaged."""
        connection = self._idle.get()
        try:
            with reading():
                yield connection
        finally:
            self._idle.put(connection)


def _verify_file(file: int) -> None:
    if os.fstat(file).st_size == 0:  # which cannot be mapped
        raise CorruptData("the shard is empty")
    with mmap.mmap(file, 0, access=mmap.ACCESS_READ) as mapped, memoryview(mapped) as data:
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
