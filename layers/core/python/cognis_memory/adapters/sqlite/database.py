"""One SQLite file shared by threads and processes: connections, transactions and errors."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cognis_memory.adapters.sqlite.schema import STEPS
from cognis_memory.errors import CorruptData, LedgerUnavailable, PermanentError

_BUSY_SECONDS = 15.0
_WAL_RETRY_SECONDS = 0.02
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_CORRUPT = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class Database:
    """Hands out transactions, each on a connection of its own, so that readers never wait.

    Write-ahead log: one writer and any number of readers at a time, over threads and processes of one
    machine (not over a network file system). `synchronous=FULL`: a commit that has returned survives a
    power cut as well as `kill -9`. NORMAL would survive the kill alone, and a truth that falls back behind
    its indexes is worth more than the half millisecond that FULL costs a commit.
    """

    def __init__(self, path: str | Path) -> None:
        """Opens or creates the file. Raises CorruptData, PermanentError or LedgerUnavailable."""
        self._path = Path(path)
        self._lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._inherited: list[sqlite3.Connection] = []
        self._process = os.getpid()
        self._closed = False
        self._create_file()
        try:
            self._migrate()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A transaction whose reads all see the same state."""
        with self._transaction("BEGIN DEFERRED") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that no other writer comes into; undone when the block raises."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def empty_log(self) -> None:
        """Moves the write-ahead log into the file, so that nothing erased stays readable in it."""
        with translated_errors(), self._connection() as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Closes all connections; those in use when their transaction ends."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _create_file(self) -> None:
        """Only its owner may read what people said; SQLite gives its side files the same permissions."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as error:
            raise PermanentError(f"the ledger's file cannot be opened: {error.strerror}") from error

    def _migrate(self) -> None:
        with self.reading() as connection:
            if _version(connection) == len(STEPS):
                return
        with self.writing() as connection:
            for step in STEPS[_version(connection) :]:
                for statement in step:
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {len(STEPS)}")

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with translated_errors(), self._connection() as connection:
            connection.execute(begin)
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        connection = self._take()
        try:
            yield connection
        finally:
            self._give_back(connection)

    def _take(self) -> sqlite3.Connection:
        with self._lock:
            if self._closed:
                raise ValueError("the ledger is closed")
            if self._process != os.getpid():
                # A forked child must not touch connections of its parent, not even to close them.
                self._process = os.getpid()
                self._inherited, self._idle = self._idle, []
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            _use_write_ahead_log(connection)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")  # what is erased is overwritten in the file
        except sqlite3.Error:
            connection.close()
            raise
        return connection


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(STEPS):
        raise PermanentError("the ledger's file was written by a newer version of Cognis")
    return int(version)


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Several processes may create the file at once, and SQLite does not wait for this lock by itself."""
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_WAL_RETRY_SECONDS)
        else:
            return


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turns SQLite's errors into those of `cognis_memory.errors`."""
    try:
        yield
    except sqlite3.Error as error:
        # The low byte is the primary result code; errors of the Python module itself have none.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in _BUSY:
            raise LedgerUnavailable("the ledger's file is locked by another writer") from error
        if code in _CORRUPT:
            raise CorruptData("the ledger's file is damaged or not a ledger") from error
        name = getattr(error, "sqlite_errorname", type(error).__name__)
        raise PermanentError(f"the ledger's file failed: {name}") from error
