"""Runs an ingestion's states in one process, by the same rules as the state machine."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from cognis_memory.errors import CognisError, LeaseHeld, RevisionConflict, StaleEvent, StaleLease
from cognis_memory.models.event import EventFailure
from cognis_memory.services.ingestion.embed_and_commit_memories import embed_and_commit_memories
from cognis_memory.services.ingestion.extract_memories import extract_memories
from cognis_memory.services.ingestion.failure import record_failure
from cognis_memory.services.ingestion.lease import acquire_user_lease, release_user_lease
from cognis_memory.services.ingestion.resolve_speakers_and_dates import resolve_speakers_and_dates
from cognis_memory.services.ingestion.state import IngestionPorts, IngestionState, LeaseAnswer
from cognis_memory.services.ingestion.store_messages import store_messages

Stage = Callable[[IngestionPorts, IngestionState], IngestionState]

_T = TypeVar("_T")

SUPERSEDED = (StaleLease, StaleEvent, RevisionConflict)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Bounds of every wait: `attempts` per state, `rounds` from acquiring to commit, seconds between."""

    attempts: int = 4
    rounds: int = 5
    first_delay: float = 0.2
    lease_polls: int = 600
    lease_poll_seconds: float = 0.25


DEFAULT_RETRIES = RetryPolicy()


def run_ingestion(
    ports: IngestionPorts, state: IngestionState, retries: RetryPolicy = DEFAULT_RETRIES
) -> IngestionState:
    """From the first state to the last; an event that failed for good is FAILED when this returns.

    A transient error, or a conflict with other runs, is raised after its last attempt: the event stays
    RUNNING and can be run again.
    """
    try:
        for stage in (store_messages, resolve_speakers_and_dates):
            state = attempt(partial(stage, ports, state), retries, also=SUPERSEDED)
        return _under_lease(ports, state, retries)
    except CognisError as error:
        if error.retryable or isinstance(error, SUPERSEDED):
            raise
        return _fail(ports, state, retries, error)


def _fail(
    ports: IngestionPorts, state: IngestionState, retries: RetryPolicy, error: CognisError
) -> IngestionState:
    """Records the error on the event; raises it when the event has gone with its user."""

    def record(ports: IngestionPorts, state: IngestionState) -> IngestionState:
        return record_failure(ports, state, EventFailure(type=error.code, detail=str(error)))

    state = attempt(partial(record, ports, state), retries, also=SUPERSEDED)
    if ports.ledger.get_event(state.tenant_id, state.event_id) is None:
        raise error
    return state


def _under_lease(ports: IngestionPorts, state: IngestionState, retries: RetryPolicy) -> IngestionState:
    """Acquires, extracts and commits; whoever is overtaken in between starts over from acquiring."""
    for round_number in range(1, retries.rounds + 1):
        state = acquire(ports, state, retries)
        try:
            state = attempt(partial(extract_memories, ports, state), retries)
            while state.extraction_left:
                state = attempt(partial(extract_memories, ports, state), retries)
            state = attempt(partial(embed_and_commit_memories, ports, state), retries)
        except SUPERSEDED:
            if round_number == retries.rounds:
                raise
        else:
            break
        finally:
            released = attempt(partial(release_user_lease, ports, state), retries)
        back_off(retries, round_number)
    return released


def acquire(ports: IngestionPorts, state: IngestionState, retries: RetryPolicy) -> IngestionState:
    """Waits for the user's lease. Raises LeaseHeld when it does not become free."""
    for _ in range(retries.lease_polls):
        acquired = attempt(partial(acquire_user_lease, ports, state), retries, also=SUPERSEDED)
        if acquired.lease is not LeaseAnswer.WAITING:
            return acquired
        time.sleep(retries.lease_poll_seconds)
    raise LeaseHeld(f"the lease of event {state.event_id}'s user did not become free")


def attempt(step: Callable[[], _T], retries: RetryPolicy, *, also: tuple[type[CognisError], ...] = ()) -> _T:
    """Repeats a step on transient errors and `also` on these."""
    for attempt_number in range(1, retries.attempts + 1):
        try:
            return step()
        except CognisError as error:
            if not (error.retryable or isinstance(error, also)) or attempt_number == retries.attempts:
                raise
            back_off(retries, attempt_number)
    raise AssertionError("a step is attempted at least once")


def back_off(retries: RetryPolicy, attempt: int) -> None:
    """Waits for a random time of at most `first_delay`, doubled with each attempt (full jitter)."""
    time.sleep(random.uniform(0, retries.first_delay * 2**attempt))  # noqa: S311
