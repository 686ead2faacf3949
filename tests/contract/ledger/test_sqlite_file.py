"""What is special to the ledger in a file: processes, crashes, broken files."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from cognis_memory.adapters.ledger.encoding import to_micros
from cognis_memory.adapters.sqlite import SqliteLedger
from cognis_memory.adapters.sqlite.schema import STEPS
from cognis_memory.errors import CorruptData, PermanentError
from cognis_memory.models.commit import DocumentWrite
from cognis_memory.models.event import EventStatus

from .builders import (
    NOW,
    OWNER,
    chain,
    commit,
    erase_all,
    event,
    memory,
    memory_id,
    message,
    message_id,
    vector,
)

WRITER = Path(__file__).with_name("writer_process.py")


def start_writer(mode: str, path: Path, first: int, end: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(WRITER), mode, str(path), str(first), str(end)],
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("milliseconds", [3, 11, 24, 40])
def test_a_killed_writer_leaves_each_commit_whole_or_absent(tmp_path: Path, milliseconds: int) -> None:
    path = tmp_path / "ledger.sqlite"
    with start_writer("stream", path, 1, 10_000) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(milliseconds / 1_000)
        process.send_signal(signal.SIGKILL)
        confirmed = [1, *(int(line) for line in process.stdout.read().split("\n")[:-1])]

    with SqliteLedger(path) as ledger:
        event = ledger.get_event("acme", "evt_0001")
        assert event is not None
        numbers = range(1, event.cursor + 1)
        assert event.cursor >= confirmed[-1]
        assert [m.id for m in ledger.iterate_memories(OWNER)] == [memory_id(n) for n in numbers]
        assert [m.id for m in ledger.iterate_messages(OWNER)] == [message_id(n) for n in numbers]
        ids = [*(memory_id(n) for n in range(1, 9_999)), *(message_id(n) for n in range(1, 9_999))]
        assert len(ledger.get_vectors(OWNER, ids)) == 2 * event.cursor
        held = ledger.get_chains(OWNER, [memory_id(1)])[memory_id(1)]
        assert (held.revision, len(held.versions)) == (event.cursor, event.cursor)
        assert len(ledger.pending_marks(OWNER)) == event.cursor


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with SqliteLedger(path) as ledger:
        ledger.commit(commit(memory(1), chains=(chain(memory(1)),), number=0))
        writers = [start_writer("append", path, first, first + 15) for first in (100, 200, 300)]
        assert [writer.wait(60) for writer in writers] == [0, 0, 0]
        for writer in writers:
            writer.communicate()
        held = ledger.get_chains(OWNER, [memory_id(1)])[memory_id(1)]

    assert len({version.id for version in held.versions}) == len(held.versions) == 46


def test_threads_that_open_a_new_file_at_once_all_succeed(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "ledger.sqlite"

    def write(number: int) -> None:
        with SqliteLedger(path) as ledger:
            ledger.commit(commit(message(number), number=number))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(16)))
    with SqliteLedger(path) as ledger:
        assert len(list(ledger.iterate_messages(OWNER))) == 16


def test_threads_share_one_ledger(tmp_path: Path) -> None:
    with SqliteLedger(tmp_path / "ledger.sqlite") as ledger, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: ledger.commit(commit(message(n), number=n)), range(40)))
        found = list(pool.map(lambda n: ledger.get_messages(OWNER, [message_id(n)]), range(40)))
    assert all(len(messages) == 1 for messages in found)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks at a process's open files")
def test_a_forked_child_uses_connections_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with start_writer("fork", path, 0, 3) as writer:
        assert writer.wait(60) == 0

    with SqliteLedger(path) as ledger:
        assert [m.id for m in ledger.iterate_messages(OWNER)] == [message_id(n) for n in range(6)]


def test_what_was_written_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with SqliteLedger(path) as ledger:
        ledger.commit(commit(DocumentWrite(memory(1), vector(1))))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["ledger.sqlite"]

    with SqliteLedger(str(path)) as ledger:
        assert ledger.list_memories(OWNER, limit=1, now=NOW).memories == (memory(1),)


def test_erased_text_is_gone_from_the_files(tmp_path: Path) -> None:
    secret = "the combination is seventeen"
    path = tmp_path / "ledger.sqlite"

    def readable() -> bool:
        return any(secret.encode() in file.read_bytes() for file in tmp_path.iterdir())

    with SqliteLedger(path) as ledger:
        ledger.commit(commit(*(message(n, content=f"{secret} {n}") for n in range(20))))
        assert readable()
        erase_all(ledger, limit=7)
        assert not readable()


SECRET = "the combination is seventeen"


def _held_in(folder: Path) -> bool:
    return any(SECRET.encode() in file.read_bytes() for file in folder.iterdir())


def _delete(ledger: SqliteLedger) -> None:
    ledger.commit(commit(deleted=(message_id(1),), number=2))


def _redact(ledger: SqliteLedger) -> None:
    ledger.commit(commit(message(1, content="", redacted=True, revision=2), number=2))


def _erase(ledger: SqliteLedger) -> None:
    erase_all(ledger)


REMOVALS = pytest.mark.parametrize("remove", [_delete, _redact, _erase])


@contextmanager
def _reader(path: Path) -> Iterator[None]:
    """Another process's reader, in the middle of its transaction."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM messages").fetchone()
        yield


