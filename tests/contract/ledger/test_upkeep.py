"""Pending marks, erasure in steps, and the walk over owners."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest

from cognis_memory.errors import UserErased
from cognis_memory.models.commit import DocumentWrite, PendingMark
from cognis_memory.models.event import EventKind, EventStatus
from cognis_memory.models.values import Owner
from cognis_memory.ports import Ledger

from .builders import (
    NOW,
    OWNER,
    chain,
    commit,
    erase_all,
    event,
    later,
    memory,
    memory_id,
    message,
    message_id,
    record,
    vector,
)

BOB = Owner("acme", "bob")
MINUTE = timedelta(minutes=1)
HELD = 10


def test_marks_stand_until_they_are_cleared(ledger: Ledger) -> None:
    ledger.commit(commit(memory(1), message(1), number=1, created_at=NOW + MINUTE))
    ledger.commit(commit(memory(2), number=2, created_at=NOW, deleted=(memory_id(9),)))
    ledger.commit(commit(memory(3), number=3, created_at=NOW + 2 * MINUTE))

    assert ledger.pending_marks(OWNER) == [
        PendingMark(OWNER, "evt_0001-2", (memory_id(2), memory_id(9)), NOW),
        PendingMark(OWNER, "evt_0001-1", (memory_id(1), message_id(1)), NOW + MINUTE),
        PendingMark(OWNER, "evt_0001-3", (memory_id(3),), NOW + 2 * MINUTE),
    ]
    ledger.clear_pending(OWNER, ["evt_0001-2", "evt_0001-1", "evt_0001-2", "unknown"])
    ledger.clear_pending(BOB, ["evt_0001-3"])
    ledger.clear_pending(OWNER, [])
    assert [mark.commit_id for mark in ledger.pending_marks(OWNER)] == ["evt_0001-3"]


def test_marks_of_all_owners_come_oldest_first(ledger: Ledger) -> None:
    owners = [Owner(f"tenant{number % 3}", f"user{number}") for number in range(12)]
    for number, owner in enumerate(owners):
        age = NOW - (number * 5 % 12) * MINUTE
        ledger.commit(commit(memory(1, owner), owner=owner, number=number, created_at=age))

    everyone = ledger.all_pending_marks(NOW + MINUTE, limit=100)
    assert {mark.owner for mark in everyone} == set(owners)
    assert [m.created_at for m in everyone] == sorted(m.created_at for m in everyone)
    assert ledger.all_pending_marks(NOW + MINUTE, limit=3) == everyone[:3]
    assert ledger.all_pending_marks(NOW - 5 * MINUTE, limit=100) == everyone[:6]

    ledger.clear_pending(everyone[0].owner, [everyone[0].commit_id])
    assert ledger.all_pending_marks(NOW + MINUTE, limit=100) == everyone[1:]


def fill(ledger: Ledger, owner: Owner, events: int = 3) -> Counter[str]:
    """Something of everything; what an erasure has to count."""
    for number in range(events):
        ledger.create_event(event(number + (100 if owner == BOB else 0), owner))
    for number in range(HELD):
        held = memory(number, owner)
        writes = (DocumentWrite(held, vector(number)), DocumentWrite(message(number, owner), vector(number)))
        ledger.commit(commit(*writes, owner=owner, number=number, chains=(chain(held),)))
    return Counter(memories=HELD, messages=HELD, vectors=2 * HELD, chains=HELD, marks=HELD, events=events)


@pytest.mark.parametrize("limit", [7, 1_000])
def test_an_erasure_goes_in_steps_until_nothing_is_left(ledger: Ledger, limit: int) -> None:
    expected = fill(ledger, OWNER)
    fill(ledger, BOB)
    ledger.raise_erasure_epoch(OWNER, 1)
    listed = ledger.held_items(OWNER, limit=1_000)
    assert listed == sorted(listed)
    assert ledger.held_items(OWNER, limit=limit) == listed[:limit]
    assert erase_all(ledger, limit=limit) == expected

    assert ledger.held_items(OWNER, limit=limit) == []
    assert list(ledger.iterate_memories(OWNER)) == []
    assert list(ledger.iterate_messages(OWNER)) == []
    assert ledger.get_vectors(OWNER, [memory_id(1), message_id(1)]) == {}
    assert ledger.get_chains(OWNER, [memory_id(1)]) == {}
    assert ledger.pending_marks(OWNER) == []
    assert {mark.owner for mark in ledger.all_pending_marks(NOW + MINUTE, limit=100)} == {BOB}
    assert ledger.get_event("acme", event(1).id) is None
    assert {held.owner for held in ledger.unfinished_events(NOW + MINUTE, limit=100)} == {BOB}
    assert list(ledger.owners()) == [BOB]
    assert ledger.erasure_epoch(OWNER) == 1


def test_an_erasure_leaves_others_alone(ledger: Ledger) -> None:
    fill(ledger, OWNER)
    expected = fill(ledger, BOB)
    erase_all(ledger)

    assert len(list(ledger.iterate_memories(BOB))) == expected["memories"]
    assert len(list(ledger.iterate_messages(BOB))) == expected["messages"]
    assert len(ledger.get_vectors(BOB, [memory_id(n) for n in range(HELD)])) == HELD
    assert len(ledger.pending_marks(BOB)) == expected["marks"]
    assert ledger.get_event("acme", event(101, BOB).id) == event(101, BOB)


def test_the_events_of_erasures_outlive_them(ledger: Ledger) -> None:
    """One of them is under way and says in the end what was erased."""
    erasure = event(50, kind=EventKind.ERASURE)
    fill(ledger, OWNER)
    ledger.create_event(erasure, record(erasure))
    erase_all(ledger)
    done = later(erasure, status=EventStatus.SUCCEEDED, counts={"memories": HELD})
    ledger.update_event(done)

    assert ledger.get_event("acme", erasure.id) == done
    assert ledger.held_items(OWNER, limit=100) == []
    assert list(ledger.owners()) == []


def test_items_are_erased_again_and_again_without_a_fault(ledger: Ledger) -> None:
    fill(ledger, OWNER)
    items = ledger.held_items(OWNER, limit=7)
    for _ in range(2):
        ledger.erase(OWNER, items, epoch=0)

    assert not set(items) & set(ledger.held_items(OWNER, limit=1_000))


def test_an_erasure_that_was_overtaken_removes_nothing(ledger: Ledger) -> None:
    fill(ledger, OWNER)
    ledger.raise_erasure_epoch(OWNER, 1)
    items = ledger.held_items(OWNER, limit=1_000)
    ledger.raise_erasure_epoch(OWNER, 2)
    with pytest.raises(UserErased):
        ledger.erase(OWNER, items, epoch=1)

    assert ledger.held_items(OWNER, limit=1_000) == items


def test_a_user_can_begin_anew_after_an_erasure(ledger: Ledger) -> None:
    fill(ledger, OWNER)
    ledger.raise_erasure_epoch(OWNER, 1)
    erase_all(ledger)
    ledger.commit(commit(memory(1), epoch=1, chains=(chain(memory(1)),)))

    assert list(ledger.iterate_memories(OWNER)) == [memory(1)]


def test_what_has_expired_is_found_oldest_first(ledger: Ledger) -> None:
    kept = [memory(1), message(1), memory(2, expires_at=NOW + MINUTE), message(2, BOB, expires_at=NOW)]
    gone = [
        memory(3, expires_at=NOW - 3 * MINUTE),
        message(4, BOB, expires_at=NOW - 2 * MINUTE),
        memory(5, BOB, expires_at=NOW - MINUTE),
    ]
    for number, document in enumerate([*kept, *reversed(gone)]):
        ledger.commit(commit(document, owner=document.owner, number=number))

    expected = [(held.owner, held.id, held.expires_at) for held in gone]
    for limit, found in ((10, expected), (2, expected[:2])):
        assert [(e.owner, e.id, e.expires_at) for e in ledger.expired_documents(NOW, limit)] == found


def test_what_no_longer_expires_or_is_gone_is_not_found_as_expired(ledger: Ledger) -> None:
    past = NOW - MINUTE
    ledger.commit(commit(memory(1, expires_at=past), message(1, expires_at=past), memory(2, expires_at=past)))
    ledger.commit(commit(memory(1, expires_at=None, revision=2), number=2))
    ledger.commit(commit(message(1, expires_at=past, content="", redacted=True, revision=2), number=3))
    assert [expired.id for expired in ledger.expired_documents(NOW, 10)] == [memory_id(2), message_id(1)]

    ledger.commit(commit(number=4, deleted=(memory_id(2), message_id(1))))
    assert ledger.expired_documents(NOW, 10) == []


def test_owners_are_all_who_hold_documents_each_once(ledger: Ledger) -> None:
    many = [Owner(f"tenant{number % 7}", f"ユーザー{number}") for number in range(25)]
    for owner in many:
        ledger.commit(commit(message(1, owner), message(2, owner), owner=owner))
    ledger.create_event(event(1, BOB))
    ledger.raise_erasure_epoch(BOB, 1)

    assert sorted(ledger.owners()) == sorted(many)
