"""Leases, fencing tokens and the erasure epoch."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from cognis_memory.errors import LeaseHeld, StaleLease, UserErased
from cognis_memory.models.event import Lease
from cognis_memory.models.values import Owner
from cognis_memory.ports import Ledger

from .builders import NOW, OWNER, commit, erase_all, event, memory, memory_id, record

MINUTE = timedelta(minutes=1)


def acquire(ledger: Ledger, holder: str, *, at: timedelta = timedelta(), owner: Owner = OWNER) -> Lease:
    return ledger.acquire_lease(owner, holder, now=NOW + at, duration=MINUTE)


def test_a_lease_keeps_others_out_until_it_expires(ledger: Ledger) -> None:
    first = acquire(ledger, "evt_a")
    assert (first.owner, first.holder, first.expires_at) == (OWNER, "evt_a", NOW + MINUTE)

    with pytest.raises(LeaseHeld):
        acquire(ledger, "evt_b", at=MINUTE - timedelta(microseconds=1))
    second = acquire(ledger, "evt_b", at=MINUTE)
    assert second.token > first.token


def test_users_do_not_wait_for_each_other(ledger: Ledger) -> None:
    acquire(ledger, "evt_a")
    acquire(ledger, "evt_b", owner=Owner("acme", "bob"))
    acquire(ledger, "evt_c", owner=Owner("other", "ana"))


def test_the_same_holder_gets_a_new_token(ledger: Ledger) -> None:
    first, second = acquire(ledger, "evt_a"), acquire(ledger, "evt_a")
    assert second.token > first.token

    with pytest.raises(StaleLease):
        ledger.renew_lease(first, now=NOW, duration=MINUTE)


def test_tokens_grow_even_after_a_release(ledger: Ledger) -> None:
    tokens = []
    for holder in ("evt_a", "evt_b", "evt_a"):
        lease = acquire(ledger, holder)
        tokens.append(lease.token)
        ledger.release_lease(lease)
    assert tokens == sorted(set(tokens))


def test_only_its_own_lease_is_released(ledger: Ledger) -> None:
    stale = acquire(ledger, "evt_a")
    current = acquire(ledger, "evt_b", at=MINUTE)
    ledger.release_lease(stale)

    with pytest.raises(LeaseHeld):
        acquire(ledger, "evt_c", at=MINUTE)
    ledger.release_lease(current)
    ledger.release_lease(current)
    acquire(ledger, "evt_c", at=MINUTE)


def test_a_renewal_keeps_the_token_and_moves_the_expiry(ledger: Ledger) -> None:
    lease = acquire(ledger, "evt_a")
    renewed = ledger.renew_lease(lease, now=NOW + MINUTE / 2, duration=MINUTE)
    assert (renewed.token, renewed.expires_at) == (lease.token, NOW + 1.5 * MINUTE)

    with pytest.raises(LeaseHeld):
        acquire(ledger, "evt_b", at=1.4 * MINUTE)


@pytest.mark.parametrize("end", ["takeover", "release", "erasure"])
def test_a_lease_that_ended_is_not_renewed_and_does_not_write(ledger: Ledger, end: str) -> None:
    lease = acquire(ledger, "evt_a")
    if end == "takeover":
        acquire(ledger, "evt_b", at=2 * MINUTE)
    elif end == "release":
        ledger.release_lease(lease)
    else:
        ledger.raise_erasure_epoch(OWNER, 1)

    with pytest.raises(StaleLease):
        ledger.renew_lease(lease, now=NOW, duration=MINUTE)
    epoch = ledger.erasure_epoch(OWNER)
    with pytest.raises(StaleLease):
        ledger.commit(commit(memory(1), epoch=epoch, fence=lease.token))
    assert ledger.get_memories(OWNER, [memory_id(1)]) == {}


def test_an_expired_lease_that_nobody_took_over_still_writes(ledger: Ledger) -> None:
    """Only a newer token makes a lease stale: no clock decides about a commit."""
    lease = acquire(ledger, "evt_a")
    ledger.renew_lease(lease, now=NOW + 5 * MINUTE, duration=MINUTE)
    ledger.commit(commit(memory(1), fence=lease.token, created_at=NOW + 10 * MINUTE))

    assert memory_id(1) in ledger.get_memories(OWNER, [memory_id(1)])


def test_a_token_of_nobody_is_stale(ledger: Ledger) -> None:
    with pytest.raises(StaleLease):
        ledger.commit(commit(memory(1), fence=1))
    lease = acquire(ledger, "evt_a")
    with pytest.raises(StaleLease):
        ledger.renew_lease(replace(lease, holder="evt_b"), now=NOW, duration=MINUTE)
    with pytest.raises(StaleLease):
        ledger.commit(commit(memory(1), fence=lease.token + 1))


def test_concurrent_acquisitions_have_one_winner(ledger: Ledger) -> None:
    def attempt(number: int) -> int | None:
        try:
            return acquire(ledger, f"evt_{number}").token
        except LeaseHeld:
            return None

    with ThreadPoolExecutor(8) as pool:
        tokens = [token for token in pool.map(attempt, range(8)) if token is not None]
    assert len(tokens) == 1


def test_epochs_begin_at_zero_and_are_each_users_own(ledger: Ledger) -> None:
    assert ledger.erasure_epoch(OWNER) == 0
    ledger.raise_erasure_epoch(OWNER, 3)
    assert ledger.erasure_epoch(OWNER) == 3
    assert ledger.erasure_epoch(Owner("acme", "bob")) == 0


@pytest.mark.parametrize("to", [1, 2, 3])
def test_an_epoch_never_falls_and_one_that_is_there_takes_no_lease(ledger: Ledger, to: int) -> None:
    ledger.raise_erasure_epoch(OWNER, 3)
    lease = acquire(ledger, "evt_a")
    ledger.raise_erasure_epoch(OWNER, to)

    assert ledger.erasure_epoch(OWNER) == 3
    assert ledger.renew_lease(lease, now=NOW, duration=MINUTE).token == lease.token


def test_concurrent_raises_end_at_the_highest_epoch(ledger: Ledger) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda to: ledger.raise_erasure_epoch(OWNER, to), (2, 4, 1, 3)))
    assert ledger.erasure_epoch(OWNER) == 4


@pytest.mark.parametrize("epoch", [0, 2])
def test_commits_of_another_epoch_are_refused(ledger: Ledger, epoch: int) -> None:
    ledger.raise_erasure_epoch(OWNER, 1)

    with pytest.raises(UserErased):
        ledger.commit(commit(memory(1), epoch=epoch))
    ledger.commit(commit(memory(1), epoch=1))


def test_an_erasure_frees_the_lease_at_once_and_tokens_go_on(ledger: Ledger) -> None:
    before = acquire(ledger, "evt_a")
    ledger.raise_erasure_epoch(OWNER, 1)
    erase_all(ledger)

    assert acquire(ledger, "evt_b").token > before.token


@pytest.mark.parametrize("epoch", [0, 2])
def test_events_of_another_epoch_are_refused(ledger: Ledger, epoch: int) -> None:
    """What was being accepted when the user was erased leaves nothing behind."""
    ledger.raise_erasure_epoch(OWNER, 1)
    late = event(1, erasure_epoch=epoch)
    with pytest.raises(UserErased):
        ledger.create_event(late, record(late))

    assert ledger.get_event("acme", late.id) is None
    anew = event(2, erasure_epoch=1)
    assert ledger.create_event(anew, record(anew)) == anew
