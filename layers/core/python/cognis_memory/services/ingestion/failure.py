"""The end of an event that cannot go on: the reason on the event, the lease free, the messages kept."""

from __future__ import annotations

from cognis_memory.models.event import EventFailure, EventStatus
from cognis_memory.services.ingestion.lease import release_user_lease
from cognis_memory.services.ingestion.state import IngestionPorts, IngestionState, advance

STAGE = "RecordFailure"


def record_failure(
    ports: IngestionPorts, state: IngestionState, *, error_type: str, detail: str
) -> IngestionState:
    """Marks the event FAILED at the stage that it had reached; the payload stays for a redrive."""
    event = ports.event(state)
    if event.status is not EventStatus.SUCCEEDED:
        failure = EventFailure(type=error_type, detail=detail)
        advance(ports, event, status=EventStatus.FAILED, error=failure, completed_at=ports.clock())
    return release_user_lease(ports, state)
