"""Reads by id, version chains and lists."""

from __future__ import annotations

from datetime import datetime

from cognis_memory.errors import FieldError, InvalidInput, NotFound
from cognis_memory.models.answers import HistoryAnswer, HistoryEntry, ListAnswer, MemoryAnswer
from cognis_memory.models.memory import Memory
from cognis_memory.models.values import Category, Operation, Owner, Scope
from cognis_memory.ports import Ledger

MAX_PAGE = 100


def find_memory(ledger: Ledger, owner: Owner, memory_id: str, now: datetime) -> Memory:
    """The memory as it is held. Raises NotFound, also for an expired one and somebody else's."""
    memory = ledger.get_memories(owner, [memory_id]).get(memory_id)
    expired = memory is not None and memory.expires_at is not None and memory.expires_at <= now
    if memory is None or expired:
        raise NotFound(f"there is no memory {memory_id}")
    return memory


def get_memory(ledger: Ledger, owner: Owner, memory_id: str, now: datetime) -> MemoryAnswer:
    """One version, current or not. Raises NotFound; a retraction is no memory."""
    memory = find_memory(ledger, owner, memory_id, now)
    if memory.operation is Operation.DELETE:
        raise NotFound(f"there is no memory {memory_id}")
    return MemoryAnswer.of(memory)


def get_history(ledger: Ledger, owner: Owner, memory_id: str, now: datetime) -> HistoryAnswer:
    """The whole chain that the memory is a version of, oldest first. Raises NotFound."""
    memory = find_memory(ledger, owner, memory_id, now)
    chain = ledger.get_chains(owner, [memory.chain_id])[memory.chain_id]
    return HistoryAnswer(history=[HistoryEntry.of(version) for version in chain.versions])


def list_memories(
    ledger: Ledger,
    owner: Owner,
    *,
    now: datetime,
    limit: int = 50,
    cursor: str | None = None,
    category: Category | None = None,
    scope: Scope | None = None,
    context_id: str | None = None,
    include_history: bool = False,
) -> ListAnswer:
    """One page, newest first. Raises InvalidInput for a limit outside 1 to 100 or a strange cursor."""
    if not 1 <= limit <= MAX_PAGE:
        fault = FieldError("limit", f"must be between 1 and {MAX_PAGE}")
        raise InvalidInput(f"limit {limit} is out of range", [fault])
    page = ledger.list_memories(
        owner,
        limit=limit,
        cursor=cursor,
        category=category,
        scope=scope,
        context_id=context_id,
        include_history=include_history,
        now=now,
    )
    return ListAnswer(
        memories=[MemoryAnswer.of(memory) for memory in page.memories], next_cursor=page.next_cursor
    )
