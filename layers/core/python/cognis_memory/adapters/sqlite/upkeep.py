"""Pending marks, erasure, and the walk over all owners."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from cognis_memory.adapters.ledger.encoding import from_micros, to_micros
from cognis_memory.adapters.sqlite.database import Database
from cognis_memory.models.commit import PendingMark
from cognis_memory.models.values import Owner

_MARKS_OF_OWNER = """
    SELECT tenant_id, user_id, id, document_ids, created_at FROM marks
    WHERE tenant_id = ? AND user_id = ? ORDER BY created_at, id
"""
_MARKS_BEFORE = """
    SELECT tenant_id, user_id, id, document_ids, created_at FROM marks
    WHERE created_at < ? ORDER BY created_at, id LIMIT ?
"""

_ERASURES: Final = {
    "memories": "DELETE FROM memories WHERE rowid IN"
    " (SELECT rowid FROM memories WHERE tenant_id = ? AND user_id = ? LIMIT ?)",
    "messages": "DELETE FROM messages WHERE rowid IN"
    " (SELECT rowid FROM messages WHERE tenant_id = ? AND user_id = ? LIMIT ?)",
    "vectors": "DELETE FROM vectors WHERE rowid IN"
    " (SELECT rowid FROM vectors WHERE tenant_id = ? AND user_id = ? LIMIT ?)",
    "chains": "DELETE FROM chains WHERE rowid IN"
    " (SELECT rowid FROM chains WHERE tenant_id = ? AND user_id = ? LIMIT ?)",
    "marks": "DELETE FROM marks WHERE rowid IN"
    " (SELECT rowid FROM marks WHERE tenant_id = ? AND user_id = ? LIMIT ?)",
    # Erasures themselves stay: they say what was erased and when, and one of them is under way.
    "events": "DELETE FROM events WHERE rowid IN"
    " (SELECT rowid FROM events WHERE tenant_id = ? AND user_id = ? AND kind <> 'erasure' LIMIT ?)",
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

    def erase(self, owner: Owner, *, limit: int) -> Mapping[str, int]:
        with self._database.writing(removing=True) as connection:
            return _erase(connection, owner, limit)

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


def _erase(connection: sqlite3.Connection, owner: Owner, limit: int) -> dict[str, int]:
    counts = {}
    for kind, statement in _ERASURES.items():
        counts[kind] = connection.execute(statement, (owner.tenant_id, owner.user_id, limit)).rowcount
        limit -= counts[kind]
    return counts
