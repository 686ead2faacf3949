"""Lists: filters, order, pages that stay stable while others write, cursors."""

from __future__ import annotations

import base64
from datetime import timedelta
from itertools import product
from typing import Any

import pytest

from cognis_memory.errors import InvalidInput
from cognis_memory.models.memory import Memory
from cognis_memory.models.values import Category, Operation, Owner, Scope
from cognis_memory.ports import Ledger, MemoryPage

from .builders import NOW, OWNER, commit, memory, memory_id

HOUR = timedelta(hours=1)


def store(ledger: Ledger, *memories: Memory) -> None:
    for start in range(0, len(memories), 50):
        part = memories[start : start + 50]
        ledger.commit(commit(*part, owner=part[0].owner, number=start))


def pages(ledger: Ledger, limit: int, **filters: Any) -> list[MemoryPage]:
    found: list[MemoryPage] = []
    while not found or found[-1].next_cursor:
        cursor = found[-1].next_cursor if found else None
        found.append(ledger.list_memories(OWNER, limit=limit, cursor=cursor, now=NOW, **filters))
    return found


def test_nothing_is_one_empty_page(ledger: Ledger) -> None:
    assert ledger.list_memories(OWNER, limit=5, now=NOW) == MemoryPage((), None)


@pytest.mark.parametrize("limit", [1, 3, 4, 6, 12, 13])
def test_pages_hold_all_newest_first(ledger: Ledger, limit: int) -> None:
    store(ledger, *(memory(number) for number in range(12)))
    found = pages(ledger, limit)

    ids = [m.id for page in found for m in page.memories]
    assert ids == [memory_id(number) for number in reversed(range(12))]
    assert all(len(page.memories) == limit for page in found[:-1])
    assert found[-1].memories


VARIETY = [
    memory(
        number,
        category=category,
        scope=scope,
        context_id=context_id,
        is_current=is_current,
        operation=operation,
        expires_at=expires_at,
    )
    for number, (category, scope, context_id, is_current, (operation, expires_at)) in enumerate(
        product(
            (Category.TRAVEL, Category.HEALTH),
            (Scope.USER, Scope.CONTEXT),
            ("chat", "チャット"),
            (True, False),
            (
                (Operation.ADD, None),
                (Operation.UPDATE, NOW + HOUR),
                (Operation.ADD, NOW),
                (Operation.ADD, NOW - HOUR),
                (Operation.DELETE, None),
            ),
        )
    )
]


def test_every_combination_of_filters(ledger: Ledger) -> None:
    store(ledger, *VARIETY, memory(900, context_id=None))
    everything = [*VARIETY, memory(900, context_id=None)]
    for category, scope, context_id, include_history in product(
        (None, Category.HEALTH), (None, Scope.CONTEXT), (None, "チャット", "nowhere"), (False, True)
    ):
        found = pages(
            ledger, 9, category=category, scope=scope, context_id=context_id, include_history=include_history
        )
        expected = [
            m.id
            for m in reversed(everything)
            if (category is None or m.category is category)
            and (scope is None or m.scope is scope)
            and (context_id is None or m.context_id == context_id)
            and (m.is_current or include_history)
            and m.operation is not Operation.DELETE
            and (m.expires_at is None or m.expires_at > NOW)
        ]
        assert [m.id for page in found for m in page.memories] == expected


def test_pages_are_stable_while_others_write(ledger: Ledger) -> None:
    """Newer ones come, others go, the cursor's own memory too: no harm to the rest."""
    store(ledger, *(memory(number) for number in range(100, 120)))
    first = ledger.list_memories(OWNER, limit=5, now=NOW)
    assert [m.id for m in first.memories] == [memory_id(n) for n in range(119, 114, -1)]

    store(ledger, *(memory(number) for number in range(200, 205)))
    ledger.commit(commit(number=900, deleted=(memory_id(115), memory_id(118), memory_id(110))))
    ledger.commit(commit(memory(109, is_current=False, revision=2), number=901))
    second = ledger.list_memories(OWNER, limit=5, cursor=first.next_cursor, now=NOW)
    assert [m.id for m in second.memories] == [memory_id(n) for n in (114, 113, 112, 111, 108)]

    store(ledger, *(memory(number) for number in range(300, 303)))
    rest = ledger.list_memories(OWNER, limit=50, cursor=second.next_cursor, now=NOW)
    assert [m.id for m in rest.memories] == [memory_id(n) for n in range(107, 99, -1)]
    assert rest.next_cursor is None


def test_a_page_is_filled_however_few_pass_the_filter(ledger: Ledger) -> None:
    store(
        ledger, *(memory(n, category=Category.HEALTH if n % 25 == 0 else Category.TRAVEL) for n in range(100))
    )
    page = ledger.list_memories(OWNER, limit=3, category=Category.HEALTH, now=NOW)

    assert [m.id for m in page.memories] == [memory_id(n) for n in (75, 50, 25)]
    rest = ledger.list_memories(OWNER, limit=3, cursor=page.next_cursor, category=Category.HEALTH, now=NOW)
    assert [m.id for m in rest.memories] == [memory_id(0)]
    assert rest.next_cursor is None


@pytest.mark.parametrize(
    "garbage",
    [
        "",
        "x",
        "====",
        "mem_00003",
        "%%%",
        "あ",
        "\x00",
        "a" * 10_000,
        base64.urlsafe_b64encode(b"x" * 40).decode(),
    ],
)
def test_garbage_is_no_cursor(ledger: Ledger, garbage: str) -> None:
    store(ledger, memory(1))
    with pytest.raises(InvalidInput) as raised:
        ledger.list_memories(OWNER, limit=1, cursor=garbage, now=NOW)
    assert [fault.field for fault in raised.value.errors] == ["cursor"]


def test_a_damaged_cursor_or_one_of_another_owner_is_refused(ledger: Ledger) -> None:
    bob = Owner("acme", "bob")
    store(ledger, memory(1), memory(2))
    store(ledger, memory(1, bob), memory(2, bob))
    cursor = ledger.list_memories(OWNER, limit=1, now=NOW).next_cursor
    assert cursor is not None

    for owner, text in (
        (bob, cursor),
        (Owner("bob", "acme"), cursor),
        (OWNER, cursor[:-2]),
        (OWNER, cursor + "A"),
    ):
        with pytest.raises(InvalidInput):
            ledger.list_memories(owner, limit=1, cursor=text, now=NOW)
