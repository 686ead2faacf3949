"""Takes a request in: payload, event and idempotency record, before any work is done."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta

from cognis_memory.errors import IdempotencyKeyReused, UserErased
from cognis_memory.models.event import Event, IdempotencyRecord
from cognis_memory.models.requests import IngestRequest
from cognis_memory.models.values import Owner
from cognis_memory.ports import Clock, Ledger, PayloadStore
from cognis_memory.services.ingestion.state import payload_prefix, request_key

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
) -> tuple[Event, bool]:
    """Returns the event that will carry out the request, and whether it is a replay of an earlier one.

    The payload is written first: an event never points to nothing, and a payload whose event was not
    written is an orphan for the sweep. Raises IdempotencyKeyReused for the same key with another body.
    """
    now = clock()
    event_id = new_event_id()
    owner = Owner(tenant_id, request.user_id)
    payloads.put(request_key(owner, event_id), request.model_dump_json().encode())
    event = Event(
        id=event_id,
        tenant_id=tenant_id,
        user_id=request.user_id,
        payload_key=request_key(owner, event_id),
        erasure_epoch=ledger.erasure_epoch(owner),
        created_at=now,
        updated_at=now,
    )
    record = idempotency_key and IdempotencyRecord(
        tenant_id, idempotency_key, body_hash(request), event_id, now + idempotency_period
    )
    try:
        stored = ledger.create_event(event, record or None)
    except (IdempotencyKeyReused, UserErased):
        payloads.delete(payload_prefix(owner, event_id))
        raise
    if stored.id != event_id:
        payloads.delete(payload_prefix(owner, event_id))
    return stored, stored.id != event_id


def body_hash(request: IngestRequest) -> str:
    """SHA-256 of the request in one canonical form: the order of its JSON keys does not matter."""
    body = json.dumps(
        request.model_dump(mode="json", exclude_defaults=True), sort_keys=True, ensure_ascii=False
    )
    return hashlib.sha256(body.encode()).hexdigest()
