"""`Memory("folder")`: the same services in one process, on one folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fakes import Failing, HashEmbedder, SentenceExtractor

from cognis_local import Memory
from cognis_memory.adapters.sqlite import SqliteLedger
from cognis_memory.errors import ExtractionFailed, IdempotencyKeyReused, InvalidInput, NotFound
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
