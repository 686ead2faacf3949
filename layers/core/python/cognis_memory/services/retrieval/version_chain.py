"""Stage 8: the earlier versions of what was found, for questions about the past."""

from __future__ import annotations

from collections.abc import Iterable

from cognis_memory.models.answers import HistoryEntry
from cognis_memory.models.memory import Memory
from cognis_memory.models.values import Owner
from cognis_memory.ports import Ledger


def histories(ledger: Ledger, owner: Owner, memories: Iterable[Memory]) -> dict[str, list[HistoryEntry]]:
    """For each memory the other versions of its chain, oldest first, by memory id."""
    found = list(memories)
    chains = ledger.get_chains(owner, list(dict.fromkeys(memory.chain_id for memory in found)))
    return {
        memory.id: [HistoryEntry.of(v) for v in chains[memory.chain_id].versions if v.id != memory.id]
        for memory in found
        if memory.chain_id in chains
    }
