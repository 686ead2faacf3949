"""A user who holds very much, written straight into the ledger: no model has to read it."""

from __future__ import annotations

import numpy as np
from fakes import NOW

from cognis_memory.domain.matryoshka import normalise
from cognis_memory.models.commit import ChainWrite, Commit, DocumentWrite
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Category, Owner, Role
from cognis_memory.ports import Ledger

AT_ONCE = 15
"""Memories in a commit, each with its message, both vectors and a chain."""


def fill(ledger: Ledger, owner: Owner, memories: int, *, model: str = "hash-768") -> None:
    """So many memories, each made of a message of its own; an index of them is restored by a search."""
    random = np.random.default_rng(7)
    for first in range(0, memories, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, memories))
        vectors = normalise(random.standard_normal((2 * len(numbers), 768)).astype(np.float32))
        made = [_memory(owner, number, model) for number in numbers]
        told = [_message(owner, number, model) for number in numbers]
        writes = [DocumentWrite(d, v) for d, v in zip([*made, *told], vectors, strict=True)]
        ledger.commit(
            Commit(
                id=f"fill-{first:06}",
                owner=owner,
                epoch=ledger.erasure_epoch(owner),
                created_at=NOW,
                documents=tuple(writes),
                chains=tuple(ChainWrite(memory.chain_id, (memory.id,), 1) for memory in made),
            )
        )


def _memory(owner: Owner, number: int, model: str) -> Memory:
    return Memory(
        id=f"mem_{number:06}",
        tenant_id=owner.tenant_id,
        user_id=owner.user_id,
        event_id=f"evt_{number // 500:06}",
        position=number,
        chain_id=f"mem_{number:06}",
        content=f"Ana has been to place {number}",
        category=Category.TRAVEL,
        timestamp=NOW,
        valid_from=NOW,
        source_messages=(f"msg_{number:06}",),
        created_at=NOW,
        updated_at=NOW,
        embedding_model=model,
        revision=1,
    )


def _message(owner: Owner, number: int, model: str) -> Message:
    return Message(
        id=f"msg_{number:06}",
        tenant_id=owner.tenant_id,
        user_id=owner.user_id,
        event_id=f"evt_{number // 500:06}",
        position=number,
        role=Role.USER,
        speaker="Ana",
        content=f"I have been to place {number}. 場所{number}に行きました。",
        timestamp=NOW,
        links=(f"mem_{number:06}",),
        created_at=NOW,
        embedding_model=model,
        revision=1,
    )
