"""What waits longest, of all users, and what failed last."""

from __future__ import annotations

from datetime import datetime
from itertools import islice

from cognis_memory.adapters.dynamodb.items import number, text
from cognis_memory.adapters.dynamodb.schema import BY_AGE, Item, age_shards
from cognis_memory.adapters.dynamodb.table import Table
from cognis_memory.adapters.ledger.encoding import to_micros


def oldest(table: Table, kind: str, before: datetime, limit: int) -> list[Item]:
    """At most `limit` items of that kind from before that time, as they are now, in any order.

    The index may lag by moments behind the table: it only names candidates, which the caller checks again
    once they are read. A sweep looks at what is minutes old, which no lag hides.
    """
    return _first(table, kind, "age < :bound", before, limit, forward=True)


def newest(table: Table, kind: str, since: datetime, limit: int) -> list[Item]:
    """As `oldest`, of those from that time on the last."""
    return _first(table, kind, "age >= :bound", since, limit, forward=False)


def _first(
    table: Table, kind: str, condition: str, bound: datetime, limit: int, *, forward: bool
) -> list[Item]:
    candidates: list[tuple[int, Item]] = []
    for shard in age_shards(kind):
        found = table.query(
            f"age_shard = :shard AND {condition}",
            {":shard": text(shard), ":bound": number(to_micros(bound))},
            IndexName=BY_AGE,
            ConsistentRead=False,
            ScanIndexForward=forward,
            Limit=limit,
        )
        candidates += [(int(item["age"]["N"]), item) for item in islice(found, limit)]
    candidates.sort(key=lambda candidate: candidate[0], reverse=not forward)
    return table.get_many([{"pk": item["pk"], "sk": item["sk"]} for _, item in candidates[:limit]])
