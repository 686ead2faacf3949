"""Stage 8: for questions about the past, the earlier versions of what was found, and what replaced a find."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from cognis_memory.domain.filters import Filter
from cognis_memory.models.answers import HistoryEntry
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Operation, Owner
from cognis_memory.ports import Ledger
from cognis_memory.services.retrieval.ledger_check import satisfies


def histories(
    ledger: Ledger, owner: Owner, memories: Iterable[Memory], now: datetime
) -> dict[str, list[HistoryEntry]]:
    """For each memory the other versions of its chain that have not expired, oldest first, by memory id.

    A memory that is no longer so has itself among them: the entry says from when until when it was.
    """
    found = list(memories)
    chains = ledger.get_chains(owner, list(dict.fromkeys(memory.chain_id for memory in found)))
    return {
        memory.id: [
            HistoryEntry.of(version)
            for version in chains[memory.chain_id].versions
            if not version.has_expired(now) and (version.id != memory.id or not memory.is_current)
        ]
        for memory in found
        if memory.chain_id in chains
    }


def latest_versions(
    ledger: Ledger,
    owner: Owner,
    documents: Mapping[str, Memory | Message],
    *,
    current: Filter,
    past: Filter,
) -> dict[str, Memory | Message]:
    """The documents, with one version of its chain in place of an old one.

    That is the current version. What a later one replaced is the answer's history, never its result; what
    was retracted has no current version and is shown through the last that was true. A chain whose version
    its filter, `current` or `past`, does not let through is left out.
    """
    old = [d for d in documents.values() if isinstance(d, Memory) and not d.is_current]
    chains = ledger.get_chains(owner, list(dict.fromkeys(memory.chain_id for memory in old))) if old else {}
    latest = {id_: _latest(chain.versions) for id_, chain in chains.items()}
    shown: dict[str, Memory | Message] = {}
    for id_, document in documents.items():
        if isinstance(document, Message) or document.is_current:
            shown[id_] = document
        elif (version := latest.get(document.chain_id)) and satisfies(
            version, current if version.is_current else past
        ):
            shown[id_] = version
    return shown


def _latest(versions: Sequence[Memory]) -> Memory | None:
    """The last version that states something; None in a chain of retractions alone."""
    return next((v for v in reversed(versions) if v.operation is not Operation.DELETE), None)
