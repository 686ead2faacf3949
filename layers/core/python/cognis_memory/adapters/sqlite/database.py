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
_EMPTYING_SECONDS = 0.2
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
        self._log_to_empty = False
        self._create_file()
        try:
            self._migrate()
            self._empty_log()  # a process that was killed may have left what it removed
        except BaseException:
            self.close()
            raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A transaction whose reads all see the same state."""
        with self._transaction("BEGIN DEFERRED") as connection:
            yield connection

    @contextmanager
    def writing(self, *, removing: bool = False) -> Iterator[sqlite3.Connection]:
        """A transaction that no other writer comes into; undone when the block raises.

        What a `removing` one takes away is overwritten in the file, but stands in the write-ahead log until
        that is emptied: usually before this returns. While a reader, of any process, still needs the log, it
        stays, and is emptied after the next write or when this or another process opens or closes the file.
        """
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection
        if removing or self._log_to_empty:
            self._empty_log(0.0 if self._log_to_empty else _EMPTYING_SECONDS)

    def close(self) -> None:
        """Closes all connections; those in use when their transaction ends."""
        if self._log_to_empty and not self._closed:
            self._empty_log()
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _empty_log(self, wait_seconds: float = 0.0) -> None:
        """Moves the write-ahead log into the file and cuts it to nothing, or notes that it is to be done.

        Raises nothing: the commit before it stands, whatever became of its log.
        """
        self._log_to_empty = False  # before the attempt, so that what another thread notes meanwhile stays
        try:
            with self._connection() as connection:
                busy = _truncate_log(connection, wait_seconds)
        except (sqlite3.Error, PermanentError):  # as on a full disk, or when another thread has closed it
            busy = True
        if busy:
            self._log_to_empty = True

    def _create_file(self) -> None:
        """Only its owner may read what people said; SQLite gives its side files the same permissions."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as error:
            raise PermanentError(
                f"the ledger's file {self._path} cannot be opened: {error.strerror}"
            ) from error

    def _migrate(self) -> None:
        with self.reading() as connection:
            if self._version(connection) == len(STEPS):
                return
        with self.writing() as connection:
            for step in STEPS[self._version(connection) :]:
                for statement in step:
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {len(STEPS)}")

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._translated_errors(), self._connection() as connection:
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
                raise PermanentError(f"the ledger's file {self._path} was closed; open it again")
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

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Turns SQLite's errors into those of `cognis_memory.errors`."""
        try:
            yield
        except sqlite3.Error as error:
            # The low byte is the primary result code; errors of the Python module itself have none.
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            file = f"the ledger's file {self._path}"
            if code in _BUSY:
                raise LedgerUnavailable(f"{file} is locked by another writer") from error
            if code in _CORRUPT:
                raise CorruptData(
                    f"{file} is damaged or not a ledger; put a copy in its place, or use another folder"
                ) from error
            name = getattr(error, "sqlite_errorname", type(error).__name__)
            raise PermanentError(f"{file} failed: {name}") from error

    def _version(self, connection: sqlite3.Connection) -> int:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > len(STEPS):
            raise PermanentError(f"the ledger's file {self._path} was written by a newer version of Cognis")
        return int(version)


def _truncate_log(connection: sqlite3.Connection, wait_seconds: float) -> bool:
    """Whether somebody still needs the log after `wait_seconds`."""
    connection.execute(f"PRAGMA busy_timeout = {wait_seconds * 1_000:.0f}")
    try:
        (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_SECONDS * 1_000:.0f}")
    return bool(busy)


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
