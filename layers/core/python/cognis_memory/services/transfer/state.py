"""What exports and imports share: their ports, their events, and the state between the states."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cognis_memory.domain.pricing import FREE, Prices
from cognis_memory.models.event import Event, EventKind, EventReference
from cognis_memory.models.values import Owner
from cognis_memory.ports import Clock, Embedder, Ledger, TransferFiles
from cognis_memory.services.budgets import check_budget
from cognis_memory.services.erasure_epochs import writable_epoch
from cognis_memory.services.projection import Projector


@dataclass(frozen=True, slots=True)
class TransferPorts:
    """What exports and imports need from the outside; the embedder, at `prices`, for what has no vector."""

    ledger: Ledger
    files: TransferFiles
    embedder: Embedder
    projector: Projector
    clock: Clock
    masks_secrets: bool = True
    prices: Prices = FREE


class UploadAnswer(StrEnum):
    """What came of looking for the uploaded file; NOT_NEEDED: the event has succeeded already."""

    FOUND = "FOUND"
    WAITING = "WAITING"
    NOT_NEEDED = "NOT_NEEDED"


class UploadState(EventReference):
    """While `upload` is WAITING, `polls` counts how often it was looked for, and `wait_seconds` says when to
    look again."""

    upload: UploadAnswer | None = None
    polls: int = 0
    wait_seconds: int | None = None


def request_transfer(
    ledger: Ledger, owner: Owner, kind: EventKind, event_id: str, clock: Clock, *, prices: Prices = FREE
) -> Event:
    """A PENDING event of kind EXPORT or IMPORT.

    Raises UserErased while the user is being erased; of an import, which may have to embed what it takes
    over, BudgetExceeded as well.
    """
    now = clock()
    if kind is EventKind.IMPORT:
        check_budget(ledger, owner.tenant_id, prices, now)
    event = Event(
        id=event_id,
        tenant_id=owner.tenant_id,
        user_id=owner.user_id,
        kind=kind,
        erasure_epoch=writable_epoch(ledger, owner),
        created_at=now,
        updated_at=now,
    )
    return ledger.create_event(event)
