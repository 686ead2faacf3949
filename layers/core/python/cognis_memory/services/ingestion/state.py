"""What the stages of an ingestion share: their ports and the small state that passes between them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import timedelta

from pydantic import BaseModel, ConfigDict

from cognis_memory.errors import NotFound, StaleEvent
from cognis_memory.models.event import Event, EventStatus, Lease
from cognis_memory.models.requests import IngestRequest
from cognis_memory.models.values import Owner
from cognis_memory.ports import (
    Clock,
    Embedder,
    Extractor,
    KeywordIndex,
    Ledger,
    PayloadStore,
    VectorIndex,
)
from cognis_memory.services.projection import Projector

LEASE_DURATION = timedelta(minutes=2)


class IngestionState(BaseModel):
    """Input and output of every stage: ids and keys only, no text and no user (invariant 10)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tenant_id: str
    event_id: str
    lease_token: int | None = None
    proposals_key: str | None = None


@dataclass(frozen=True, slots=True)
class IngestionPorts:
    """Everything the four stages need from the outside."""

    ledger: Ledger
    payloads: PayloadStore
    embedder: Embedder
    extractor: Extractor
    vectors: VectorIndex
    keywords: KeywordIndex
    projector: Projector
    clock: Clock

    def request(self, event: Event) -> IngestRequest:
        """The accepted request. Raises NotFound once the event has ended well."""
        return IngestRequest.model_validate_json(self.payloads.get(request_key(event.owner, event.id)))

    def event(self, state: IngestionState) -> Event:
        event = self.ledger.get_event(state.tenant_id, state.event_id)
        if event is None:
            raise NotFound(f"there is no event {state.event_id}")
        return event


def owner_prefix(owner: Owner) -> str:
    """Where all payloads of one user lie; the key shows neither tenant nor user."""
    digest = hashlib.sha256(f"{len(owner.tenant_id)}:{owner.tenant_id}{owner.user_id}".encode())
    return f"{digest.hexdigest()[:32]}/"


def payload_prefix(owner: Owner, event_id: str) -> str:
    return f"{owner_prefix(owner)}{event_id}/"


def request_key(owner: Owner, event_id: str) -> str:
    return f"{payload_prefix(owner, event_id)}request.json"


def begin(ports: IngestionPorts, state: IngestionState, stage: str) -> Event:
    """Marks the event RUNNING in this stage, FAILED ones too (a redrive), and returns it.

    A finished event is returned as it is: the caller has nothing to do.
    """
    event = ports.event(state)
    if event.status is EventStatus.SUCCEEDED:
        return event
    if event.status is EventStatus.RUNNING and event.stage == stage:
        return event
    return advance(ports, event, status=EventStatus.RUNNING, stage=stage, error=None, completed_at=None)


def advance(ports: IngestionPorts, event: Event, **changes: object) -> Event:
    """Writes the event with these fields changed. Raises StaleEvent when another run was faster."""
    changed = event.model_copy(
        update={**changes, "updated_at": ports.clock(), "revision": event.revision + 1}
    )
    ports.ledger.update_event(changed)
    return changed


def lease_of(owner: Owner, state: IngestionState, ports: IngestionPorts) -> Lease:
    """The lease that the state's token stands for."""
    if state.lease_token is None:
        raise StaleEvent(f"event {state.event_id} reached this stage without a lease")
    return Lease(owner, state.event_id, state.lease_token, ports.clock() + LEASE_DURATION)
