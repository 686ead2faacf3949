"""Erasing one memory with its chain, and its words wherever else they stand (invariant 8)."""

from __future__ import annotations

from cognis_memory.models.message import Message
from cognis_memory.models.values import Owner
from cognis_memory.services.erasure_epochs import writable_epoch
from cognis_memory.services.memories.chains import shorten_chain
from cognis_memory.services.memories.ports import RemovalPorts
from cognis_memory.services.memories.reading import find_chain, find_held
from cognis_memory.services.memories.redaction import redact_messages
from cognis_memory.services.transfer.files import remove_exports


def delete_memory(ports: RemovalPorts, owner: Owner, memory_id: str) -> None:
    """Removes the whole chain, redacts every message linked to it, refreshes their neighbours' context.

    Exports of the user go as well, for its words stand there. The memory itself goes last: until then it is
    found and the call can be repeated. An expired memory is deleted like any other.

    Raises NotFound, UserErased while the user is being erased, and RevisionConflict when another writer
    changed the same chain.
    """
    ledger, now = ports.ledger, ports.clock()
    chain = find_chain(ledger, owner, find_held(ledger, owner, memory_id))
    versions = frozenset(version.id for version in chain.versions)
    epoch = writable_epoch(ledger, owner)

    def is_linked(message: Message) -> bool:
        return not versions.isdisjoint(message.links)

    redact_messages(
        ports, owner, is_linked, going=versions, commit_id=f"delete-{memory_id}", epoch=epoch, now=now
    )
    remove_exports(ports.files, owner)
    for commit in shorten_chain(chain, (), owner=owner, epoch=epoch, now=now, last_id=memory_id):
        ledger.commit(commit)
    remove_exports(ports.files, owner)  # one that was being made in between
    ports.projector.catch_up(owner)
