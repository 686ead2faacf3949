"""What a schedule, or the next start, picks up after a crash (invariant 5)."""

from __future__ import annotations

from datetime import datetime, timedelta

from cognis_memory.models.event import EventKind
from cognis_memory.ports import Ledger
from cognis_memory.services.ingestion.state import IngestionState
from cognis_memory.services.projection import Projector

SWEEP_LIMIT = 100


def unfinished_ingestions(
    ledger: Ledger, now: datetime, *, idle: timedelta, limit: int = SWEEP_LIMIT
) -> list[IngestionState]:
    """Ingestions that nothing has moved for `idle`: each may be run again from its first stage."""
    events = ledger.unfinished_events(now - idle, limit)
    return [
        IngestionState(tenant_id=event.tenant_id, event_id=event.id)
        for event in events
        if event.kind is EventKind.INGESTION
    ]


def finish_projections(
    ledger: Ledger, projector: Projector, now: datetime, *, idle: timedelta, limit: int = SWEEP_LIMIT
) -> int:
    """Projects what was committed at least `idle` ago and is still marked; returns how many users."""
    owners = {mark.owner for mark in ledger.all_pending_marks(now - idle, limit)}
    for owner in sorted(owners):
        projector.catch_up(owner)
    return len(owners)
