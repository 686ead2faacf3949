"""Takes back an import that cannot be finished: what it wrote, and its file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from cognis_memory.models.commit import MAX_COMMIT_ITEMS, Chain, ChainWrite, Commit
from cognis_memory.models.event import Event, EventReference, EventStatus
from cognis_memory.services.progress import advance
from cognis_memory.services.transfer.batches import in_batches
from cognis_memory.services.transfer.files import upload_key
from cognis_memory.services.transfer.importing import checked_units
from cognis_memory.services.transfer.state import TransferPorts
from cognis_memory.services.transfer.units import Unit

STAGE: Final = "UndoImport"

_REMOVED_AT_ONCE: Final = (MAX_COMMIT_ITEMS - 10) // 3
"""A version is two items, with its vector, and may end its chain."""


def undo_import(ports: TransferPorts, reference: EventReference) -> EventReference:
    """Leaves nothing of the import, and its event to be marked FAILED; a repeat goes on.

    An erasure that began meanwhile takes along what was imported, and the event.
    """
    event = ports.ledger.get_event(reference.tenant_id, reference.event_id)
    if event is None or event.status is EventStatus.SUCCEEDED:
        return reference
    if event.upload_tag is not None and ports.ledger.erasure_epoch(event.owner) == event.erasure_epoch:
        if event.cursor:
            _remove(ports, event)
        advance(ports, event, cursor=0, counts={}, notices=(), upload_tag=None)
    ports.files.delete(upload_key(event.owner, event.id))
    return reference


def _remove(ports: TransferPorts, event: Event) -> None:
    written = takewhile(lambda unit: unit.line <= event.cursor, checked_units(ports, event))
    for batch in in_batches(written, _REMOVED_AT_ONCE):
        ports.ledger.commit(_removal(ports, event, batch))
    ports.projector.catch_up(event.owner)
    # An index remembers what was deleted and would refuse the same ids in the next import; so it goes, and
    # what the user holds besides is restored from the ledger by the next search.
    ports.projector.drop(event.owner)


def _removal(ports: TransferPorts, event: Event, batch: Sequence[Unit]) -> Commit:
    begun = [unit.chain.chain_id for unit in batch if unit.chain is not None]
    chains = ports.ledger.get_chains(event.owner, begun)
    return Commit(
        id=f"{event.id}-undo-{batch[0].line}",
        owner=event.owner,
        epoch=event.erasure_epoch,
        created_at=ports.clock(),
        deleted=tuple(unit.document.id for unit in batch),
        chains=tuple(_removed(chain) for chain in chains.values()),
    )


def _removed(chain: Chain) -> ChainWrite:
    return ChainWrite(chain.chain_id, (), chain.revision + 1)
