"""The per-user lease: two ingestions of one user never interleave (invariant 3)."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from cognis_memory.deadline import carried
from cognis_memory.errors import CognisError, LeaseHeld, StaleLease
from cognis_memory.models.event import Event, EventStatus, Lease
from cognis_memory.services.ingestion.state import (
    LEASE_DURATION,
    IngestionPorts,
    IngestionState,
    LeaseAnswer,
    lease_of,
)
from cognis_memory.services.progress import EventPorts, advance, begin

ACQUIRE = "AcquireUserLease"
RELEASE = "ReleaseUserLease"

LONGEST_WAIT_SECONDS: Final = 20
"""With a few history entries a poll, an execution may wait some hours within its 25,000."""

RENEWAL_SECONDS = 40.0
"""Three of them make a lease."""

LAST_RENEWAL_SECONDS = 1.0
"""So long the work waits for a renewal under way, which may then end alone: its token is checked."""

SIGN_OF_LIFE = timedelta(minutes=1)
"""A waiting event is touched so often: a sweep finds only what nothing moves."""


def acquire_user_lease(ports: IngestionPorts, state: IngestionState) -> IngestionState:
    """The state with a new token, or with the seconds to wait while another ingestion holds the lease."""
    event = begin(ports, state, ACQUIRE)
    if event.status is EventStatus.SUCCEEDED:
        return _answer(state, LeaseAnswer.NOT_NEEDED)
    try:
        lease = ports.ledger.acquire_lease(event.owner, event.id, now=ports.clock(), duration=LEASE_DURATION)
    except LeaseHeld:
        if ports.clock() - event.updated_at >= SIGN_OF_LIFE:
            advance(ports, event)
        polls = state.lease_polls + 1
        return _answer(
            state, LeaseAnswer.WAITING, lease_polls=polls, wait_seconds=wait_seconds(event.id, polls)
        )
    return _answer(state, LeaseAnswer.ACQUIRED, lease_token=lease.token)


@contextmanager
def held_lease(ports: EventPorts, lease: Lease) -> Iterator[None]:
    """Renews the lease before the work inside, and again and again while it takes its time.

    So whoever waits for a model is not overtaken; a process that dies is, when its last renewal has lapsed.
    Raises StaleLease when that has happened to this one before.
    """
    done = threading.Event()

    def renew() -> None:
        ports.ledger.renew_lease(lease, now=ports.clock(), duration=LEASE_DURATION)

    def go_on() -> None:
        while not done.wait(RENEWAL_SECONDS):
            try:
                renew()
            except StaleLease:
                return  # the next write finds it
            except CognisError:
                continue  # the lease still lasts for some time

    renew()
    thread = threading.Thread(target=carried(go_on), name="cognis-lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join(LAST_RENEWAL_SECONDS)


def release_user_lease(ports: IngestionPorts, state: IngestionState) -> IngestionState:
    """Frees the lease if the state's token is still the newest; an event that was erased took it along."""
    event = ports.ledger.get_event(state.tenant_id, state.event_id)
    if state.lease_token is not None and event is not None:
        ports.ledger.release_lease(lease_of(event.owner, state, ports))
    return state.model_copy(update={"lease": None, "lease_token": None})


def free_lease(ports: EventPorts, event: Event) -> None:
    """Frees the lease if this event holds it, whatever its token; a process of it that still runs is fenced.

    The event acquires the lease anew, which makes every earlier token stale, and releases that.
    """
    try:
        lease = ports.ledger.acquire_lease(event.owner, event.id, now=ports.clock(), duration=LEASE_DURATION)
    except LeaseHeld:
        return
    ports.ledger.release_lease(lease)


def wait_seconds(event_id: str, polls: int) -> int:
    """Whole seconds before the lease is asked for again: the first second, then twice as long each time.

    Each wait lies between half and all of that, and never beyond `LONGEST_WAIT_SECONDS`; a hash of event and
    poll says where, so that those who wait for one user spread, and a repeat of the state answers the same.
    """
    longest = min(LONGEST_WAIT_SECONDS, 1 << min(polls - 1, LONGEST_WAIT_SECONDS))
    shortest = (longest + 1) // 2
    spread = zlib.crc32(f"{event_id} {polls}".encode()) % (longest - shortest + 1)
    return shortest + spread


def _answer(state: IngestionState, answer: LeaseAnswer, **changes: object) -> IngestionState:
    """What an earlier answer, or an extraction under an earlier lease, left in the state is gone."""
    fresh = IngestionState(tenant_id=state.tenant_id, event_id=state.event_id, lease=answer)
    return fresh.model_copy(update=changes)
