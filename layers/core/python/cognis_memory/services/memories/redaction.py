"""Words that are to be gone: taken out of messages, and out of what is indexed with them (invariant 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Final

import numpy as np

from cognis_memory.models.commit import DocumentWrite
from cognis_memory.models.message import Message
from cognis_memory.models.values import FloatVector, Owner
from cognis_memory.ports import Ledger
from cognis_memory.services.ingestion.redacted_payloads import redact_payload
from cognis_memory.services.memories.ports import RemovalPorts
from cognis_memory.services.projection import sources
from cognis_memory.services.writing import split_commits

NO_VECTOR: Final[FloatVector] = np.zeros(768, dtype=np.float32)


def redact_messages(
    ports: RemovalPorts,
    owner: Owner,
    is_meant: Callable[[Message], bool],
    *,
    going: frozenset[str],
    commit_id: str,
    epoch: int,
    now: datetime,
) -> set[str]:
    """Redacts those messages, and has whatever is indexed with their words follow; returns their ids.

    Memories that are `going` need not follow. What failed events keep of the messages goes as well. Messages
    that an earlier run redacted are meant again: it may not have lived to see to their neighbours. The
    projection is left to the caller.
    """
    meant = {message.id: message for message in ports.ledger.iterate_messages(owner) if is_meant(message)}
    writes = [
        *(DocumentWrite(_redacted(m), NO_VECTOR) for m in meant.values() if not m.redacted),
        *_around(ports.ledger, owner, set(meant), going),
    ]
    for commit in split_commits(writes, id_=commit_id, owner=owner, epoch=epoch, now=now):
        ports.ledger.commit(commit)
    for event_id in sorted({message.event_id for message in meant.values()}):
        redact_payload(ports.ledger, ports.payloads, owner.tenant_id, event_id)
    return set(meant)


def _redacted(message: Message) -> Message:
    return message.model_copy(
        update={"content": "", "redacted": True, "metadata": {}, "revision": message.revision + 1}
    )


def _around(ledger: Ledger, owner: Owner, gone: set[str], going: frozenset[str]) -> Iterator[DocumentWrite]:
    """The next revisions of what is indexed with the words of these messages; its own words stay."""
    if not gone:
        return
    spoken_around = set(gone)
    for message in ledger.iterate_messages(owner):
        if message.id not in gone and message.searchable and not gone.isdisjoint(message.preceding):
            spoken_around.add(message.id)
            yield DocumentWrite(message.model_copy(update={"revision": message.revision + 1}))
    for memory in ledger.iterate_memories(owner):
        if memory.id not in going and not spoken_around.isdisjoint(sources(memory)):
            yield DocumentWrite(memory.model_copy(update={"revision": memory.revision + 1}))
