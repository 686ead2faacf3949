"""Reads by id, contexts, iteration, and the walls between owners."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from cognis_memory.models.commit import DocumentWrite
from cognis_memory.models.values import Owner
from cognis_memory.ports import Ledger

from .builders import (
    NOW,
    OWNER,
    chain,
    commit,
    memory,
    memory_id,
    message,
    message_id,
    vector,
)

NASTY = [
    Owner("a#b", "c"),
    Owner("a", "b#c"),
    Owner("a", "b"),
    Owner("a", "b#c#"),
    Owner("a/b", "c"),
    Owner("a", "b/c"),
    Owner("a%2Fb", "c"),
    Owner("A", "B"),
    Owner("a", "b "),
    Owner('a","b', "c"),
    Owner("a", 'b","c'),
    Owner("\u00e9", "x"),
    Owner("e\u0301", "x"),
    Owner("日本", "ユーザー"),
    Owner("a", "👩‍👩‍👧" * 40),
    Owner("a", "\U0010ffff" * 256),
    Owner("a", "\U0010ffff" * 255),
    Owner("\x00", "b\x00"),
    Owner("a", "b\x00"),
    Owner("' OR 1=1 --", "\\"),
]


def test_reads_follow_the_order_asked_for_and_leave_out_the_unknown(ledger: Ledger) -> None:
    ledger.commit(commit(*(memory(n) for n in range(5)), *(message(n) for n in range(5))))
    asked = [memory_id(3), memory_id(77), memory_id(1), memory_id(3), "", "x" * 4_000, message_id(2)]

    assert list(ledger.get_memories(OWNER, asked)) == [memory_id(3), memory_id(1)]
    assert list(ledger.get_messages(OWNER, [message_id(4), memory_id(3), message_id(0)])) == [
        message_id(4),
        message_id(0),
    ]
    assert ledger.get_vectors(OWNER, asked) == {}
    assert ledger.get_chains(OWNER, asked) == {}
    assert ledger.get_memories(OWNER, []) == {}


def test_many_ids_are_read_in_one_call(ledger: Ledger) -> None:
    """More than the 100 that one BatchGetItem takes."""
    for start in range(0, 120, 60):
        ledger.commit(commit(*(message(n) for n in range(start, start + 60)), number=start))
    ids = [message_id(n) for n in reversed(range(120))]

    assert list(ledger.get_messages(OWNER, ids)) == ids


def test_owners_are_walled_off_whatever_they_are_called(ledger: Ledger) -> None:
    for number, owner in enumerate(NASTY):
        mine = memory(1, owner, content=f"of owner {number}")
        turn = message(1, owner, content=f"of owner {number}", context_id="chat")
        ledger.commit(commit(DocumentWrite(mine, vector(number)), turn, owner=owner, chains=(chain(mine),)))

    for number, owner in enumerate(NASTY):
        contents = {f"of owner {number}"}
        assert {m.content for m in ledger.get_memories(owner, [memory_id(1)]).values()} == contents
        assert {m.content for m in ledger.get_messages(owner, [message_id(1)]).values()} == contents
        assert {m.content for m in ledger.list_memories(owner, limit=100, now=NOW).memories} == contents
        recent = ledger.recent_messages(owner, "chat", before_id="msg_9", limit=100)
        assert [m.content for m in recent] == list(contents)
        assert [m.content for m in ledger.iterate_memories(owner)] == list(contents)
        assert [m.content for m in ledger.iterate_messages(owner)] == list(contents)
        assert [v.content for v in ledger.get_chains(owner, [memory_id(1)])[memory_id(1)].versions] == list(
            contents
        )
        np.testing.assert_allclose(
            ledger.get_vectors(owner, [memory_id(1)])[memory_id(1)], vector(number), atol=1e-3
        )
        assert [mark.owner for mark in ledger.pending_marks(owner)] == [owner]
    assert sorted(ledger.owners()) == sorted(NASTY)
    assert list(ledger.get_memories(Owner("c", "a#b"), [memory_id(1)])) == []


def test_fences_of_owners_are_apart_whatever_they_are_called(ledger: Ledger) -> None:
    for count, owner in enumerate(NASTY[:8]):
        ledger.raise_erasure_epoch(owner, count)
    assert [ledger.erasure_epoch(owner) for owner in NASTY[:8]] == list(range(8))


@pytest.mark.parametrize("context_id", [None, "chat", "none", "チャット#1", "x" * 256])
def test_recent_messages_are_the_last_of_their_context_before_an_id(
    ledger: Ledger, context_id: str | None
) -> None:
    contexts = (context_id, "another", None if context_id else "chat")
    for number in range(30):
        ledger.commit(commit(message(number, context_id=contexts[number % 3]), number=number))
    mine = [message_id(n) for n in range(0, 30, 3)]

    def recent(before: str, limit: int) -> list[str]:
        return [m.id for m in ledger.recent_messages(OWNER, context_id, before_id=before, limit=limit)]

    assert recent(message_id(15), 3) == mine[2:5]
    assert recent(message_id(16), 3) == mine[3:6]
    assert recent(message_id(0), 3) == []
    assert recent("msg_99999", 100) == mine
    assert ledger.recent_messages(OWNER, "empty", before_id="msg_99999", limit=3) == []


def test_iteration_is_complete_and_in_order_of_id(ledger: Ledger) -> None:
    """More than a page of either engine: 1 MB, 200 rows."""
    numbers = [int(number) for number in np.random.default_rng(1).permutation(210)]
    for start in range(0, len(numbers), 70):
        part = [message(number, content="あ" * 2_000) for number in numbers[start : start + 70]]
        ledger.commit(commit(*part, number=start))
    ledger.commit(commit(*(memory(n, is_current=n % 2 == 0) for n in range(12)), number=900))

    assert [m.id for m in ledger.iterate_messages(OWNER)] == [message_id(n) for n in range(210)]
    assert [m.id for m in ledger.iterate_memories(OWNER)] == [memory_id(n) for n in range(12)]


def test_an_iteration_can_stop_or_write_on_the_way(ledger: Ledger) -> None:
    ledger.commit(commit(*(message(n) for n in range(30))))
    seen = []
    for held in ledger.iterate_messages(OWNER):
        seen.append(held.id)
        if held.id in (message_id(5), message_id(7)):
            ledger.commit(commit(held.model_copy(update={"revision": 2}), number=len(seen)))
        if held.id == message_id(20):
            break
    ledger.commit(commit(message(99), number=99))

    assert seen == [message_id(n) for n in range(21)]
    assert all(earlier < later for earlier, later in pairwise(seen))
