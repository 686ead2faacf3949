"""The per-user lease: two ingestions of one user never interleave (invariant 3)."""

from __future__ import annotations

from cognis_memory.errors import LeaseHeld
from cognis_memory.models.event import EventStatus
from cognis_memory.services.ingestion.state import (
    LEASE_DURATION,
    IngestionPorts,
    IngestionState,
    begin,
    lease_of,
)

ACQUIRE = "AcquireUserLease"
RELEASE = "ReleaseUserLease"


def acquire_user_lease(ports: IngestionPorts, state: IngestionState) -> IngestionState:
    """The state with a new token, or without one while another ingestion holds the user's lease."""
    event = begin(ports, state, ACQUIRE)
    if event.status is EventStatus.SUCCEEDED:
        return state
    try:
        lease = ports.ledger.acquire_lease(event.owner, event.id, now=ports.clock(), duration=LEASE_DURATION)
    except LeaseHeld:
        return state.model_copy(update={"lease_token": None})
    return state.model_copy(update={"lease_token": lease.token, "proposals_key": None})


def release_user_lease(ports: IngestionPorts, state: IngestionState) -> IngestionState:
    """Frees the lease if the state's token is still the newest."""
    if state.lease_token is not None:
        ports.ledger.release_lease(lease_of(ports.event(state).owner, state, ports))
    return state.model_copy(update={"lease_token": None})
