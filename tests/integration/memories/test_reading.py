"""Memories by id, their history, and lists."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from deployment import Deployment

from cognis_memory.errors import InvalidInput, NotFound
from cognis_memory.models.memory import Memory
from cognis_memory.models.values import Category, Kind, Operation, Owner, Scope

UNKNOWN = "mem_01KXJTBTG00000000000000000_000000"


def test_a_memory_as_it_is_answered(any_deployment: Deployment) -> None:
    said = {
        "role": "user",
        "content": "My home is Tokyo.",
        "speaker": "Ana",
        "timestamp": "2026-07-01T09:00:00+09:00",
    }
    event = any_deployment.add(
        "ana", said, context_id="chat", agent_id="support", metadata={"plan": "pro"}, timezone="Asia/Tokyo"
    )
    memory = any_deployment.get("ana", event.operations[0].memory_id)

    assert (memory.kind, memory.memory, memory.category) == (
        Kind.MEMORY,
        "The home is Tokyo",
        Category.PERSONAL_DETAILS,
    )
    assert (memory.scope, memory.context_id, memory.agent_id) == (Scope.USER, "chat", "support")
    assert (memory.speaker, memory.metadata) == ("Ana", {"plan": "pro"})
    assert memory.timestamp.isoformat() == "2026-07-01T00:00:00+00:00"
    assert (memory.is_current, memory.version, memory.replaces_id) == (True, 1, None)
    assert memory.source_messages == event.messages
    assert any_deployment.list("ana").memories == [memory]
    assert '"timestamp":"2026-07-01T00:00:00Z"' in memory.model_dump_json()


def test_an_old_version_can_still_be_read(deployment: Deployment) -> None:
    first = deployment.add("ana", "My home is Tokyo.").operations[0].memory_id
    second = deployment.add("ana", "My home is Osaka.").operations[0].memory_id

    assert not deployment.get("ana", first).is_current
    assert deployment.get("ana", second).replaces_id == first


def test_the_history_is_the_whole_chain_from_any_version(any_deployment: Deployment) -> None:
    ids = [
        any_deployment.add("ana", f"My home is {town}.").operations[0].memory_id
        for town in ("Tokyo", "Osaka")
    ]
    any_deployment.add("ana", "Forget my home.")
    histories = [any_deployment.history("ana", id_).history for id_ in ids]

    assert histories[0] == histories[1]
    assert [version.operation for version in histories[0]] == [
        Operation.ADD,
        Operation.UPDATE,
        Operation.DELETE,
    ]
    assert [version.memory for version in histories[0]][:2] == ["The home is Tokyo", "The home is Osaka"]
    assert all(len(version.source_messages) == 1 for version in histories[0])


def _call(deployment: Deployment, door: str, memory_id: str) -> None:
    changes = {"category": "travel"} if door == "change" else {}
    getattr(deployment, door)("ana", memory_id, **changes)


@pytest.mark.parametrize("door", ["get", "history", "delete", "change"])
def test_what_is_not_there_and_what_is_somebody_elses_look_the_same(
    any_deployment: Deployment, door: str
) -> None:
    other = any_deployment.add("bob", "My home is Nara.").operations[0].memory_id
    refusals = []
    for id_ in (other, UNKNOWN.replace("000000", "000009"), "", "mem_", "💥" * 300, other + "0"):
        with pytest.raises(NotFound) as refused:
            _call(any_deployment, door, id_)
        refusals.append(str(refused.value).replace(id_, "") if id_ else str(refused.value))

    assert len(set(refusals)) == 1
    assert any_deployment.get("bob", other).memory == "The home is Nara"


@pytest.mark.parametrize("door", ["get", "change"])
def test_a_retraction_is_no_memory(deployment: Deployment, door: str) -> None:
    home = deployment.add("ana", "My home is Tokyo.").operations[0].memory_id
    deployment.add("ana", "Forget my home.")
    retraction = deployment.history("ana", home).history[-1].id

    with pytest.raises(NotFound):
        _call(deployment, door, retraction)


@pytest.mark.parametrize("door", ["get", "history", "change"])
def test_what_expired_is_not_there(deployment: Deployment, door: str) -> None:
    soon = deployment.clock() + timedelta(minutes=1)
    home = deployment.add("ana", "My home is Tokyo.", expires_at=soon.isoformat()).operations[0].memory_id
    deployment.clock.advance(timedelta(minutes=1))

    with pytest.raises(NotFound):
        _call(deployment, door, home)


@pytest.mark.parametrize("door", ["history", "delete", "change"])
def test_what_another_process_deletes_meanwhile_is_not_there(
    deployment: Deployment, door: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = deployment.add("ana", "My home is Tokyo.").operations[0].memory_id
    read = deployment.ledger.get_memories

    def read_then_lost(owner: Owner, ids: Sequence[str]) -> dict[str, Memory]:
        found = read(owner, ids)
        monkeypatch.undo()
        deployment.delete("ana", home)
        return found

    monkeypatch.setattr(deployment.ledger, "get_memories", read_then_lost)
    with pytest.raises(NotFound, match=home):
        _call(deployment, door, home)


def test_the_words_of_what_expired_are_answered_nowhere(any_deployment: Deployment) -> None:
    soon = any_deployment.clock() + timedelta(minutes=1)
    first = any_deployment.add("ana", "My home is Tokyo.", expires_at=soon.isoformat())
    second = any_deployment.add("ana", "My home is Osaka.")
    home = second.operations[0].memory_id
    asked = {"query": "where was home before Osaka", "history": "always"}

    def answers() -> dict[str, str]:
        return {
            "event": any_deployment.event(first.event_id).model_dump_json(),
            "event after": any_deployment.event(second.event_id).model_dump_json(),
            "history": any_deployment.history("ana", home).model_dump_json(),
            "search": any_deployment.search("ana", **asked).model_dump_json(),
            "context": any_deployment.context("ana", **asked).model_dump_json(),
        }

    assert all("Tokyo" in answer for answer in answers().values())
    any_deployment.clock.advance(timedelta(minutes=1))
    after = answers()

    assert not [door for door, answer in after.items() if "Tokyo" in answer]
    assert all("Osaka" in after[door] for door in ("event after", "history", "search", "context"))


def _pages(deployment: Deployment, **options: Any) -> list[str]:
    texts: list[str] = []
    cursor = None
    while True:
        page = deployment.list("ana", cursor=cursor, **options)
        texts += [memory.memory for memory in page.memories]
        cursor = page.next_cursor
        if cursor is None:
            return texts


def test_lists_go_page_by_page_newest_first(any_deployment: Deployment) -> None:
    for number in range(7):
        any_deployment.add("ana", f"Note: thing {number}.")
        any_deployment.clock.advance(timedelta(seconds=1))

    expected = [f"thing {number}" for number in reversed(range(7))]
    for limit in (1, 3, 7, 100):
        assert _pages(any_deployment, limit=limit) == expected


def test_pages_are_stable_while_memories_come(deployment: Deployment) -> None:
    deployment.add("ana", [f"Note: thing {number}." for number in range(4)])
    first = deployment.list("ana", limit=2)
    deployment.clock.advance(timedelta(seconds=1))
    deployment.add("ana", "Note: new thing.")
    second = deployment.list("ana", limit=2, cursor=first.next_cursor)

    assert [memory.memory for memory in [*first.memories, *second.memories]] == [
        f"thing {number}" for number in reversed(range(4))
    ]


def test_lists_by_category_scope_and_context(deployment: Deployment) -> None:
    deployment.add("ana", "My home is Tokyo. Note: likes rain.")
    deployment.add("ana", "Note: likes snow.", context_id="chat", scope="CONTEXT")

    assert _pages(deployment, category=Category.PERSONAL_DETAILS) == ["The home is Tokyo"]
    assert _pages(deployment, scope=Scope.CONTEXT) == ["likes snow"]
    assert _pages(deployment, context_id="chat") == ["likes snow"]
    assert _pages(deployment, category=Category.PREFERENCES, scope=Scope.USER) == ["likes rain"]


def test_lists_with_history(deployment: Deployment) -> None:
    deployment.add("ana", "My home is Tokyo.")
    deployment.add("ana", "My home is Osaka.")
    deployment.add("ana", "Forget my home.")

    assert _pages(deployment) == []
    assert sorted(_pages(deployment, include_history=True)) == ["The home is Osaka", "The home is Tokyo"]


@pytest.mark.parametrize("limit", [0, 101, -1])
def test_a_limit_out_of_range_is_refused(deployment: Deployment, limit: int) -> None:
    with pytest.raises(InvalidInput) as refused:
        deployment.list("ana", limit=limit)

    assert [fault.field for fault in refused.value.errors] == ["limit"]


def test_a_cursor_of_another_user_is_refused(deployment: Deployment) -> None:
    deployment.add("ana", ["Note: likes rain. Note: likes snow."])
    cursor = deployment.list("ana", limit=1).next_cursor
    assert cursor is not None

    with pytest.raises(InvalidInput):
        deployment.list("bob", cursor=cursor)
    with pytest.raises(InvalidInput):
        deployment.list("ana", cursor="invented")
