"""Erasing one memory with its chain, and its words wherever else they stand (invariant 8)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import numpy as np

from cognis_memory.models.commit import MAX_COMMIT_ITEMS, Chain, ChainWrite, Commit, DocumentWrite
from cognis_memory.models.message import Message
from cognis_memory.models.values import Owner
from cognis_memory.ports import Ledger
from cognis_memory.services.erasure_epochs import writable_epoch
from cognis_memory.services.memories.ports import MemoryPorts
from cognis_memory.services.memories.reading import find_chain, find_held
from cognis_memory.services.projection import sources
from cognis_memory.services.writing import split_commits

_NO_VECTOR = np.zeros(768, dtype=np.float32)

_DELETED_AT_ONCE = (MAX_COMMIT_ITEMS - 10) // 2
"""A version is two items, with its vector."""


def delete_memory(ports: MemoryPorts, owner: Owner, memory_id: str) -> None:
    """Removes the whole chain, redacts every message linked to it, refreshes their neighbours' context.

    The memory itself goes last: until then it is found and the call can be repeated; whatever is done already
    is skipped. An expired memory is deleted like any other. Raises NotFound, RevisionConflict when an
    ingestion changed the same chain, and UserErased while the user is being erased.
    """
    ledger, now = ports.ledger, ports.clock()
    chain = find_chain(ledger, owner, find_held(ledger, owner, memory_id))
    versions = frozenset(version.id for version in chain.versions)
    epoch = writable_epoch(ledger, owner)

    def redact() -> None:
        writes = _redactions(ports, owner, versions)
        for commit in split_commits(writes, id_=f"delete-{memory_id}", owner=owner, epoch=epoch, now=now):
            ledger.commit(commit)

    redact()
    for commit in _deletions(chain, memory_id, owner, epoch, now):
        ledger.commit(commit)
    redact()  # what an ingestion linked to the chain in between
    ports.projector.catch_up(owner)


def _deletions(chain: Chain, last_id: str, owner: Owner, epoch: int, now: datetime) -> Iterator[Commit]:
    """Commits that shorten the chain to nothing, the version `last_id` in the last of them."""
    left = [version.id for version in chain.versions]
    doomed = [id_ for id_ in left if id_ != last_id] + [last_id]
    for number, start in enumerate(range(0, len(doomed), _DELETED_AT_ONCE), start=1):
        deleted = tuple(doomed[start : start + _DELETED_AT_ONCE])
        left = [id_ for id_ in left if id_ not in deleted]
        yield Commit(
            id=f"delete-{chain.chain_id}-{len(left)}",
            owner=owner,
            epoch=epoch,
            created_at=now,
            deleted=deleted,
            chains=(ChainWrite(chain.chain_id, tuple(left), chain.revision + number),),
        )


def _redactions(ports: MemoryPorts, owner: Owner, versions: frozenset[str]) -> list[DocumentWrite]:
    """The messages linked to these versions without their words, and whatever is indexed with those words."""
    messages = {message.id: message for message in ports.ledger.iterate_messages(owner)}
    linked = [m for m in messages.values() if versions & set(m.links) and not m.redacted]
    redacted = {message.id: _redact(message) for message in linked}
    messages |= redacted
    neighbours = [
        m for m in messages.values() if m.searchable and not redacted.keys().isdisjoint(m.preceding)
    ]
    return [
        *(DocumentWrite(message, _NO_VECTOR) for message in redacted.values()),
        *(DocumentWrite(m.model_copy(update={"revision": m.revision + 1})) for m in neighbours),
        *_memories_around(ports.ledger, owner, {*redacted, *(m.id for m in neighbours)}, versions),
    ]


def _redact(message: Message) -> Message:
    return message.model_copy(
        update={"content": "", "redacted": True, "metadata": {}, "revision": message.revision + 1}
    )


def _memories_around(
    ledger: Ledger, owner: Owner, message_ids: set[str], versions: frozenset[str]
) -> Iterator[DocumentWrite]:
    """Other memories that are indexed with what stood in or before these messages; their own words stay."""
    if not message_ids:
        return
    for memory in ledger.iterate_memories(owner):
        if memory.id not in versions and not message_ids.isdisjoint(sources(memory)):
            yield DocumentWrite(memory.model_copy(update={"revision": memory.revision + 1}))
