"""`Memory("folder")`: the same services in one process, on one folder."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fakes import Failing, HashEmbedder, SentenceExtractor

from cognis_local import Memory
from cognis_memory.adapters.sqlite import SqliteLedger
from cognis_memory.adapters.system import now
from cognis_memory.errors import (
    ExtractionFailed,
    IdempotencyKeyReused,
    InvalidInput,
    LedgerUnavailable,
    NotFound,
    PermanentError,
)
from cognis_memory.models.event import EventStatus
from cognis_memory.models.extraction import Extraction, ExtractionRequest
from cognis_memory.models.values import Operation

Open = Callable[..., Memory]


@pytest.fixture
def open_memory(tmp_path: Path) -> Iterator[Open]:
    """Opens the folder once more, as another process would."""
    opened: list[Memory] = []

    def open_folder(**models: Any) -> Memory:
        memory = Memory(tmp_path, **{"embedder": HashEmbedder(), "extractor": SentenceExtractor(), **models})
        opened.append(memory)
        return memory

    yield open_folder
    for memory in opened:
        memory.close()


def test_every_door(open_memory: Open) -> None:
    with open_memory() as memory:
        tokyo = memory.add("ana", "My home is Tokyo.", metadata={"plan": "pro"}).operations[0].memory_id
        event = memory.add("ana", [{"role": "user", "content": "My home is Osaka.", "speaker": "Ana"}])
        osaka = event.operations[0].memory_id

        assert memory.event(event.event_id) == event
        assert memory.get("ana", tokyo).metadata == {"plan": "pro"}
        assert [found.memory for found in memory.list("ana").memories] == ["The home is Osaka"]
        assert [version.id for version in memory.history("ana", tokyo).history] == [tokyo, osaka]
        assert memory.search("ana", "home in Osaka").results
        assert "The home is Osaka" in memory.context("ana", "home in Osaka").text
        assert memory.change("ana", osaka, category="travel", if_version=2).category == "travel"
        memory.rebuild("ana")
        assert memory.search("ana", "home in Osaka", filters={"category": {"eq": "travel"}}).results
        memory.delete("ana", osaka)
        assert memory.list("ana", include_history=True).memories == []
        assert memory.erase("ana").counts["messages"] == 2
        with pytest.raises(NotFound):
            memory.event(event.event_id)


def test_what_is_written_is_there_when_the_folder_is_opened_again(open_memory: Open) -> None:
    with open_memory() as memory:
        memory.add("ana", "My home is Tokyo.")
    with open_memory() as memory:
        assert [found.memory for found in memory.list("ana").memories] == ["The home is Tokyo"]
        assert memory.search("ana", "home in Tokyo").results


def test_a_key_answers_the_first_event(open_memory: Open) -> None:
    memory = open_memory()
    first = memory.add("ana", "My home is Tokyo.", idempotency_key="k1")

    assert memory.add("ana", "My home is Tokyo.", idempotency_key="k1") == first
    with pytest.raises(IdempotencyKeyReused):
        memory.add("ana", "My home is Osaka.", idempotency_key="k1")
    assert memory.add("bob", "My home is Osaka.", idempotency_key="k1").event_id != first.event_id


def test_a_key_runs_an_event_again_that_failed(open_memory: Open) -> None:
    broken = open_memory(extractor=Failing(SentenceExtractor(), ExtractionFailed("no")))
    failed = broken.add("ana", "My home is Tokyo.", idempotency_key="k1")
    assert failed.status is EventStatus.FAILED

    event = open_memory().add("ana", "My home is Tokyo.", idempotency_key="k1")
    assert (event.event_id, event.status, event.error) == (failed.event_id, EventStatus.SUCCEEDED, None)


def test_a_key_is_free_after_an_erasure(open_memory: Open) -> None:
    memory = open_memory()
    memory.add("ana", "My home is Tokyo.", idempotency_key="k1")
    memory.erase("ana")

    assert (
        memory.add("ana", "My home is Tokyo.", idempotency_key="k1").operations[0].operation is Operation.ADD
    )


class Interrupted(SentenceExtractor):
    """The user presses Ctrl-C."""

    def extract(self, request: ExtractionRequest) -> Extraction:
        raise KeyboardInterrupt


def test_what_was_interrupted_is_resumed_at_the_next_start(open_memory: Open) -> None:
    with pytest.raises(KeyboardInterrupt):
        open_memory(extractor=Interrupted()).add("ana", ["My home is Tokyo.", "My home is Osaka."])
    memory = open_memory()
    assert memory.search("ana", "home in Tokyo").results
    (event,) = memory.resume()

    assert event.status is EventStatus.SUCCEEDED
    assert [found.memory for found in memory.list("ana").memories] == ["The home is Osaka"]
    assert memory.resume() == []


def test_an_interrupted_erasure_is_resumed_at_the_next_start(
    open_memory: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    memory = open_memory()
    memory.add("ana", "My home is Tokyo.")
    with monkeypatch.context() as patched:
        patched.setattr(SqliteLedger, "erase", interrupt)
        with pytest.raises(KeyboardInterrupt):
            memory.erase("ana")
    (event,) = open_memory().resume()

    assert event.status is EventStatus.SUCCEEDED
    assert (event.counts["memories"], event.counts["messages"]) == (1, 1)
    assert memory.list("ana").memories == []
    assert memory.add("ana", "My home is Kobe.").status is EventStatus.SUCCEEDED


def test_threads_share_one_memory(open_memory: Open) -> None:
    memory = open_memory()
    users = [f"user-{number}" for number in range(4)]
    with ThreadPoolExecutor(max_workers=8) as executor:
        events = list(executor.map(lambda user: memory.add(user, f"My home is {user}."), users * 2))

    assert {event.status for event in events} == {EventStatus.SUCCEEDED}
    for user in users:
        assert [found.memory for found in memory.list(user).memories] == [f"The home is {user}"]


def test_faulty_input_names_its_field(open_memory: Open) -> None:
    memory = open_memory()
    with pytest.raises(InvalidInput) as refused:
        memory.add("", [{"role": "user", "content": ""}])
    assert [fault.field for fault in refused.value.errors] == ["user_id", "messages[0].content"]

    with pytest.raises(InvalidInput) as refused:
        memory.search("ana", " ", top_k=0)
    assert [fault.field for fault in refused.value.errors] == ["query", "top_k"]


LONE = "\ud800"
UNKNOWN = "mem_01KXJTBTG00000000000000000_000000"

CALLS: dict[str, Callable[[Memory, Any], object]] = {
    "add": lambda memory, user: memory.add(user, "My home is Tokyo."),
    "search": lambda memory, user: memory.search(user, "home"),
    "context": lambda memory, user: memory.context(user, "home"),
    "list": lambda memory, user: memory.list(user),
    "get": lambda memory, user: memory.get(user, UNKNOWN),
    "history": lambda memory, user: memory.history(user, UNKNOWN),
    "change": lambda memory, user: memory.change(user, UNKNOWN, category="travel"),
    "delete": lambda memory, user: memory.delete(user, UNKNOWN),
    "erase": lambda memory, user: memory.erase(user),
    "rebuild": lambda memory, user: memory.rebuild(user),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("user", ["", " ", None, 5, LONE, "a" * 257])
def test_no_door_takes_what_names_no_user(
    open_memory: Open, call: Callable[[Memory, Any], object], user: Any
) -> None:
    with pytest.raises(InvalidInput, match="user_id"):
        call(open_memory(), user)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_closed_memory_says_so(open_memory: Open, call: Callable[[Memory, Any], object]) -> None:
    memory = open_memory()
    memory.close()
    with pytest.raises(PermanentError, match="closed"):
        call(memory, "ana")


FAULTS: dict[str, tuple[str, Callable[[Any], object]]] = {
    "no message": ("messages[0]", lambda memory: memory.add("ana", None)),
    "a number as message": ("messages[0]", lambda memory: memory.add("ana", 5)),
    "bytes as message": ("messages[0]", lambda memory: memory.add("ana", b"hello")),
    "no messages": ("messages", lambda memory: memory.add("ana", [])),
    "a list as metadata": ("metadata", lambda memory: memory.add("ana", "hi", metadata=[1])),
    "a context": ("context_id", lambda memory: memory.add("ana", "hi", context_id=LONE)),
    "metadata": ("metadata", lambda memory: memory.add("ana", "hi", metadata={"a": LONE})),
    "a blank key": ("idempotency_key", lambda memory: memory.add("ana", "hi", idempotency_key=" ")),
    "an empty key": ("idempotency_key", lambda memory: memory.add("ana", "hi", idempotency_key="")),
    "a strange key": ("idempotency_key", lambda memory: memory.add("ana", "hi", idempotency_key=LONE)),
    "an event": ("event_id", lambda memory: memory.event(LONE)),
    "no event": ("event_id", lambda memory: memory.event(None)),
    "a memory": ("memory_id", lambda memory: memory.get("ana", LONE)),
    "no memory": ("memory_id", lambda memory: memory.delete("ana", None)),
    "a limit as text": ("limit", lambda memory: memory.list("ana", limit="5")),
    "a broken limit": ("limit", lambda memory: memory.list("ana", limit=1.5)),
    "no limit": ("limit", lambda memory: memory.list("ana", limit=0)),
    "a cursor": ("cursor", lambda memory: memory.list("ana", cursor=5)),
    "a strange cursor": ("cursor", lambda memory: memory.list("ana", cursor=LONE)),
    "a category": ("category", lambda memory: memory.list("ana", category="foo")),
    "a scope": ("scope", lambda memory: memory.list("ana", scope="foo")),
    "a context of a list": ("context_id", lambda memory: memory.list("ana", context_id=LONE)),
    "a filter": (
        "filters.colour",
        lambda memory: memory.search("ana", "home", filters={"colour": {"eq": 1}}),
    ),
}


@pytest.mark.parametrize(("field", "call"), FAULTS.values(), ids=FAULTS)
def test_the_message_of_a_refusal_names_the_field(
    open_memory: Open, field: str, call: Callable[[Any], object]
) -> None:
    memory = open_memory()
    with pytest.raises(InvalidInput, match=rf"^{re.escape(field)}: ") as refused:
        call(memory)

    assert [fault.field for fault in refused.value.errors] == [field]
    assert not any(word in str(refused.value) for word in ("match pattern", "parse", "instance of", "codec"))
    assert memory.list("ana").memories == []


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    for path in (tmp_path / "notes.txt", tmp_path / "notes.txt" / "below"):
        with pytest.raises(InvalidInput, match=re.escape(str(path))):
            Memory(path, embedder=HashEmbedder())


class Faulty(SentenceExtractor):
    """Has a fault of its own, which is no CognisError, for what one user says."""

    def extract(self, request: ExtractionRequest) -> Extraction:
        if any("Tokyo" in message.content for message in request.messages):
            raise ZeroDivisionError(request.messages[0].content)
        return super().extract(request)


def test_an_error_nobody_foresaw_fails_its_event_and_no_other(
    open_memory: Open, caplog: pytest.LogCaptureFixture
) -> None:
    interrupted = open_memory(extractor=Interrupted())
    for user, home in (("ana", "Tokyo"), ("bob", "Osaka")):
        with pytest.raises(KeyboardInterrupt):
            interrupted.add(user, f"My home is {home}.")
    memory = open_memory(extractor=Faulty())
    failed, finished = sorted(memory.resume(), key=lambda event: event.user_id)

    assert (failed.status, finished.status) == (EventStatus.FAILED, EventStatus.SUCCEEDED)
    assert failed.error is not None
    assert "ZeroDivisionError" in failed.error.detail
    assert failed.event_id in caplog.text
    assert "ZeroDivisionError" in caplog.text
    assert "Tokyo" not in caplog.text
    assert memory.resume() == []
    assert memory.add("ana", "My home is Tokyo.").status is EventStatus.FAILED
    assert open_memory().add("ana", "My home is Kobe.").status is EventStatus.SUCCEEDED


def _expired(open_memory: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two messages, of which the first has expired when the folder is opened again."""
    with open_memory() as memory:
        soon = now() + timedelta(seconds=30)
        memory.add("ana", "My pet is a zanzibarquokka.", expires_at=soon)
        memory.add("ana", "My job is baker.")
    monkeypatch.setattr("cognis_local.memory.now", lambda: now() + timedelta(minutes=1))


