"""Erasing everything of a user."""

from __future__ import annotations

from collections import Counter

from cognis_memory.models.event import Event, EventKind, EventStatus
from cognis_memory.models.values import Owner
from cognis_memory.services.ingestion.state import owner_prefix
from cognis_memory.services.memories.ports import MemoryPorts

ERASE_BATCH = 500


def erase_user(ports: MemoryPorts, owner: Owner, event_id: str) -> Event:
    """Removes ledger items, payloads and indexes, and returns an event with counts per kind of item.

    The epoch is raised first: an ingestion under way commits nothing from then on. A repeat after a crash
    removes what is left.
    """
    started = ports.clock()
    epoch = ports.ledger.raise_erasure_epoch(owner)
    counts: Counter[str] = Counter()
    while any((erased := ports.ledger.erase(owner, limit=ERASE_BATCH)).values()):
        counts.update(erased)
    ports.payloads.delete(owner_prefix(owner))
    ports.projector.drop(owner)
    event = Event(
        id=event_id,
        tenant_id=owner.tenant_id,
        user_id=owner.user_id,
        kind=EventKind.ERASURE,
        status=EventStatus.SUCCEEDED,
        counts=dict(counts),
        erasure_epoch=epoch,
        created_at=started,
        updated_at=ports.clock(),
        completed_at=ports.clock(),
    )
    return ports.ledger.create_event(event)
