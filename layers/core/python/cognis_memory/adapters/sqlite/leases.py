"""Erasure epochs and leases: who may still write."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import datetime, timedelta

from cognis_memory.adapters.ledger.encoding import to_micros
from cognis_memory.adapters.sqlite.database import Database
from cognis_memory.errors import LeaseHeld, StaleLease, UserErased
from cognis_memory.models.event import Lease
from cognis_memory.models.values import Owner


class Leases:
    """The part of the ledger that fences writers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def erasure_epoch(self, owner: Owner) -> int:
        with self._database.reading() as connection:
            return current_epoch(connection, owner)

    def raise_erasure_epoch(self, owner: Owner, to: int) -> None:
        with self._database.writing() as connection:
            if current_epoch(connection, owner) >= to:
                return
            connection.execute(
                "INSERT OR REPLACE INTO epochs (tenant_id, user_id, epoch) VALUES (?, ?, ?)",
                (owner.tenant_id, owner.user_id, to),
            )
            connection.execute(
                "UPDATE leases SET token = token + 1, holder = NULL WHERE tenant_id = ? AND user_id = ?",
                (owner.tenant_id, owner.user_id),
            )

    def acquire_lease(self, owner: Owner, holder: str, *, now: datetime, duration: timedelta) -> Lease:
        expires_at = now + duration
        with self._database.writing() as connection:
            token, present, present_expires = connection.execute(
                "SELECT token, holder, expires_at FROM leases WHERE tenant_id = ? AND user_id = ?",
                (owner.tenant_id, owner.user_id),
            ).fetchone() or (0, None, 0)
            if present not in (None, holder) and present_expires > to_micros(now):
                raise LeaseHeld("another ingestion of this user is under way")
            connection.execute(
                "INSERT OR REPLACE INTO leases (tenant_id, user_id, token, holder, expires_at)"
                " VALUES (?, ?, ?, ?, ?)",
                (owner.tenant_id, owner.user_id, token + 1, holder, to_micros(expires_at)),
            )
        return Lease(owner, holder, token + 1, expires_at)

    def renew_lease(self, lease: Lease, *, now: datetime, duration: timedelta) -> Lease:
        renewed = replace(lease, expires_at=now + duration)
        with self._database.writing() as connection:
            changed = connection.execute(
                "UPDATE leases SET expires_at = ?"
                " WHERE tenant_id = ? AND user_id = ? AND holder = ? AND token = ?",
                (to_micros(renewed.expires_at), *_identity(lease)),
            )
        if not changed.rowcount:
            raise StaleLease("the lease was taken over or released")
        return renewed

    def release_lease(self, lease: Lease) -> None:
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE leases SET holder = NULL"
                " WHERE tenant_id = ? AND user_id = ? AND holder = ? AND token = ?",
                _identity(lease),
            )


def check_epoch(connection: sqlite3.Connection, owner: Owner, epoch: int) -> None:
    """Raises UserErased unless the user is in that epoch."""
    if current_epoch(connection, owner) != epoch:
        raise UserErased("the user was erased after this work was accepted")


def current_epoch(connection: sqlite3.Connection, owner: Owner) -> int:
    row = connection.execute(
        "SELECT epoch FROM epochs WHERE tenant_id = ? AND user_id = ?", (owner.tenant_id, owner.user_id)
    ).fetchone()
    return 0 if row is None else int(row[0])


def held_token(connection: sqlite3.Connection, owner: Owner) -> int | None:
    """The token of the user's lease; None when nobody holds it."""
    row = connection.execute(
        "SELECT token FROM leases WHERE tenant_id = ? AND user_id = ? AND holder IS NOT NULL",
        (owner.tenant_id, owner.user_id),
    ).fetchone()
    return None if row is None else int(row[0])


def _identity(lease: Lease) -> tuple[str, str, str, int]:
    return (lease.owner.tenant_id, lease.owner.user_id, lease.holder, lease.token)
