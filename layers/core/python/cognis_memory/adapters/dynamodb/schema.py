"""The table, its keys and its indexes.

| partition `pk`         | sort `sk`           | what it is                                          |
|------------------------|---------------------|-----------------------------------------------------|
| `USER#<owner>`         | `MEMORY#<id>`       | a memory; in `by_age` when it is to expire          |
|                        | `MESSAGE#<id>`      | a message, likewise; in `by_context`, too           |
|                        | `VECTOR#<id>`       | a document's embedding                              |
|                        | `CHAIN#<id>`        | ids of a chain's versions                           |
|                        | `MARK#<commit>`     | a pending mark; in `by_age` while it stands         |
|                        | `EVENT#<id>`        | that an event is this user's, so erasure finds it   |
| `FENCE#<owner>`        | `EPOCH`             | the erasure epoch; outlives an erasure              |
|                        | `LEASE`             | the lease and the count of its tokens; outlives it  |
| `EVENT#<tenant, id>`   | `EVENT`             | an event; in `by_age` unless it has succeeded       |
| `KEY#<tenant, key>`    | `KEY`               | an idempotency record; goes by `ttl`                |
| `TENANT#<tenant>`      | `BUDGET`            | what a tenant may spend in a month                  |
|                        | `<month>#<shard>`   | what it has spent in one; goes by `ttl`             |

What stands in angle brackets in `pk` is hashed: whatever a caller names a tenant or a user, keys have one
length, no two pairs share one, and what outlives an erasure names nobody.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import TYPE_CHECKING, Final, TypeAlias

from cognis_memory.models.values import Owner

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, CreateTableInputTypeDef

Item: TypeAlias = "dict[str, AttributeValueTypeDef]"
Key: TypeAlias = "dict[str, AttributeValueTypeDef]"

TTL_ATTRIBUTE: Final = "ttl"
"""The attribute to switch on as the table's time to live, which CreateTable cannot."""

BY_CONTEXT: Final = "by_context"
"""Local index over `context_order`: a context's messages in order. Local, because that reads consistently."""

BY_AGE: Final = "by_age"
"""Sparse global index over (`age_shard`, `age`): what a sweep has to finish or
to remove, and what has failed."""

MEMORY: Final = "MEMORY#"
MESSAGE: Final = "MESSAGE#"
VECTOR: Final = "VECTOR#"
CHAIN: Final = "CHAIN#"
MARK: Final = "MARK#"
EVENT: Final = "EVENT#"
FAILED: Final = "FAILED#"
EXPIRY: Final = "EXPIRY#"
"""In `by_age` alone."""

BUDGET: Final = "BUDGET"
"""After every month in the order of sort keys."""

_SHARDS: Final = 8
_MAX_ID_BYTES: Final = 900
"""Sort keys may have 1,024 bytes."""


def table_definition(table_name: str) -> CreateTableInputTypeDef:
    """The arguments of CreateTable: on demand, both indexes with keys only."""
    return {
        "TableName": table_name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "S"},
            {"AttributeName": "context_order", "AttributeType": "S"},
            {"AttributeName": "age_shard", "AttributeType": "S"},
            {"AttributeName": "age", "AttributeType": "N"},
        ],
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        "LocalSecondaryIndexes": [
            {
                "IndexName": BY_CONTEXT,
                "KeySchema": [
                    {"AttributeName": "pk", "KeyType": "HASH"},
                    {"AttributeName": "context_order", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": BY_AGE,
                "KeySchema": [
                    {"AttributeName": "age_shard", "KeyType": "HASH"},
                    {"AttributeName": "age", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
    }


def user_partition(owner: Owner) -> str:
    return f"USER#{_hashed(owner.tenant_id, owner.user_id)}"


def user_key(owner: Owner, kind: str, id_: str) -> Key:
    """The key of one of a user's items; `kind` is one of the prefixes above."""
    return {"pk": {"S": user_partition(owner)}, "sk": {"S": kind + id_}}


def epoch_key(owner: Owner) -> Key:
    return {"pk": {"S": f"FENCE#{_hashed(owner.tenant_id, owner.user_id)}"}, "sk": {"S": "EPOCH"}}


def lease_key(owner: Owner) -> Key:
    return {"pk": {"S": f"FENCE#{_hashed(owner.tenant_id, owner.user_id)}"}, "sk": {"S": "LEASE"}}


def event_key(tenant_id: str, event_id: str) -> Key:
    return {"pk": {"S": f"EVENT#{_hashed(tenant_id, event_id)}"}, "sk": {"S": "EVENT"}}


def idempotency_key(tenant_id: str, key: str) -> Key:
    return {"pk": {"S": f"KEY#{_hashed(tenant_id, key)}"}, "sk": {"S": "KEY"}}


def tenant_partition(tenant_id: str) -> str:
    return f"TENANT#{_hashed(tenant_id)}"


def budget_key(tenant_id: str) -> Key:
    return {"pk": {"S": tenant_partition(tenant_id)}, "sk": {"S": BUDGET}}


def spending_key(tenant_id: str, month: str, origin: str) -> Key:
    """One of the shards of a month: charges at once would refuse each other's transaction on one item."""
    return {"pk": {"S": tenant_partition(tenant_id)}, "sk": {"S": f"{month}#{_shard(origin)}"}}


def context_prefix(context_id: str | None) -> str:
    """What `context_order` begins with; the message's id follows."""
    return "none#" if context_id is None else f"{hashlib.sha256(context_id.encode()).hexdigest()}#"


def age_shard(kind: str, id_: str) -> str:
    """One of the shards of `by_age`: many, so that no one partition takes every write of the deployment."""
    return f"{kind}{_shard(id_)}"


def age_shards(kind: str) -> list[str]:
    return [f"{kind}{shard}" for shard in range(_SHARDS)]


def can_exist(id_: str) -> bool:
    """Whether an item can have that id: callers may ask for any text, and the table refuses long keys."""
    return len(id_.encode()) <= _MAX_ID_BYTES


def _shard(id_: str) -> int:
    return zlib.crc32(id_.encode()) % _SHARDS


def _hashed(*parts: str) -> str:
    """SHA-256 of the parts as a JSON array, which keeps ("a#b", "c") and ("a", "b#c") apart."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
