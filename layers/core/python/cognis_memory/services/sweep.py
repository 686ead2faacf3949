"""What a schedule, or the next start, picks up after a crash (invariant 5)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from cognis_memory.models.event import Event
from cognis_memory.models.values import Owner
from cognis_memory.ports import Clock, ExecutionStarter, ExecutionStatus, Ledger
from cognis_memory.services.executions import record_end

IDLE: Final = timedelta(minutes=2)
"""What nothing has moved for so long is looked at. A request starts its execution within half a minute of
its acceptance, and an event that waits for its lease gives a sign of life each minute."""

SWEEP_LIMIT: Final = 100
"""Events, and users, in one sweep: what is left comes with the next."""

_MARKS: Final = 1_000
"""So many marks are looked through for users: one whose index fails keeps leaving more of them."""


@dataclass(frozen=True, slots=True)
class SweepPorts:
    """What the sweep of a deployment needs from the outside."""

    ledger: Ledger
    starter: ExecutionStarter
    clock: Clock


@dataclass(frozen=True, slots=True)
class Swept:
    """What became of an event: its execution was started, or had ended and the event is now `failed`.

    Neither: it is left to its execution, or has ended by itself.
    """

    started: bool = False
    failed: Event | None = None


def idle_events(ledger: Ledger, now: datetime, *, idle: timedelta, limit: int = SWEEP_LIMIT) -> list[Event]:
    """Events, PENDING or RUNNING, that nothing has moved for `idle`, oldest first."""
    return ledger.unfinished_events(now - idle, limit)


def resume_event(ports: SweepPorts, event: Event) -> Swept:
    """Starts an event that has no execution, and marks one whose execution has ended.

    An event whose execution still runs is left alone, however long that waits.
    """
    execution = ports.starter.execution_of(event)
    if execution is None:
        ports.starter.start(event)
        return Swept(started=True)
    if execution.status is ExecutionStatus.RUNNING:
        return Swept()
    return Swept(failed=record_end(ports, event.reference, execution))


def owners_behind(ledger: Ledger, now: datetime, *, idle: timedelta, limit: int = SWEEP_LIMIT) -> list[Owner]:
    """Users with documents that were committed at least `idle` ago and still miss in an index."""
    marks = ledger.all_pending_marks(now - idle, _MARKS)
    return list(dict.fromkeys(mark.owner for mark in marks))[:limit]
