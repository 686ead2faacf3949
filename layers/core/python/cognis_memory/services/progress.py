"""How events move: found, begun by a stage, changed step by step."""

from __future__ import annotations

from typing import Protocol

from cognis_memory.errors import NotFound
from cognis_memory.models.event import Event, EventReference, EventStatus
from cognis_memory.models.spending import Charge
from cognis_memory.ports import Clock, Ledger


class EventPorts(Protocol):
    """The part of a service's ports that events need."""

    @property
    def ledger(self) -> Ledger: ...

    @property
    def clock(self) -> Clock: ...


def find_event(ports: EventPorts, reference: EventReference) -> Event:
    """Raises NotFound for an event that was never accepted, or went with its user."""
    event = ports.ledger.get_event(reference.tenant_id, reference.event_id)
    if event is None:
        raise NotFound(f"there is no event {reference.event_id}")
    return event


def begin(ports: EventPorts, reference: EventReference, stage: str) -> Event:
    """Marks the event RUNNING in this stage, FAILED ones too (a redrive), and returns it.

    A finished event is returned as it is: the caller has nothing to do.
    """
    event = find_event(ports, reference)
    if event.status is EventStatus.SUCCEEDED:
        return event
    if event.status is EventStatus.RUNNING and event.stage == stage:
        return event
    return advance(ports, event, status=EventStatus.RUNNING, stage=stage, error=None, completed_at=None)


def advance(ports: EventPorts, event: Event, charge: Charge | None = None, **changes: object) -> Event:
    """Writes the event with these fields changed, and the charge with it.

    Raises StaleEvent when another run was faster.
    """
    changed = event.model_copy(
        update={**changes, "updated_at": ports.clock(), "revision": event.revision + 1}
    )
    ports.ledger.update_event(changed, charge)
    return changed
