"""Events and idempotency records."""

from __future__ import annotations

from datetime import datetime

from cognis_memory.adapters.dynamodb.items import (
    event_item,
    event_pointer,
    number,
    read_event,
    record_item,
)
from cognis_memory.adapters.dynamodb.leases import check_epoch
from cognis_memory.adapters.dynamodb.schema import EVENT, FAILED, event_key, idempotency_key
from cognis_memory.adapters.dynamodb.spending import charge_tenant
from cognis_memory.adapters.dynamodb.sweep import newest, oldest
from cognis_memory.adapters.dynamodb.table import Table
from cognis_memory.adapters.dynamodb.transaction import ABSENT, Condition, Transaction, at_revision
from cognis_memory.adapters.ledger.encoding import to_micros
from cognis_memory.adapters.ledger.idempotency import check_record
from cognis_memory.errors import (
    IdempotencyKeyReused,
    LedgerUnavailable,
    RevisionConflict,
    StaleEvent,
    UserErased,
)
from cognis_memory.models.event import Event, EventKind, IdempotencyRecord
from cognis_memory.models.spending import Charge


class Events:
    """The part of the ledger that knows what work was accepted and how far it is."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def create_event(self, event: Event, idempotency: IdempotencyRecord | None = None) -> Event:
        taken = RevisionConflict(f"event {event.id} or its idempotency key is taken")
        transaction = self._table.transaction()
        transaction.put(event_item(event), ABSENT, taken)
        if event.kind is not EventKind.ERASURE:  # an erasure must not find itself
            transaction.put(event_pointer(event))
        if idempotency is not None:
            check_record(idempotency, event)
            transaction.put(record_item(idempotency), _free(event.created_at), taken)
        check_epoch(transaction, event.owner, event.erasure_epoch)
        try:
            transaction.run()
        except RevisionConflict:
            return self._taken(event, idempotency)
        return event

    def get_event(self, tenant_id: str, event_id: str) -> Event | None:
        item = self._table.get(event_key(tenant_id, event_id))
        return None if item is None else read_event(item)

    def update_event(self, event: Event, charge: Charge | None = None) -> None:
        """A transaction even of one item, because its token makes the client's own repeats safe."""
        transaction = self._table.transaction()
        replace_event(transaction, event)
        if charge is not None:
            charge_tenant(transaction, charge)
        transaction.run()

    def unfinished_events(self, before: datetime, limit: int) -> list[Event]:
        events = [read_event(item) for item in oldest(self._table, EVENT, before, limit)]
        waiting = [event for event in events if not event.finished and event.updated_at < before]
        return sorted(waiting, key=lambda event: (event.updated_at, event.id))

    def failed_events(self, since: datetime, limit: int) -> list[Event]:
        events = [read_event(item) for item in newest(self._table, FAILED, since, limit)]
        failed = [event for event in events if event.failed and event.updated_at >= since]
        return sorted(failed, key=lambda event: (event.updated_at, event.id), reverse=True)

    def _taken(self, event: Event, idempotency: IdempotencyRecord | None) -> Event:
        """The event that stands where the new one was to go."""
        bound = idempotency and self.bound_event(idempotency, event.created_at)
        stored = bound or self.get_event(event.tenant_id, event.id)
        if stored is None:
            raise LedgerUnavailable("CreateEvent: what stood in the way has just gone")
        return stored

    def bound_event(self, idempotency: IdempotencyRecord, now: datetime) -> Event | None:
        item = self._table.get(idempotency_key(idempotency.tenant_id, idempotency.key))
        if item is None or int(item["expires_at"]["N"]) <= to_micros(now):
            return None
        if item["body_hash"]["S"] != idempotency.body_hash:
            raise IdempotencyKeyReused("the idempotency key was used before with another body")
        bound = self.get_event(idempotency.tenant_id, item["event_id"]["S"])
        if bound is None:
            raise UserErased("the event of this idempotency key was erased with its user")
        return bound


def replace_event(transaction: Transaction, event: Event) -> None:
    """Puts the event in place of `event.revision - 1`, or has the transaction raise StaleEvent."""
    stale = StaleEvent(f"event {event.id} is no longer at revision {event.revision - 1}")
    transaction.put(event_item(event), at_revision(event.revision - 1), stale)


def _free(now: datetime) -> Condition:
    """That a key is bound to nothing or its record, though still there, has expired."""
    return Condition("attribute_not_exists(pk) OR expires_at <= :now", {":now": number(to_micros(now))})
