"""Reads of memories, messages, chains and vectors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Final

from cognis_memory.adapters.dynamodb.items import (
    number,
    read_memory,
    read_message,
    read_vector,
    text,
)
from cognis_memory.adapters.dynamodb.schema import (
    BY_CONTEXT,
    CHAIN,
    MEMORY,
    MESSAGE,
    VECTOR,
    Item,
    can_exist,
    context_prefix,
    user_key,
    user_partition,
)
from cognis_memory.adapters.dynamodb.table import Table
from cognis_memory.adapters.ledger.cursors import make_cursor, read_cursor
from cognis_memory.adapters.ledger.encoding import to_micros
from cognis_memory.errors import LedgerUnavailable
from cognis_memory.models.commit import Chain
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Category, FloatVector, Operation, Owner, Scope
from cognis_memory.ports import MemoryPage

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

_CHAIN_READS: Final = 5
_AFTER_EVERY_ID: Final = "\U0010ffff"


class Documents:
    """The part of the ledger that reads documents."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def get_memories(self, owner: Owner, ids: Sequence[str]) -> dict[str, Memory]:
        return {id_: read_memory(item) for id_, item in self._get(owner, MEMORY, ids).items()}

    def get_messages(self, owner: Owner, ids: Sequence[str]) -> dict[str, Message]:
        return {id_: read_message(item) for id_, item in self._get(owner, MESSAGE, ids).items()}

    def get_vectors(self, owner: Owner, ids: Sequence[str]) -> dict[str, FloatVector]:
        return {id_: read_vector(item) for id_, item in self._get(owner, VECTOR, ids).items()}

    def get_chains(self, owner: Owner, chain_ids: Sequence[str]) -> dict[str, Chain]:
        """Reads the chains again after their versions: unchanged, what lies between is one state."""
        links = self._chain_links(owner, chain_ids)
        for _ in range(_CHAIN_READS):
            held = self.get_memories(owner, [id_ for _, ids in links.values() for id_ in ids])
            before, links = links, self._chain_links(owner, chain_ids)
            if links == before:
                return {
                    chain_id: Chain(chain_id, tuple(held[id_] for id_ in ids if id_ in held), revision)
                    for chain_id, (revision, ids) in links.items()
                }
        raise LedgerUnavailable("chains change faster than they can be read")

    def list_memories(
        self,
        owner: Owner,
        *,
        limit: int,
        cursor: str | None = None,
        category: Category | None = None,
        scope: Scope | None = None,
        context_id: str | None = None,
        include_history: bool = False,
        now: datetime,
    ) -> MemoryPage:
        before_id = _AFTER_EVERY_ID if cursor is None else read_cursor(owner, cursor)
        condition, values = _listed(
            now, include_history, {"category": category, "memory_scope": scope, "context_id": context_id}
        )
        found = self._table.query(
            "pk = :pk AND sk BETWEEN :first AND :last",
            {
                ":pk": text(user_partition(owner)),
                ":first": text(MEMORY),
                ":last": text(MEMORY + before_id),
                **values,
            },
            FilterExpression=condition,
            ScanIndexForward=False,
            Limit=2 * limit,  # evaluated before the filter, which mostly leaves more than half
        )
        # BETWEEN takes in its end, which is the last of the page before.
        older = (item for item in found if item["sk"]["S"] != MEMORY + before_id)
        memories = [read_memory(item) for item in islice(older, limit + 1)]
        page = tuple(memories[:limit])
        return MemoryPage(page, make_cursor(owner, page[-1].id) if len(memories) > limit else None)

    def recent_messages(
        self, owner: Owner, context_id: str | None, *, before_id: str, limit: int
    ) -> list[Message]:
        prefix = context_prefix(context_id)
        found = self._table.query(
            "pk = :pk AND context_order BETWEEN :first AND :last",
            {":pk": text(user_partition(owner)), ":first": text(prefix), ":last": text(prefix + before_id)},
            IndexName=BY_CONTEXT,
            ScanIndexForward=False,
            Limit=limit + 1,
        )
        ids = (item["sk"]["S"].removeprefix(MESSAGE) for item in found)
        newest_first = list(islice((id_ for id_ in ids if id_ != before_id), limit))
        return list(self.get_messages(owner, newest_first[::-1]).values())

    def iterate_memories(self, owner: Owner) -> Iterator[Memory]:
        return map(read_memory, self._all(owner, MEMORY))

    def iterate_messages(self, owner: Owner) -> Iterator[Message]:
        return map(read_message, self._all(owner, MESSAGE))

    def _all(self, owner: Owner, kind: str) -> Iterator[Item]:
        return self._table.query(
            "pk = :pk AND begins_with(sk, :kind)", {":pk": text(user_partition(owner)), ":kind": text(kind)}
        )

    def _get(self, owner: Owner, kind: str, ids: Sequence[str]) -> dict[str, Item]:
        """The items that exist, in the order of `ids`."""
        wanted = list(dict.fromkeys(id_ for id_ in ids if can_exist(id_)))
        items = self._table.get_many([user_key(owner, kind, id_) for id_ in wanted])
        found = {item["sk"]["S"].removeprefix(kind): item for item in items}
        return {id_: found[id_] for id_ in wanted if id_ in found}

    def _chain_links(self, owner: Owner, chain_ids: Sequence[str]) -> dict[str, tuple[int, list[str]]]:
        """Revision and version ids of each chain."""
        return {
            chain_id: (int(item["revision"]["N"]), json.loads(item["version_ids"]["S"]))
            for chain_id, item in self._get(owner, CHAIN, chain_ids).items()
        }


def _listed(
    now: datetime, include_history: bool, equal: Mapping[str, str | None]
) -> tuple[str, dict[str, AttributeValueTypeDef]]:
    """The filter of a list with its values; `equal` holds attributes with what they must be, if given."""
    conditions = ["operation <> :retraction", "(attribute_not_exists(expires_at) OR expires_at > :now)"]
    values: dict[str, AttributeValueTypeDef] = {
        ":retraction": text(Operation.DELETE),
        ":now": number(to_micros(now)),
    }
    if not include_history:
        conditions.append("is_current = :current")
        values[":current"] = {"BOOL": True}
    for name, value in equal.items():
        if value is not None:
            conditions.append(f"{name} = :{name}")
            values[f":{name}"] = text(value)
    return " AND ".join(conditions), values
