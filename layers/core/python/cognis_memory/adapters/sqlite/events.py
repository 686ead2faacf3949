"""Events and idempotency records."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from cognis_memory.adapters.ledger.encoding import read_document, to_micros
from cognis_memory.adapters.ledger.idempotency import check_record
from cognis_memory.adapters.sqlite.database import Database
from cognis_memory.adapters.sqlite.leases import check_epoch
from cognis_memory.adapters.sqlite.spending import charge_tenant
from cognis_memory.errors import IdempotencyKeyReused, StaleEvent, UserErased
from cognis_memory.models.event import Event, IdempotencyRecord
from cognis_memory.models.spending import Charge


class Events:
    """The part of the ledger that knows what work was accepted and how far it is."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create_event(self, event: Event, idempotency: IdempotencyRecord | None = None) -> Event:
        if idempotency is not None:
            check_record(idempotency, event)
        with self._database.writing() as connection:
            if idempotency is not None:
                _remove_expired(connection, event.created_at)
                if bound := _bound_event(connection, idempotency, event.created_at):
                    return bound
            if stored := _get(connection, event.tenant_id, event.id):
                return stored
            check_epoch(connection, event.owner, event.erasure_epoch)
            _insert(connection, event)
            if idempotency is not None:
                _insert_record(connection, idempotency)
        return event

    def bound_event(self, idempotency: IdempotencyRecord, now: datetime) -> Event | None:
        with self._database.reading() as connection:
            return _bound_event(connection, idempotency, now)

    def get_event(self, tenant_id: str, event_id: str) -> Event | None:
        with self._database.reading() as connection:
            return _get(connection, tenant_id, event_id)

    def update_event(self, event: Event, charge: Charge | None = None) -> None:
        with self._database.writing() as connection:
            replace_event(connection, event)
            if charge is not None:
                charge_tenant(connection, charge)

    def unfinished_events(self, before: datetime, limit: int) -> list[Event]:
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT document FROM events WHERE unfinished AND updated_at < ?"
                " ORDER BY updated_at, id LIMIT ?",
                (to_micros(before), limit),
            ).fetchall()
        return [read_document(Event, document) for (document,) in rows]

    def failed_events(self, since: datetime, limit: int) -> list[Event]:
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT document FROM events WHERE failed AND updated_at >= ?"
                " ORDER BY updated_at DESC, id DESC LIMIT ?",
                (to_micros(since), limit),
            ).fetchall()
        return [read_document(Event, document) for (document,) in rows]


def replace_event(connection: sqlite3.Connection, event: Event) -> None:
    """Puts the event in place of `event.revision - 1`; raises StaleEvent."""
    changed = connection.execute(
        "UPDATE events SET unfinished = ?, failed = ?, updated_at = ?, revision = ?, document = ?"
        " WHERE tenant_id = ? AND id = ? AND revision = ?",
        (
            not event.finished,
            event.failed,
            to_micros(event.updated_at),
            event.revision,
            event.model_dump_json(),
            event.tenant_id,
            event.id,
            event.revision - 1,
        ),
    )
    if not changed.rowcount:
        raise StaleEvent(f"event {event.id} is no longer at revision {event.revision - 1}")


def _get(connection: sqlite3.Connection, tenant_id: str, event_id: str) -> Event | None:
    row = connection.execute(
        "SELECT document FROM events WHERE tenant_id = ? AND id = ?", (tenant_id, event_id)
    ).fetchone()
    return None if row is None else read_document(Event, row[0])


def _insert(connection: sqlite3.Connection, event: Event) -> None:
    connection.execute(
        "INSERT INTO events"
        " (tenant_id, id, user_id, kind, unfinished, failed, updated_at, revision, document)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            event.tenant_id,
            event.id,
            event.user_id,
            event.kind,
            not event.finished,
            event.failed,
            to_micros(event.updated_at),
            event.revision,
            event.model_dump_json(),
        ),
    )


def _bound_event(
    connection: sqlite3.Connection, idempotency: IdempotencyRecord, now: datetime
) -> Event | None:
    """The event that the key was bound to before and still is."""
    row = connection.execute(
        "SELECT body_hash, event_id FROM idempotency_records"
        " WHERE tenant_id = ? AND key = ? AND expires_at > ?",
        (idempotency.tenant_id, idempotency.key, to_micros(now)),
    ).fetchone()
    if row is None:
        return None
    body_hash, event_id = row
    if body_hash != idempotency.body_hash:
        raise IdempotencyKeyReused("the idempotency key was used before with another body")
    bound = _get(connection, idempotency.tenant_id, event_id)
    if bound is None:
        raise UserErased("the event of this idempotency key was erased with its user")
    return bound


def _insert_record(connection: sqlite3.Connection, idempotency: IdempotencyRecord) -> None:
    connection.execute(
        "INSERT INTO idempotency_records (tenant_id, key, body_hash, event_id, expires_at)"
        " VALUES (?, ?, ?, ?, ?)",
        (
            idempotency.tenant_id,
            idempotency.key,
            idempotency.body_hash,
            idempotency.event_id,
            to_micros(idempotency.expires_at),
        ),
    )


def _remove_expired(connection: sqlite3.Connection, now: datetime) -> None:
    connection.execute("DELETE FROM idempotency_records WHERE expires_at <= ?", (to_micros(now),))
