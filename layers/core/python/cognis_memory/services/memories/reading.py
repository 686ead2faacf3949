"""Reads by id, version chains and lists."""

from __future__ import annotations

from datetime import datetime

from cognis_memory.errors import NotFound
from cognis_memory.models.answers import HistoryAnswer, HistoryEntry, ListAnswer, MemoryAnswer
from cognis_memory.models.commit import Chain
from cognis_memory.models.memory import Memory
from cognis_memory.models.requests import ListRequest
from cognis_memory.models.values import Operation, Owner
from cognis_memory.ports import Ledger


def find_memory(ledger: Ledger, owner: Owner, memory_id: str, now: datetime) -> Memory:
    """The memory as anybody may read it. Raises NotFound, also for an expired one and somebody else's."""
    memory = find_held(ledger, owner, memory_id)
    if memory.has_expired(now):
        raise _not_found(memory_id)
    return memory


def find_held(ledger: Ledger, owner: Owner, memory_id: str) -> Memory:
    """The memory as it is held, an expired one, too. Raises NotFound."""
    memory = ledger.get_memories(owner, [memory_id]).get(memory_id)
    if memory is None:
        raise _not_found(memory_id)
    return memory


def find_chain(ledger: Ledger, owner: Owner, memory: Memory) -> Chain:
    """The memory's chain. Raises NotFound when it was deleted since the memory was read."""
    chain = ledger.get_chains(owner, [memory.chain_id]).get(memory.chain_id)
    if chain is None:
        raise _not_found(memory.id)
    return chain


def _not_found(memory_id: str) -> NotFound:
    return NotFound(f"there is no memory {memory_id}")


def get_memory(ledger: Ledger, owner: Owner, memory_id: str, now: datetime) -> MemoryAnswer:
    """One version, current or not. Raises NotFound; a retraction is no memory."""
    memory = find_memory(ledger, owner, memory_id, now)
    if memory.operation is Operation.DELETE:
        raise _not_found(memory_id)
    return MemoryAnswer.of(memory)


def get_history(ledger: Ledger, owner: Owner, memory_id: str, now: datetime) -> HistoryAnswer:
    """The chain that the memory is a version of, oldest first, without expired versions. Raises NotFound."""
    chain = find_chain(ledger, owner, find_memory(ledger, owner, memory_id, now))
    shown = [version for version in chain.versions if not version.has_expired(now)]
    return HistoryAnswer(history=[HistoryEntry.of(version) for version in shown])


def list_memories(ledger: Ledger, owner: Owner, request: ListRequest, now: datetime) -> ListAnswer:
    """One page, newest first. Raises InvalidInput for a strange cursor."""
    page = ledger.list_memories(
        owner,
        limit=request.limit,
        cursor=request.cursor,
        category=request.category,
        scope=request.scope,
        context_id=request.context_id,
        include_history=request.include_history,
        now=now,
    )
    return ListAnswer(
        memories=[MemoryAnswer.of(memory) for memory in page.memories], next_cursor=page.next_cursor
    )
