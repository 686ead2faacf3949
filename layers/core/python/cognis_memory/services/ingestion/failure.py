"""The end of an event that cannot go on: the reason on the event, the lease free, the messages kept."""

from __future__ import annotations

from cognis_memory.models.event import EventFailure, EventStatus
from cognis_memory.services.ingestion.lease import free_lease
from cognis_memory.services.ingestion.state import IngestionPorts, IngestionState
from cognis_memory.services.progress import advance

STAGE = "RecordFailure"


def record_failure(ports: IngestionPorts, state: IngestionState, failure: EventFailure) -> IngestionState:
    """Marks the event FAILED at the stage that it had reached; the payload stays for a redrive.

    An event that went with its user has nobody left to tell.
    """
    event = ports.ledger.get_event(state.tenant_id, state.event_id)
    if event is not None:
        free_lease(ports, event)
        if event.status is not EventStatus.SUCCEEDED:
            advance(ports, event, status=EventStatus.FAILED, error=failure, completed_at=ports.clock())
    return state.model_copy(update={"lease": None, "lease_token": None})
