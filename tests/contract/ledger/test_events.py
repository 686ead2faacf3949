"""Events, idempotency records, and the sweep's view of what is unfinished."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from cognis_memory.errors import IdempotencyKeyReused, StaleEvent, UserErased
from cognis_memory.models.event import EventKind, EventOperation, EventStatus, Notice
from cognis_memory.models.values import Operation, Owner
from cognis_memory.ports import Ledger

from .builders import NOW, OWNER, erase_all, event, later, memory_id, message_id, record


def test_an_event_is_read_back_by_its_tenant_only(ledger: Ledger) -> None:
    created = ledger.create_event(event())

    assert created == event()
    assert ledger.get_event("acme", created.id) == created
    assert ledger.get_event("other", created.id) is None
    assert ledger.get_event("acme", "evt_9999") is None
    assert ledger.get_event("acme", "x" * 5_000) is None


def test_an_event_whose_id_exists_is_returned_as_it_is(ledger: Ledger) -> None:
    ledger.create_event(event())
    ledger.update_event(later(event(), status=EventStatus.RUNNING))

    assert ledger.create_event(event()).status is EventStatus.RUNNING


def test_the_same_key_and_body_bring_back_the_first_event(ledger: Ledger) -> None:
    first, second = event(1), event(2)
    ledger.create_event(first, record(first))

    assert ledger.create_event(second, record(second)) == first
    assert ledger.get_event("acme", second.id) is None


def test_a_repeat_of_the_same_creation_brings_back_its_own_event(ledger: Ledger) -> None:
    ledger.create_event(event(), record(event()))

    assert ledger.create_event(event(), record(event())) == event()


def test_a_key_with_another_body_is_refused(ledger: Ledger) -> None:
    ledger.create_event(event(1), record(event(1)))

    with pytest.raises(IdempotencyKeyReused):
        ledger.create_event(event(2), record(event(2), body_hash="another"))
    assert ledger.get_event("acme", event(2).id) is None


def test_keys_belong_to_their_tenant(ledger: Ledger) -> None:
    theirs = event(2, Owner("other", "ana"))
    ledger.create_event(event(1), record(event(1)))

    assert ledger.create_event(theirs, record(theirs, body_hash="another")) == theirs


def test_an_expired_key_is_free_again(ledger: Ledger) -> None:
    first = event(1)
    just_before = event(2, created_at=NOW + timedelta(hours=24, microseconds=-1))
    at_expiry = event(3, created_at=NOW + timedelta(hours=24))
    again = event(4, created_at=NOW + timedelta(hours=25))
    ledger.create_event(first, record(first))

    assert ledger.create_event(just_before, record(just_before)) == first
    assert ledger.create_event(at_expiry, record(at_expiry, body_hash="another")) == at_expiry
    assert ledger.create_event(again, record(again, body_hash="another")) == at_expiry


def test_concurrent_creations_with_one_key_make_one_event(ledger: Ledger) -> None:
    candidates = [event(number) for number in range(1, 9)]
    with ThreadPoolExecutor(len(candidates)) as pool:
        answers = list(pool.map(lambda made: ledger.create_event(made, record(made)), candidates))

    assert len({answer.id for answer in answers}) == 1
    held = [made for made in candidates if ledger.get_event("acme", made.id)]
    assert [made.id for made in held] == [answers[0].id]


def test_a_key_whose_event_was_erased_is_refused(ledger: Ledger) -> None:
    """A repeat of what was accepted before the erasure must not bring it back."""
    ledger.create_event(event(1), record(event(1)))
    ledger.raise_erasure_epoch(OWNER, 1)
    erase_all(ledger)

    with pytest.raises(UserErased):
        ledger.create_event(event(2), record(event(2)))
    assert ledger.get_event("acme", event(2).id) is None


def test_a_record_must_name_its_event(ledger: Ledger) -> None:
    with pytest.raises(ValueError, match="names the event"):
        ledger.create_event(event(1), record(event(2)))


def test_updates_go_from_revision_to_revision(ledger: Ledger) -> None:
    ledger.create_event(event())
    running = later(event(), status=EventStatus.RUNNING, stage="StoreMessages")
    ledger.update_event(running)

    with pytest.raises(StaleEvent):
        ledger.update_event(running)
    with pytest.raises(StaleEvent):
        ledger.update_event(later(later(running)))
    with pytest.raises(StaleEvent):
        ledger.update_event(later(event(7)))
    assert ledger.get_event("acme", event().id) == running
    assert ledger.get_event("acme", event(7).id) is None


def test_an_event_of_the_largest_request_fits(ledger: Ledger) -> None:
    operations = tuple(
        EventOperation(
            operation=Operation.UPDATE,
            memory_id=memory_id(number),
            replaces_id=memory_id(number + 1),
            message_id=message_id(number % 500),
        )
        for number in range(3_000)
    )
    large = event(
        message_ids=tuple(message_id(number) for number in range(500)),
        operations=operations,
        notices=tuple(Notice(code="secret_masked", message_id=message_id(n)) for n in range(500)),
    )
    ledger.create_event(large)

    assert ledger.get_event("acme", large.id) == large


def test_unfinished_events_come_oldest_first_and_finished_ones_not_at_all(ledger: Ledger) -> None:
    minutes = {1: 5, 2: 3, 3: 9, 4: 1, 5: 20}
    for number, age in minutes.items():
        owner = Owner(f"tenant{number % 2}", f"user{number}")
        ledger.create_event(event(number, owner, updated_at=NOW - timedelta(minutes=age)))
    done = event(3, Owner("tenant1", "user3"), updated_at=NOW - timedelta(minutes=9))
    ledger.update_event(later(done, status=EventStatus.SUCCEEDED, completed_at=NOW))
    failed = event(2, Owner("tenant0", "user2"), updated_at=NOW - timedelta(minutes=3))
    ledger.update_event(later(failed, status=EventStatus.FAILED))

    found = ledger.unfinished_events(NOW - timedelta(minutes=1), limit=10)
    assert [found_event.id for found_event in found] == ["evt_0005", "evt_0001"]
    assert [e.id for e in ledger.unfinished_events(NOW, limit=1)] == ["evt_0005"]


def test_failed_events_come_newest_first_and_no_others(ledger: Ledger) -> None:
    minutes = {1: 5, 2: 3, 3: 9, 4: 1, 5: 20, 6: 0}
    for number, age in minutes.items():
        owner = Owner(f"tenant{number % 2}", f"user{number}")
        made = event(number, owner, updated_at=NOW - timedelta(minutes=age))
        ledger.create_event(made)
        status = EventStatus.SUCCEEDED if number == 6 else EventStatus.FAILED
        ledger.update_event(later(made, status=status, completed_at=NOW))
    ledger.create_event(event(7))
    failed = ledger.failed_events(NOW - timedelta(minutes=9), limit=10)

    assert [found.id for found in failed] == ["evt_0004", "evt_0002", "evt_0001", "evt_0003"]
    assert [found.id for found in ledger.failed_events(NOW - timedelta(hours=1), limit=2)] == [
        "evt_0004",
        "evt_0002",
    ]
    ledger.update_event(later(failed[0], status=EventStatus.PENDING, attempt=2))
    assert "evt_0004" not in {found.id for found in ledger.failed_events(NOW - timedelta(hours=1), limit=9)}


def test_an_event_that_runs_again_is_unfinished_again(ledger: Ledger) -> None:
    failed = event(status=EventStatus.FAILED)
    ledger.create_event(failed)
    assert ledger.unfinished_events(NOW + timedelta(hours=1), limit=5) == []

    running = later(failed, status=EventStatus.RUNNING, updated_at=NOW + timedelta(minutes=1))
    ledger.update_event(running)
    assert ledger.unfinished_events(NOW + timedelta(minutes=1), limit=5) == []
    assert ledger.unfinished_events(NOW + timedelta(minutes=2), limit=5) == [running]


def test_events_of_erasures_are_events_like_others(ledger: Ledger) -> None:
    erasure = event(kind=EventKind.ERASURE)
    ledger.create_event(erasure)
    ledger.update_event(later(erasure, status=EventStatus.RUNNING))

    found = ledger.get_event("acme", erasure.id)
    assert found is not None
    assert found.status is EventStatus.RUNNING


def test_what_a_key_is_bound_to_can_be_asked(ledger: Ledger) -> None:
    bound = record(event(1), hours=1)
    assert ledger.bound_event(bound, NOW) is None
    ledger.create_event(event(1), bound)

    assert ledger.bound_event(record(event(2)), NOW) == event(1)
    with pytest.raises(IdempotencyKeyReused):
        ledger.bound_event(record(event(2), body_hash="another"), NOW)
    assert ledger.bound_event(record(event(2)), bound.expires_at) is None
    assert ledger.bound_event(record(event(2), key="another"), NOW) is None
    erase_all(ledger)
    with pytest.raises(UserErased):
        ledger.bound_event(record(event(2)), NOW)
