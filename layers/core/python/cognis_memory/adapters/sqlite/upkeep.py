"""Pending marks, erasure, and the walk over all owners."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from cognis_memory.adapters.ledger.encoding import from_micros, to_micros
from cognis_memory.adapters.sqlite.database import Database
from cognis_memory.adapters.sqlite.leases import current_epoch
from cognis_memory.errors import UserErased
from cognis_memory.models.commit import PendingMark
from cognis_memory.models.erasure import ExpiredDocument, HeldItem, ItemKind
from cognis_memory.models.values import Owner

_MARKS_OF_OWNER = """
    SELECT tenant_id, user_id, id, document_ids, created_at FROM marks
    WHERE tenant_id = ? AND user_id = ? ORDER BY created_at, id
"""
_MARKS_BEFORE = """
    SELECT tenant_id, user_id, id, document_ids, created_at FROM marks
    WHERE created_at < ? ORDER BY created_at, id LIMIT ?
"""

_EXPIRED: Final = """
    SELECT tenant_id, user_id, id, expires_at FROM (
        SELECT * FROM (
            SELECT tenant_id, user_id, id, expires_at FROM memories
            WHERE expires_at < :before ORDER BY expires_at, id LIMIT :limit
        ) UNION ALL SELECT * FROM (
            SELECT tenant_id, user_id, id, expires_at FROM messages
            WHERE expires_at < :before ORDER BY expires_at, id LIMIT :limit
        )
    ) ORDER BY expires_at, id LIMIT :limit
"""
"""Each half along its own index."""

_HELD: Final = {
    kind: f"SELECT id FROM {kind} WHERE tenant_id = ? AND user_id = ? ORDER BY id LIMIT ?"  # noqa: S608
    for kind in ItemKind
    if kind is not ItemKind.EVENTS
} | {
    # Erasures themselves stay: they say what was erased and when, and one of them is under way.
    ItemKind.EVENTS: "SELECT id FROM events WHERE tenant_id = ? AND user_id = ? AND kind <> 'erasure'"
    " ORDER BY id LIMIT ?"
}
_ERASE: Final = {
    kind: f"DELETE FROM {kind} WHERE tenant_id = ? AND user_id = ? AND id = ?"  # noqa: S608
    for kind in ItemKind
}

_NEXT_OWNERS: Final = (
    "SELECT tenant_id, user_id FROM memories WHERE (tenant_id, user_id) > (?, ?)"
    " ORDER BY tenant_id, user_id LIMIT 1",
    "SELECT tenant_id, user_id FROM messages WHERE (tenant_id, user_id) > (?, ?)"
    " ORDER BY tenant_id, user_id LIMIT 1",
    "SELECT tenant_id, user_id FROM marks WHERE (tenant_id, user_id) > (?, ?)"
    " ORDER BY tenant_id, user_id LIMIT 1",
)


class Upkeep:
    """The part of the ledger that sweeps, rebuilds and erasures use."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def pending_marks(self, owner: Owner) -> list[PendingMark]:
        return self._marks(_MARKS_OF_OWNER, (owner.tenant_id, owner.user_id))

    def all_pending_marks(self, before: datetime, limit: int) -> list[PendingMark]:
        return self._marks(_MARKS_BEFORE, (to_micros(before), limit))

    def clear_pending(self, owner: Owner, commit_ids: Sequence[str]) -> None:
        with self._database.writing() as connection:
            connection.executemany(
                "DELETE FROM marks WHERE tenant_id = ? AND user_id = ? AND id = ?",
                [(owner.tenant_id, owner.user_id, commit_id) for commit_id in commit_ids],
            )

    def expired_documents(self, before: datetime, limit: int) -> list[ExpiredDocument]:
        with self._database.reading() as connection:
            rows = connection.execute(_EXPIRED, {"before": to_micros(before), "limit": limit}).fetchall()
        return [ExpiredDocument(Owner(tenant, user), id_, from_micros(at)) for tenant, user, id_, at in rows]

    def held_items(self, owner: Owner, *, limit: int) -> list[HeldItem]:
        found: list[HeldItem] = []
        with self._database.reading() as connection:
            for kind in sorted(ItemKind):
                values = (owner.tenant_id, owner.user_id, limit - len(found))
                found += [HeldItem(kind, id_) for (id_,) in connection.execute(_HELD[kind], values)]
        return found

    def erase(self, owner: Owner, items: Sequence[HeldItem], *, epoch: int) -> None:
        with self._database.writing(removing=True) as connection:
            if current_epoch(connection, owner) != epoch:
                raise UserErased("another erasure of the user has ended meanwhile")
            for item in items:
                connection.execute(_ERASE[item.kind], (owner.tenant_id, owner.user_id, item.id))

    def owners(self) -> Iterator[Owner]:
        """Steps from owner to owner along the keys, however many documents each of them holds."""
        last = ("", "")
        while True:
            with self._database.reading() as connection:
                found = [connection.execute(query, last).fetchone() for query in _NEXT_OWNERS]
            following = [row for row in found if row is not None]
            if not following:
                return
            last = min(following)
            yield Owner(*last)

    def _marks(self, query: str, values: tuple[str | int, ...]) -> list[PendingMark]:
        with self._database.reading() as connection:
            rows = connection.execute(query, values).fetchall()
        return [
            PendingMark(Owner(tenant_id, user_id), commit_id, tuple(json.loads(ids)), from_micros(created_at))
            for tenant_id, user_id, commit_id, ids, created_at in rows
        ]
