"""The export of a user: one file of everything that is held, as it was at one moment."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from cognis_memory.errors import RevisionConflict
from cognis_memory.models.event import Event, EventReference, EventStatus
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.transfer import HeaderLine
from cognis_memory.models.values import Owner
from cognis_memory.ports import Ledger
from cognis_memory.services.progress import advance, begin
from cognis_memory.services.transfer.batches import in_batches
from cognis_memory.services.transfer.files import export_key
from cognis_memory.services.transfer.holdings import Holdings, holdings_of
from cognis_memory.services.transfer.lines import line_of, write_line
from cognis_memory.services.transfer.state import TransferPorts

STAGE: Final = "ExportUser"

READ_BATCH: Final = 100
"""Documents read and written at once, with their vectors."""


def export_user(ports: TransferPorts, reference: EventReference) -> Event:
    """Writes the file and ends the event with its counts; a repeat begins anew.

    What is held is counted before and after: where that differs, the file may hold two moments, or words that
    were deleted meanwhile, and goes. Raises RevisionConflict then: try again, when less is being written.
    """
    event = begin(ports, reference, STAGE)
    if event.status is EventStatus.SUCCEEDED:
        return event
    owner, key = event.owner, export_key(event.owner, event.id)
    before, written = holdings_of(ports.ledger, owner), Holdings()
    ports.files.write(key, _lines(ports, owner, before, written))
    if not before == written == holdings_of(ports.ledger, owner):
        ports.files.delete(key)
        raise RevisionConflict("the user was written to while the export was being made")
    return advance(
        ports,
        event,
        status=EventStatus.SUCCEEDED,
        counts={"memories": written.memories, "messages": written.messages},
        completed_at=ports.clock(),
    )


def _lines(ports: TransferPorts, owner: Owner, held: Holdings, written: Holdings) -> Iterator[bytes]:
    """The whole file; `written` counts along what is in it."""
    header = HeaderLine(
        exported_at=ports.clock(),
        embedding_model=ports.embedder.model_id,
        memories=held.memories,
        messages=held.messages,
    )
    yield write_line(header)
    documents: Iterator[Memory | Message] = chain(
        _versions(ports.ledger, owner), ports.ledger.iterate_messages(owner)
    )
    for batch in in_batches(documents, READ_BATCH):
        vectors = ports.ledger.get_vectors(owner, [document.id for document in batch])
        for document in batch:
            written.add(document)
            yield write_line(line_of(document, vectors.get(document.id)))


def _versions(ledger: Ledger, owner: Owner) -> Iterator[Memory]:
    """All versions, each chain's together and in order of time, where the lowest of its ids comes along."""
    for batch in in_batches(ledger.iterate_memories(owner), READ_BATCH):
        chains = ledger.get_chains(owner, list({memory.chain_id: None for memory in batch}))
        for memory in batch:
            versions = chains[memory.chain_id].versions if memory.chain_id in chains else ()
            if memory.id == min((version.id for version in versions), default=None):
                yield from versions
