"""Pending marks, erasure, and the walk over all owners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Final

from cognis_memory.adapters.dynamodb.items import read_mark, read_owner, text
from cognis_memory.adapters.dynamodb.schema import (
    CHAIN,
    EVENT,
    EXPIRY,
    MARK,
    MEMORY,
    MESSAGE,
    VECTOR,
    Item,
    epoch_key,
    event_key,
    user_key,
    user_partition,
)
from cognis_memory.adapters.dynamodb.sweep import oldest
from cognis_memory.adapters.dynamodb.table import Table
from cognis_memory.adapters.ledger.encoding import from_micros
from cognis_memory.errors import UserErased
from cognis_memory.models.commit import PendingMark
from cognis_memory.models.erasure import ExpiredDocument, HeldItem, ItemKind
from cognis_memory.models.values import Owner

_KINDS: Final = {
    CHAIN: ItemKind.CHAINS,
    EVENT: ItemKind.EVENTS,
    MARK: ItemKind.MARKS,
    MEMORY: ItemKind.MEMORIES,
    MESSAGE: ItemKind.MESSAGES,
    VECTOR: ItemKind.VECTORS,
}
_PREFIXES: Final = {kind: prefix for prefix, kind in _KINDS.items()}


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

    def expired_documents(self, before: datetime, limit: int) -> list[ExpiredDocument]:
        found = [_expired(item) for item in oldest(self._table, EXPIRY, before, limit) if "age" in item]
        expired = (document for document in found if document.expires_at < before)
        return sorted(expired, key=lambda document: (document.expires_at, document.id))

    def held_items(self, owner: Owner, *, limit: int) -> list[HeldItem]:
        found = self._table.query(
            "pk = :pk", {":pk": text(user_partition(owner))}, ProjectionExpression="sk", Limit=limit
        )
        return [_held_item(item["sk"]["S"]) for item in islice(found, limit)]

    def erase(self, owner: Owner, items: Sequence[HeldItem], *, epoch: int) -> None:
        """Where the epoch still stands, the items were listed in it: what comes later has other keys."""
        epoch_item = self._table.get(epoch_key(owner))
        if epoch != (0 if epoch_item is None else int(epoch_item["epoch"]["N"])):
            raise UserErased("another erasure of the user has ended meanwhile")
        events = [item.id for item in items if item.kind is ItemKind.EVENTS]
        # An event goes before what leads to it, so that a crash in between leaves nothing that is not found.
        self._table.delete_many([event_key(owner.tenant_id, event_id) for event_id in events])
        self._table.delete_many([user_key(owner, _PREFIXES[item.kind], item.id) for item in items])

    def owners(self) -> Iterator[Owner]:
        """By a scan of the whole table; remembers each owner's key, some 150 bytes, to name nobody twice."""
        seen: set[str] = set()
        for item in self._table.scan(
            FilterExpression="attribute_exists(user_id)", ProjectionExpression="pk, tenant_id, user_id"
        ):
            if item["pk"]["S"] not in seen:
                seen.add(item["pk"]["S"])
                yield read_owner(item)


def _expired(item: Item) -> ExpiredDocument:
    _, _, id_ = item["sk"]["S"].partition("#")
    return ExpiredDocument(read_owner(item), id_, from_micros(int(item["age"]["N"])))


def _held_item(name: str) -> HeldItem:
    end = name.index("#") + 1
    return HeldItem(_KINDS[name[:end]], name[end:])


def _by_age(marks: Iterator[PendingMark]) -> list[PendingMark]:
    return sorted(marks, key=lambda mark: (mark.created_at, mark.commit_id))
