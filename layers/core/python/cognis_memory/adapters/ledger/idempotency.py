"""Idempotency records as they come with an event."""

from __future__ import annotations

from cognis_memory.models.event import Event, IdempotencyRecord


def check_record(record: IdempotencyRecord, event: Event) -> None:
    """Raises ValueError for a record that binds its key to another event than the one it comes with."""
    if (record.tenant_id, record.event_id) != (event.tenant_id, event.id):
        raise ValueError("an idempotency record names the event that it is created with")
