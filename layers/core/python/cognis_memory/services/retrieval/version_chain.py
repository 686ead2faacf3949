"""Stage 8: for questions about the past, the earlier versions of what was found, and what replaced a find."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cognis_memory.domain.filters import Filter
from cognis_memory.models.answers import HistoryEntry
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Owner
from cognis_memory.ports import Ledger
from cognis_memory.services.retrieval.ledger_check import satisfies


def histories(ledger: Ledger, owner: Owner, memories: Iterable[Memory]) -> dict[str, list[HistoryEntry]]:
    """For each memory the other versions of its chain, oldest first, by memory id."""
    found = list(memories)
    chains = ledger.get_chains(owner, list(dict.fromkeys(memory.chain_id for memory in found)))
    return {
        memory.id: [HistoryEntry.of(v) for v in chains[memory.chain_id].versions if v.id != memory.id]
        for memory in found
        if memory.chain_id in chains
    }


def current_versions(
    ledger: Ledger, owner: Owner, documents: Mapping[str, Memory | Message], *, filter: Filter
) -> dict[str, Memory | Message]:
    """The documents, with the current version of its chain in place of an old one.

    What is past is the answer's history, never its result: an old version whose chain has no current one,
    or none that the filter lets through, is left out.
    """
    old = [d for d in documents.values() if isinstance(d, Memory) and not d.is_current]
    chains = ledger.get_chains(owner, list(dict.fromkeys(memory.chain_id for memory in old))) if old else {}
    versions = (version for chain in chains.values() for version in chain.versions)
    current = {v.chain_id: v for v in versions if v.is_current and satisfies(v, filter)}
    shown: dict[str, Memory | Message] = {}
    for id_, document in documents.items():
        if isinstance(document, Message) or document.is_current:
            shown[id_] = document
        elif document.chain_id in current:
            shown[id_] = current[document.chain_id]
    return shown
