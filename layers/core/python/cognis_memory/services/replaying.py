"""Failed events, and how one of them is carried out once more."""

from __future__ import annotations

from dataclasses import dataclass

from cognis_memory.errors import Conflict, NotFound
from cognis_memory.models.event import Event, EventStatus
from cognis_memory.ports import Clock, ExecutionStarter, Ledger, PayloadStore
from cognis_memory.services.ingestion.accept import start
from cognis_memory.services.progress import advance


@dataclass(frozen=True, slots=True)
class ReplayPorts:
    """What a replay needs from the outside."""

    ledger: Ledger
    payloads: PayloadStore
    starter: ExecutionStarter
    clock: Clock


def replay_event(ports: ReplayPorts, tenant_id: str, event_id: str) -> Event:
    """Puts a FAILED event back to PENDING and starts an execution of its own for it.

    What its earlier attempts committed stays, and is not done twice. An execution that cannot be started now
    is left to the sweep. Raises NotFound for an event that is not there or whose request is no longer kept,
    Conflict for one that has not failed, StaleEvent for one that another replay was faster with.
    """
    event = ports.ledger.get_event(tenant_id, event_id)
    if event is None:
        raise NotFound(f"there is no event {event_id} of tenant {tenant_id}")
    if not event.failed:
        raise Conflict(f"event {event_id} is {event.status}; only a FAILED one can be replayed")
    if event.payload_key is not None:
        _check_payload(ports.payloads, event.payload_key, event_id)
    pending = advance(
        ports,
        event,
        status=EventStatus.PENDING,
        attempt=event.attempt + 1,
        error=None,
        completed_at=None,
    )
    start(pending, ports.starter)
    return pending


def _check_payload(payloads: PayloadStore, key: str, event_id: str) -> None:
    try:
        payloads.get(key)
    except NotFound:
        raise NotFound(f"the request of event {event_id} is no longer kept; send it again") from None
