"""What an event says to its reader."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from cognis_memory.domain.ids import event_id, memory_id
from cognis_memory.errors import NotFound
from cognis_memory.models.event import Event, EventOperation
from cognis_memory.models.memory import Memory
from cognis_memory.models.values import Category, Operation, Owner
from cognis_memory.services.events import MAX_TEXT_BYTES, TEXTS_LEFT_OUT, read_event

NOW = datetime(2026, 7, 15, 12, 0, tzinfo=UTC)
EVENT = event_id(1, bytes(10))


def memory(id_: str, text: str) -> Memory:
    return Memory(
        id=id_,
        tenant_id="t",
        user_id="ana",
        event_id=EVENT,
        position=0,
        chain_id=id_,
        content=text,
        category=Category.TRAVEL,
        timestamp=NOW,
        valid_from=NOW,
        created_at=NOW,
        updated_at=NOW,
    )


class Held:
    """A ledger with one event, whose operations added these texts."""

    def __init__(self, *texts: str) -> None:
        ids = [memory_id(EVENT, position) for position in range(len(texts))]
        self._memories = {id_: memory(id_, text) for id_, text in zip(ids, texts, strict=True)}
        operations = tuple(EventOperation(operation=Operation.ADD, memory_id=id_) for id_ in ids)
        self._event = Event(
            id=EVENT, tenant_id="t", user_id="ana", operations=operations, created_at=NOW, updated_at=NOW
        )

    def get_event(self, tenant_id: str, id_: str) -> Event | None:
        return self._event if (tenant_id, id_) == ("t", EVENT) else None

    def get_memories(self, owner: Owner, ids: Sequence[str]) -> dict[str, Memory]:
        return {id_: self._memories[id_] for id_ in ids}


def read(ledger: Any, tenant_id: str = "t", **options: Any) -> Any:
    return read_event(ledger, tenant_id, EVENT, now=NOW, **options)


def test_operations_show_their_texts() -> None:
    answer = read(Held("Ana lives in Osaka", "大阪"))

    assert [done.memory for done in answer.operations] == ["Ana lives in Osaka", "大阪"]
    assert answer.notices == []


def test_texts_that_are_too_long_together_are_left_out_and_a_notice_says_so() -> None:
    text = "大" * (MAX_TEXT_BYTES // 3 // 2)
    short, long = read(Held(text, text)), read(Held(text, text, "大大"))

    assert [done.memory for done in short.operations] == [text, text]
    assert [done.memory for done in long.operations] == [None, None, None]
    assert [notice.code for notice in long.notices] == [TEXTS_LEFT_OUT]


def test_an_event_is_its_tenants_and_its_users() -> None:
    ledger = Held("x")

    assert read(ledger, user_id="ana").user_id == "ana"
    for options in ({"tenant_id": "other"}, {"user_id": "bob"}):
        with pytest.raises(NotFound, match=EVENT):
            read(ledger, **options)
