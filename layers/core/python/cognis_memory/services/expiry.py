"""What has expired is hidden at once and removed later, with the care of a delete: by a sweep, bit by bit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from cognis_memory.domain.expiry import without_expired
from cognis_memory.models.commit import Commit
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Owner
from cognis_memory.ports import Ledger
from cognis_memory.services.erasure_epochs import writable_epoch
from cognis_memory.services.memories.chains import shorten_chain
from cognis_memory.services.memories.ports import RemovalPorts
from cognis_memory.services.memories.redaction import redact_messages
from cognis_memory.services.payload_keys import payload_prefix
from cognis_memory.services.transfer.files import remove_exports

EXPIRY_LIMIT: Final = 500
"""Documents in one sweep: what is left comes with the next."""

_DELETED_AT_ONCE: Final = 40


def expired_documents(ledger: Ledger, now: datetime, limit: int = EXPIRY_LIMIT) -> Mapping[Owner, list[str]]:
    """Ids of memories and messages that have expired and are still held, by owner, the oldest first."""
    found: defaultdict[Owner, list[str]] = defaultdict(list)
    for expired in ledger.expired_documents(now, limit):
        found[expired.owner].append(expired.id)
    return found


def remove_expired(ports: RemovalPorts, owner: Owner, ids: Sequence[str]) -> int:
    """Removes those of the documents that have expired, and returns how many these were.

    A message goes, with its vector, when it expires itself; it loses its words when the last memory that was
    made of it goes, as by a delete. What is left of the chains: see `domain.expiry`. A repeat after a crash
    goes on from there. Raises RevisionConflict when an ingestion changed the same chain, and UserErased while
    the user is being erased.
    """
    ledger, now, epoch = ports.ledger, ports.clock(), writable_epoch(ports.ledger, owner)
    memories = [m for m in ledger.get_memories(owner, ids).values() if m.has_expired(now)]
    messages = [m for m in ledger.get_messages(owner, ids).values() if m.has_expired(now)]
    chain_ids = sorted({memory.chain_id for memory in memories})
    versions = [v for chain in ledger.get_chains(owner, chain_ids).values() for v in chain.versions]
    going = [version for version in versions if version.has_expired(now)]
    wordless = {message.id for message in messages} | _told_by_nothing_else(ledger, owner, going, now)
    if wordless:
        redact_messages(
            ports,
            owner,
            lambda message: message.id in wordless,
            going=frozenset(version.id for version in going),
            commit_id=f"expire-{min(wordless)}",
            epoch=epoch,
            now=now,
        )
    for chain in ledger.get_chains(owner, chain_ids).values():
        kept = without_expired(chain.versions, now=now)
        for commit in shorten_chain(chain, kept, owner=owner, epoch=epoch, now=now):
            ledger.commit(commit)
    _remove_messages(ports, owner, messages, epoch, now)
    remove_exports(ports.files, owner)
    ports.projector.catch_up(owner)
    return len(memories) + len(messages)


def _told_by_nothing_else(ledger: Ledger, owner: Owner, going: Iterable[Memory], now: datetime) -> set[str]:
    """The messages of which no other memory was made than those that go."""
    gone = {version.id for version in going}
    told_by = sorted({id_ for version in going for id_ in version.source_messages})
    messages = ledger.get_messages(owner, told_by)
    others = {id_ for message in messages.values() for id_ in message.links} - gone
    left = [m for m in ledger.get_memories(owner, sorted(others)).values() if not m.has_expired(now)]
    return messages.keys() - {id_ for memory in left for id_ in memory.source_messages}


def _remove_messages(
    ports: RemovalPorts, owner: Owner, messages: Sequence[Message], epoch: int, now: datetime
) -> None:
    """The requests of failed events go with them: a replay would bring them back."""
    for event_id in sorted({message.event_id for message in messages}):
        event = ports.ledger.get_event(owner.tenant_id, event_id)
        if event is not None and event.failed:
            ports.payloads.delete(payload_prefix(owner, event_id))
    ids = [message.id for message in messages]
    for start in range(0, len(ids), _DELETED_AT_ONCE):
        deleted = tuple(ids[start : start + _DELETED_AT_ONCE])
        ports.ledger.commit(
            Commit(id=f"expire-{deleted[0]}", owner=owner, epoch=epoch, created_at=now, deleted=deleted)
        )
