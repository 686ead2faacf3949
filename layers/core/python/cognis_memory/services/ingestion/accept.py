"""Takes a request in: payload, event and idempotency record, before any work is done."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

from cognis_memory.domain.pricing import FREE, Prices
from cognis_memory.errors import (
    BudgetExceeded,
    CognisError,
    ConfigurationError,
    FieldError,
    IdempotencyKeyReused,
    InputTooLarge,
    InvalidInput,
    UserErased,
)
from cognis_memory.models.event import Event, EventStatus, IdempotencyRecord, Notice
from cognis_memory.models.requests import MAX_REQUEST_BYTES, IngestRequest
from cognis_memory.models.values import Owner
from cognis_memory.ports import Clock, ExecutionStarter, Ledger, PayloadStore
from cognis_memory.services.budgets import check_budget
from cognis_memory.services.erasure_epochs import writable_epoch
from cognis_memory.services.masking import mask_request
from cognis_memory.services.payload_keys import payload_prefix, request_key

IDEMPOTENCY_PERIOD = timedelta(hours=24)


def accept(
    request: IngestRequest,
    *,
    tenant_id: str,
    ledger: Ledger,
    payloads: PayloadStore,
    clock: Clock,
    new_event_id: Callable[[], str],
    idempotency_key: str | None = None,
    idempotency_period: timedelta = IDEMPOTENCY_PERIOD,
    masks_secrets: bool = True,
    prices: Prices = FREE,
) -> tuple[Event, bool]:
    """Returns the event that will carry out the request, and whether it is a replay of an earlier one.

    Idempotency keys are each user's own, and are new again after an erasure. Secrets are masked before
    anything is kept. The hash, too, is that of the masked body, for a short secret could be guessed from it:
    bodies that differ in their secrets only are the same.

    The payload is written before the event, so that an event never points to nothing; an erasure that begins
    meanwhile finds the payload, or the event is refused. Raises IdempotencyKeyReused for the same
    key with another body, UserErased while the user is being erased, InputTooLarge for more text than one
    request may carry; for what is no replay InvalidInput when its `expires_at` is past, and BudgetExceeded
    when the tenant has spent what it may spend this month.
    """
    _check_size(request)
    now = clock()
    event_id = new_event_id()
    owner = Owner(tenant_id, request.user_id)
    request, notices = mask_request(request, event_id) if masks_secrets else (request, ())
    event = _new_event(ledger, owner, event_id, now, notices)
    record = None
    if idempotency_key is not None:
        key = _own_key(owner, event.erasure_epoch, idempotency_key)
        record = IdempotencyRecord(tenant_id, key, body_hash(request), event_id, now + idempotency_period)
    try:
        _check_expiry(request, now)
        check_budget(ledger, tenant_id, prices, now)
    except (InvalidInput, BudgetExceeded, ConfigurationError):
        bound = None if record is None else ledger.bound_event(record, now)
        if bound is None:
            raise
        return bound, True
    payloads.put(request_key(owner, event_id), request.model_dump_json().encode())
    try:
        stored = ledger.create_event(event, record)
    except (IdempotencyKeyReused, UserErased):
        payloads.delete(payload_prefix(owner, event_id))
        raise
    if stored.id != event_id:
        payloads.delete(payload_prefix(owner, event_id))
    return stored, stored.id != event_id


def start(event: Event, starter: ExecutionStarter) -> None:
    """Starts the execution of an accepted event of any kind, also of one whose first start was lost.

    The event is kept already, so that one which cannot be started now is left to the sweep and not refused.
    """
    if event.status is EventStatus.PENDING:
        with suppress(CognisError):
            starter.start(event)


def _new_event(
    ledger: Ledger, owner: Owner, event_id: str, now: datetime, notices: tuple[Notice, ...]
) -> Event:
    return Event(
        id=event_id,
        tenant_id=owner.tenant_id,
        user_id=owner.user_id,
        payload_key=request_key(owner, event_id),
        notices=notices,
        erasure_epoch=writable_epoch(ledger, owner),
        created_at=now,
        updated_at=now,
    )


def _own_key(owner: Owner, epoch: int, key: str) -> str:
    user_id = owner.user_id
    return hashlib.sha256(f"{epoch} {len(user_id)} {user_id} {key}".encode()).hexdigest()


def _check_size(request: IngestRequest) -> None:
    size = sum(len(message.content.encode()) for message in request.messages)
    if size > MAX_REQUEST_BYTES:
        raise InputTooLarge(f"the messages have {size} bytes of text; the limit is {MAX_REQUEST_BYTES}")


def _check_expiry(request: IngestRequest, now: datetime) -> None:
    if request.expires_at is not None and request.expires_at <= now:
        advice = "is past; give a time to come, or leave it out"
        raise InvalidInput(f"expires_at: {advice}", [FieldError("expires_at", advice)])


def body_hash(request: IngestRequest) -> str:
    """SHA-256 of the request in one canonical form: the order of its JSON keys does not matter."""
    body = json.dumps(
        request.model_dump(mode="json", exclude_defaults=True), sort_keys=True, ensure_ascii=False
    )
    return hashlib.sha256(body.encode()).hexdigest()
