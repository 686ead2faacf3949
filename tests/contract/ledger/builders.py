"""Small valid documents for the contract's tests."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from cognis_memory.models.commit import ChainWrite, Commit, DocumentWrite
from cognis_memory.models.event import Event, IdempotencyRecord
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Category, FloatVector, Owner, Role
from cognis_memory.ports import Ledger

NOW = datetime(2026, 7, 15, 12, 0, 0, 123_000, tzinfo=UTC)
OWNER = Owner("acme", "ana")
EVENT_ID = "evt_0001"


def memory_id(number: int) -> str:
    return f"mem_{number:05d}"


def message_id(number: int) -> str:
    return f"msg_{number:05d}"


def memory(number: int, owner: Owner = OWNER, **changes: Any) -> Memory:
    """The first version of its chain unless changed."""
    values: dict[str, Any] = {
        "id": memory_id(number),
        "tenant_id": owner.tenant_id,
        "user_id": owner.user_id,
        "event_id": EVENT_ID,
        "position": number,
        "chain_id": memory_id(number),
        "content": f"Ana has been to place {number}. 場所{number}に行きました。",
        "category": Category.TRAVEL,
        "timestamp": NOW,
        "valid_from": NOW,
        "created_at": NOW,
        "updated_at": NOW,
        "embedding_model": "test",
        "revision": 1,
    }
    return Memory(**(values | changes))


def message(number: int, owner: Owner = OWNER, **changes: Any) -> Message:
    values: dict[str, Any] = {
        "id": message_id(number),
        "tenant_id": owner.tenant_id,
        "user_id": owner.user_id,
        "event_id": EVENT_ID,
        "position": number,
        "role": Role.USER,
        "speaker": "Ana",
        "content": f"I went to place {number}. 場所{number}に行ったよ。",
        "timestamp": NOW,
        "created_at": NOW,
        "revision": 1,
    }
    return Message(**(values | changes))


def event(number: int = 1, owner: Owner = OWNER, **changes: Any) -> Event:
    values: dict[str, Any] = {
        "id": f"evt_{number:04d}",
        "tenant_id": owner.tenant_id,
        "user_id": owner.user_id,
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Event(**(values | changes))


def later(document: Event, **changes: Any) -> Event:
    """The event's next revision."""
    return document.model_copy(update={"revision": document.revision + 1, **changes})


def record(of: Event, *, key: str = "key", body_hash: str = "hash", hours: int = 24) -> IdempotencyRecord:
    return IdempotencyRecord(of.tenant_id, key, body_hash, of.id, of.created_at + timedelta(hours=hours))


def vector(seed: int) -> FloatVector:
    values = np.random.default_rng(seed).standard_normal(768).astype(np.float32)
    return values / np.linalg.norm(values)


def commit(
    *documents: Memory | Message | DocumentWrite, number: int = 1, owner: Owner = OWNER, **changes: Any
) -> Commit:
    writes = tuple(d if isinstance(d, DocumentWrite) else DocumentWrite(d) for d in documents)
    values: dict[str, Any] = {
        "id": f"{EVENT_ID}-{number}",
        "owner": owner,
        "epoch": 0,
        "created_at": NOW,
        "documents": writes,
    }
    return Commit(**(values | changes))


def chain(*versions: Memory, revision: int = 1) -> ChainWrite:
    return ChainWrite(versions[0].chain_id, tuple(version.id for version in versions), revision)


def erase_all(ledger: Ledger, owner: Owner = OWNER, *, limit: int = 100) -> Counter[str]:
    """Erases the user in steps of so many items and counts these by kind."""
    erased: Counter[str] = Counter()
    while items := ledger.held_items(owner, limit=limit):
        ledger.erase(owner, items, epoch=ledger.erasure_epoch(owner))
        erased.update(item.kind.value for item in items)
    return erased