def test_what_has_expired_is_removed_when_the_folder_is_opened(
    open_memory: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _expired(open_memory, monkeypatch)
    with open_memory() as memory:
        assert [found.memory for found in memory.list("ana").memories] == ["The job is baker"]

    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert not [file.name for file in files if b"zanzibarquokka" in file.read_bytes().lower()]


def test_what_expires_while_the_folder_is_open_is_removed_by_resume(
    open_memory: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_memory() as memory:
        pet = memory.add("ana", "My pet is a cat.", expires_at=now() + timedelta(seconds=30))
        later = now() + timedelta(minutes=1)
        ports = dataclasses.replace(memory.ingestion, clock=lambda: later)
        monkeypatch.setattr(memory, "ingestion", ports)
        monkeypatch.setattr(memory, "_single", dataclasses.replace(memory._single, clock=lambda: later))
        memory.resume()
        with pytest.raises(NotFound):
            memory.get("ana", pet.operations[0].memory_id)
        assert memory._ledger.expired_documents(later, 1) == []


def test_a_request_whose_process_died_before_it_was_accepted_goes_with_a_later_resume(
    open_memory: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody was told that it was accepted; its words must not stay for good."""
    memory = open_memory()
    with monkeypatch.context() as dying:
        dying.setattr(SqliteLedger, "create_event", _refuse)
        with pytest.raises(LedgerUnavailable):
            memory.add("ana", "I adore thunderstorms.")
    (left,) = (tmp_path / "payloads").rglob("*.payload")
    memory.resume()
    assert left.exists()
    os.utime(left, (0, 0))
    memory.resume()

    assert not left.exists()
    assert memory.list("ana").memories == []


def _refuse(*_: object) -> None:
    raise LedgerUnavailable("the file is locked")
