"""The last word on every candidate: what the ledger says now (invariants 5 and 8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import numpy as np

from cognis_memory.domain.filters import Filter, matches
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Operation, Owner
from cognis_memory.ports import Ledger
from cognis_memory.services.projection import index_document

BATCH = 60

_NO_VECTOR = np.zeros(768, dtype=np.float32)


def checked_documents(
    ledger: Ledger,
    owner: Owner,
    ranked: Sequence[str],
    *,
    filter: Filter,
    as_of: datetime | None,
    now: datetime,
    wanted: int,
) -> dict[str, Memory | Message]:
    """The first `wanted` of the ranked documents that the ledger lets through, best first.

    Reads on in batches while deleted, replaced, expired or hidden ones leave a gap.
    """
    passed: dict[str, Memory | Message] = {}
    for start in range(0, len(ranked), BATCH):
        ids = ranked[start : start + BATCH]
        memories = ledger.get_memories(owner, ids)
        messages = ledger.get_messages(owner, [id_ for id_ in ids if id_ not in memories])
        linked = _linked(ledger, owner, messages.values(), memories)
        for id_ in ids:
            document = memories.get(id_) or messages.get(id_)
            if document is None or not satisfies(document, filter):
                continue
            if isinstance(document, Memory):
                shown = document.operation is not Operation.DELETE
            else:
                shown = is_evidence(document, linked, as_of=as_of, now=now)
            if shown:
                passed[id_] = document
        if len(passed) >= wanted:
            break
    return dict(list(passed.items())[:wanted])


def satisfies(document: Memory | Message, filter: Filter) -> bool:
    """Whether the document passes the filter as the ledger holds it."""
    return matches(filter, index_document(document, _NO_VECTOR))


def is_evidence(
    message: Message, memories: dict[str, Memory], *, as_of: datetime | None, now: datetime
) -> bool:
    """A message is returned while it has no link or a standing one; at `as_of`, one that stood then.

    A retraction stands, like any version, until another follows it: its message says what is so now.
    """
    if not message.searchable:
        return False
    if not message.links:
        return True
    return any(_stands(memories[id_], as_of, now) for id_ in message.links if id_ in memories)


def _stands(memory: Memory, as_of: datetime | None, now: datetime) -> bool:
    """Whether the version is the last word of its chain; a retraction is one, too."""
    if memory.has_expired(now):
        return False
    if as_of is None:
        return memory.is_current or (memory.operation is Operation.DELETE and memory.valid_until is None)
    return memory.valid_from <= as_of and (memory.valid_until is None or as_of < memory.valid_until)


def _linked(
    ledger: Ledger, owner: Owner, messages: Iterable[Message], known: dict[str, Memory]
) -> dict[str, Memory]:
    missing = list(dict.fromkeys(id_ for m in messages for id_ in m.links if id_ not in known))
    return {**known, **(ledger.get_memories(owner, missing) if missing else {})}
