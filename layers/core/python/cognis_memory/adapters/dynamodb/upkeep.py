"""Pending marks, erasure, and the walk over all owners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Final

from cognis_memory.adapters.dynamodb.items import read_mark, read_owner, text
from cognis_memory.adapters.dynamodb.schema import (
    CHAIN,
    EVENT,
    MARK,
    MEMORY,
    MESSAGE,
    VECTOR,
    event_key,
    user_key,
    user_partition,
)
from cognis_memory.adapters.dynamodb.sweep import oldest
from cognis_memory.adapters.dynamodb.table import Table
from cognis_memory.models.commit import PendingMark
from cognis_memory.models.values import Owner

_ERASED: Final = {
    MEMORY: "memories",
    MESSAGE: "messages",
    VECTOR: "vectors",
    CHAIN: "chains",
    MARK: "marks",
    EVENT: "events",
}


class Upkeep:
    """The part of the ledger that sweeps, rebuilds and erasures use."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def pending_marks(self, owner: Owner) -> list[PendingMark]:
        items = self._table.query(
            "pk = :pk AND begins_with(sk, :kind)", {":pk": text(user_partition(owner)), ":kind": text(MARK)}
        )
        return _by_age(read_mark(item) for item in items)

    def all_pending_marks(self, before: datetime, limit: int) -> list[PendingMark]:
        return _by_age(read_mark(item) for item in oldest(self._table, MARK, before, limit))

    def clear_pending(self, owner: Owner, commit_ids: Sequence[str]) -> None:
        self._table.delete_many([user_key(owner, MARK, commit_id) for commit_id in dict.fromkeys(commit_ids)])

    def erase(self, owner: Owner, *, limit: int) -> Mapping[str, int]:
        found = self._table.query(
            "pk = :pk", {":pk": text(user_partition(owner))}, ProjectionExpression="sk", Limit=limit
        )
        names = [item["sk"]["S"] for item in islice(found, limit)]
        events = [name.removeprefix(EVENT) for name in names if name.startswith(EVENT)]
        # An event goes before what leads to it, so that a crash in between leaves nothing that is not found.
        self._table.delete_many([event_key(owner.tenant_id, event_id) for event_id in events])
        self._table.delete_many([user_key(owner, "", name) for name in names])
        counts = Counter(name[: name.index("#") + 1] for name in names)
        return {kind: counts[prefix] for prefix, kind in _ERASED.items()}

    def owners(self) -> Iterator[Owner]:
        """By a scan of the whole table; remembers each owner's key, some 150 bytes, to name nobody twice."""
        seen: set[str] = set()
        for item in self._table.scan(
            FilterExpression="attribute_exists(user_id)", ProjectionExpression="pk, tenant_id, user_id"
        ):
            if item["pk"]["S"] not in seen:
                seen.add(item["pk"]["S"])
                yield read_owner(item)


def _by_age(marks: Iterator[PendingMark]) -> list[PendingMark]:
    return sorted(marks, key=lambda mark: (mark.created_at, mark.commit_id))
