"""What the stages of an ingestion share: their ports and the small state that passes between them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from cognis_memory.domain.pricing import FREE, Prices
from cognis_memory.errors import StaleEvent
from cognis_memory.models.event import Event, EventReference, Lease
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
from cognis_memory.services.payload_keys import request_key
from cognis_memory.services.progress import EventPorts
from cognis_memory.services.projection import Projector

LEASE_DURATION = timedelta(minutes=2)


class LeaseAnswer(StrEnum):
    """What came of asking for the user's lease; NOT_NEEDED: the event has succeeded already."""

    ACQUIRED = "ACQUIRED"
    WAITING = "WAITING"
    NOT_NEEDED = "NOT_NEEDED"


class IngestionState(EventReference):
    """Input and output of every stage: ids and keys only, no text and no user (invariant 10).

    While `lease` is WAITING, `lease_polls` counts how often it was asked for, and `wait_seconds` says when
    to ask again. With `extraction_left` there is a draft of proposals, from which extraction goes on.
    """

    lease: LeaseAnswer | None = None
    lease_token: int | None = None
    lease_polls: int = 0
    wait_seconds: int | None = None
    proposals_key: str | None = None
    extraction_left: bool = False


@dataclass(frozen=True, slots=True)
class IngestionPorts:
    """Everything the four stages need from the outside; `prices` are those of embedder and extractor."""

    ledger: Ledger
    payloads: PayloadStore
    embedder: Embedder
    extractor: Extractor
    vectors: VectorIndex
    keywords: KeywordIndex
    projector: Projector
    clock: Clock
    prices: Prices = FREE

    def request(self, event: Event) -> IngestRequest:
        """The accepted request. Raises NotFound once the event has ended well."""
        return IngestRequest.model_validate_json(self.payloads.get(request_key(event.owner, event.id)))


def lease_of(owner: Owner, state: IngestionState, ports: EventPorts) -> Lease:
    """The lease that the state's token stands for."""
    if state.lease_token is None:
        raise StaleEvent(f"event {state.event_id} reached this stage without a lease")
    return Lease(owner, state.event_id, state.lease_token, ports.clock() + LEASE_DURATION)
