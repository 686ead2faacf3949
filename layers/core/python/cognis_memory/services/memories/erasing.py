"""Erasing everything of a user: asked for at once, carried out step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cognis_memory.models.event import Event, EventKind, EventReference, EventStatus
from cognis_memory.models.values import Owner
from cognis_memory.ports import Clock, Ledger
from cognis_memory.services.erasure_epochs import erasing_epoch
from cognis_memory.services.ingestion.state import owner_prefix
from cognis_memory.services.memories.ports import MemoryPorts
from cognis_memory.services.progress import advance, begin

STAGE: Final = "EraseUser"

ERASE_BATCH: Final = 500


def request_erasure(ledger: Ledger, owner: Owner, event_id: str, clock: Clock) -> Event:
    """A PENDING event of kind ERASURE; from here on nothing is accepted or committed for the user.

    A crash between the two writes leaves the user closed and the caller without an answer: the same request
    once more goes on from there.
    """
    epoch = erasing_epoch(ledger.erasure_epoch(owner))
    ledger.raise_erasure_epoch(owner, epoch)
    now = clock()
    event = Event(
        id=event_id,
        tenant_id=owner.tenant_id,
        user_id=owner.user_id,
        kind=EventKind.ERASURE,
        erasure_epoch=epoch,
        created_at=now,
        updated_at=now,
    )
    return ledger.create_event(event)


def erase_user(ports: MemoryPorts, reference: EventReference) -> Event:
    """Removes ledger items, payloads and indexes, and ends the event with counts per kind of item.

    A repeat after a crash removes what is left and goes on counting. Where another erasure has ended since
    this one was asked for, what is there now is new and stays. Raises StaleEvent when another run of the
    same erasure is further on.
    """
    event = begin(ports, reference, STAGE)
    if event.status is EventStatus.SUCCEEDED:
        return event
    owner = event.owner
    if _under_way(ports, event):
        event = _erase_items(ports, event)
        ports.payloads.delete(owner_prefix(owner))
        ports.ledger.raise_erasure_epoch(owner, event.erasure_epoch + 1)
    # Last, for a projection that began while the epoch was odd sees now that it is another, or ended before.
    ports.projector.drop(owner)
    return advance(ports, event, status=EventStatus.SUCCEEDED, completed_at=ports.clock())


def _erase_items(ports: MemoryPorts, event: Event) -> Event:
    """Batch by batch, each counted on the event before the next."""
    while _under_way(ports, event):
        erased = ports.ledger.erase(event.owner, limit=ERASE_BATCH)
        event = advance(ports, event, counts=_sum(event.counts, erased))
        if not any(erased.values()):
            break
    return event


def _under_way(ports: MemoryPorts, event: Event) -> bool:
    return ports.ledger.erasure_epoch(event.owner) == event.erasure_epoch


def _sum(counts: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    return {kind: number + counts.get(kind, 0) for kind, number in more.items()}