@REMOVALS
def test_what_a_commit_removes_is_gone_from_the_files(
    tmp_path: Path, remove: Callable[[SqliteLedger], None]
) -> None:
    with SqliteLedger(tmp_path / "ledger.sqlite") as ledger:
        ledger.commit(commit(message(1, content=SECRET)))
        assert _held_in(tmp_path)
        remove(ledger)
        assert not _held_in(tmp_path)


@REMOVALS
def test_a_reader_delays_neither_the_removal_nor_keeps_its_words_for_good(
    tmp_path: Path, remove: Callable[[SqliteLedger], None]
) -> None:
    path = tmp_path / "ledger.sqlite"
    with SqliteLedger(path) as ledger:
        ledger.commit(commit(message(1, content=SECRET)))
        with _reader(path):
            started = time.monotonic()
            remove(ledger)
            ledger.commit(commit(message(2), number=3))
            assert time.monotonic() - started < 2
        ledger.commit(commit(message(3), number=4))
        assert not _held_in(tmp_path)


def test_what_a_reader_kept_is_gone_once_a_ledger_of_the_file_is_closed_or_opened(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with closing(sqlite3.connect(path)) as other:  # which keeps the log from going with the last ledger
        with SqliteLedger(path) as ledger:
            other.execute("SELECT count(*) FROM messages").fetchone()
            for remove, number in ((_delete, 2), (_delete, 4)):
                ledger.commit(commit(message(1, content=SECRET), number=number - 1))
                with _reader(path):
                    remove(ledger)
                assert _held_in(tmp_path)
                if number == 2:
                    SqliteLedger(path).close()
                    assert not _held_in(tmp_path)
        assert not _held_in(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_only_its_owner_may_read_the_file(tmp_path: Path) -> None:
    with SqliteLedger(tmp_path / "ledger.sqlite") as ledger:
        ledger.commit(commit(memory(1)))
        assert {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()} == {0o600}


def test_a_closed_ledger_says_so(tmp_path: Path) -> None:
    ledger = SqliteLedger(tmp_path / "ledger.sqlite")
    ledger.close()
    ledger.close()
    with pytest.raises(PermanentError, match="closed"):
        ledger.erasure_epoch(OWNER)


def test_a_file_that_is_no_ledger_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Shopping list: eggs, milk. " * 100)
    with pytest.raises(CorruptData, match=re.escape(str(path))):
        SqliteLedger(path)
    assert path.read_text().startswith("Shopping list")


def test_a_folder_is_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(PermanentError, match="cannot be opened"):
        SqliteLedger(tmp_path)


def test_a_ledger_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    SqliteLedger(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()

    with pytest.raises(PermanentError, match="newer version"):
        SqliteLedger(path)


def test_a_ledger_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    ended = event(1, status=EventStatus.FAILED), event(2, status=EventStatus.SUCCEEDED)
    with closing(sqlite3.connect(path)) as connection:
        for statement in STEPS[0]:
            connection.execute(statement)
        for each in ended:
            connection.execute(
                "INSERT INTO events VALUES (?, ?, ?, 'ingestion', 0, ?, 0, ?)",
                (each.tenant_id, each.id, each.user_id, to_micros(NOW), each.model_dump_json()),
            )
        connection.execute("PRAGMA user_version = 1")
        connection.commit()

    with SqliteLedger(path) as ledger:
        assert ledger.failed_events(NOW, limit=5) == [ended[0]]


def test_messages_of_the_first_version_are_found_once_they_expire(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    told = [message(1, expires_at=NOW), message(2, expires_at=NOW.replace(microsecond=0)), message(3)]
    with closing(sqlite3.connect(path)) as connection:
        for statement in STEPS[0]:
            connection.execute(statement)
        for each in told:
            connection.execute(
                "INSERT INTO messages VALUES (?, ?, ?, NULL, 1, ?)",
                (each.tenant_id, each.user_id, each.id, each.model_dump_json()),
            )
        connection.execute("PRAGMA user_version = 1")
        connection.commit()

    with SqliteLedger(path) as ledger:
        found = ledger.expired_documents(NOW + timedelta(days=1), limit=5)
        assert [(expired.id, expired.expires_at) for expired in found] == [
            (each.id, each.expires_at) for each in reversed(told[:2])
        ]


def test_damaged_documents_and_vectors_are_named_without_their_text(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with SqliteLedger(path) as ledger:
        ledger.commit(commit(DocumentWrite(memory(1), vector(1))))
        connection = sqlite3.connect(path)
        connection.execute("UPDATE memories SET document = replace(document, 'position', 'Ana at place')")
        connection.execute("UPDATE vectors SET vector = x'0102'")
        connection.commit()
        connection.close()

        with pytest.raises(CorruptData) as raised:
            ledger.get_memories(OWNER, [memory_id(1)])
        assert "Ana" not in str(raised.value)
        assert raised.value.__cause__ is None
        with pytest.raises(CorruptData):
            ledger.get_vectors(OWNER, [memory_id(1)])
