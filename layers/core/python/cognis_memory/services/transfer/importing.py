"""The import of a checked file: in fenced transactions, with a cursor on the event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from cognis_memory.domain.indexed_text import spoken_text
from cognis_memory.errors import InvalidInput, StaleEvent
from cognis_memory.models.commit import Commit, DocumentWrite
from cognis_memory.models.event import Event, EventStatus, Notice, Usage
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import FloatVector, Owner
from cognis_memory.ports import Ledger
from cognis_memory.services.ingestion.state import LEASE_DURATION, IngestionState, LeaseAnswer, lease_of
from cognis_memory.services.masking import SECRET_MASKED
from cognis_memory.services.progress import advance, begin
from cognis_memory.services.spending import count_on_event, embedding_usage
from cognis_memory.services.transfer.batches import in_batches
from cognis_memory.services.transfer.files import upload_key
from cognis_memory.services.transfer.holdings import Holdings, holdings_of
from cognis_memory.services.transfer.state import TransferPorts
from cognis_memory.services.transfer.units import Unit, UnitReader
from cognis_memory.services.writing import CommitSize

STAGE: Final = "ImportUser"

LINES_PER_RUN: Final = 5_000
"""What a function takes over in its time even when every line has to be embedded anew."""

ALREADY_HELD: Final = "already_held"
"""The code of the notice of an import that found everything in place."""

_COMPARED_AT_ONCE: Final = 100


def import_user(ports: TransferPorts, state: IngestionState) -> IngestionState:
    """Takes over the next lines under the user's lease; the answer says NOT_NEEDED when there are no more.

    Raises InvalidInput when the user holds anything else than what the file does, StaleLease when the lease
    was taken over, UserErased when an erasure began.
    """
    event = begin(ports, state, STAGE)
    if event.status is not EventStatus.SUCCEEDED:
        event = _take_over(ports, event, state)
    if event.status is not EventStatus.SUCCEEDED:
        return state
    ports.files.delete(upload_key(event.owner, event.id))
    return state.model_copy(update={"lease": LeaseAnswer.NOT_NEEDED})


def checked_units(ports: TransferPorts, event: Event, *, after: int = 0) -> Iterator[Unit]:
    """What the lines of the event's file write. Raises InvalidInput for another file than was checked."""
    if event.upload_tag is None:
        raise StaleEvent(f"event {event.id} reached this stage without a checked file")
    reader = UnitReader(event.owner, ports.embedder.model_id, ports.masks_secrets)
    key = upload_key(event.owner, event.id)
    return reader.read(ports.files.read(key, event.upload_tag), after=after)


def _take_over(ports: TransferPorts, event: Event, state: IngestionState) -> Event:
    if event.cursor == 0:
        held = holdings_of(ports.ledger, event.owner)
        if held.any:
            return _end(ports, _found_in_place(ports, event, held))
        ports.projector.drop(event.owner)  # what an index remembers as deleted, it would refuse to take back
    units = checked_units(ports, event, after=event.cursor)
    for piece in _pieces(islice(units, LINES_PER_RUN), _size_around(event)):
        event = _commit(ports, event, state, piece)
    return event if next(units, None) else _end(ports, event)


def _found_in_place(ports: TransferPorts, event: Event, held: Holdings) -> Event:
    """The event, once the user turned out to hold exactly what the file does."""
    counted = Holdings()
    for batch in in_batches(checked_units(ports, event), _COMPARED_AT_ONCE):
        documents = [unit.document for unit in batch]
        if _held_like(ports.ledger, event.owner, documents) != documents:
            break
        for document in documents:
            counted.add(document)
    if (counted.memories, counted.messages) != (held.memories, held.messages):
        raise InvalidInput("the user holds something else already: erase the user, or import into another")
    return event.model_copy(update={"notices": (Notice(code=ALREADY_HELD),)})


def _held_like(ledger: Ledger, owner: Owner, documents: Sequence[Memory | Message]) -> list[Memory | Message]:
    """Those of the documents that are held, as they are held, but for how often they were written."""
    ids = [document.id for document in documents]
    held: dict[str, Memory | Message] = {**ledger.get_memories(owner, ids), **ledger.get_messages(owner, ids)}
    return [held[id_].model_copy(update={"revision": 1}) for id_ in ids if id_ in held]


def _pieces(units: Iterator[Unit], around: CommitSize) -> Iterator[list[Unit]]:
    """As many units as fit into one commit beside what each holds besides."""
    piece: list[Unit] = []
    size = around
    for unit in units:
        added = unit.size
        if piece and not (size + added).fits:
            yield piece
            piece, size = [], around
        piece.append(unit)
        size += added
    if piece:
        yield piece


def _commit(ports: TransferPorts, event: Event, state: IngestionState, piece: Sequence[Unit]) -> Event:
    """Renews the lease first: embedding takes time."""
    lease = lease_of(event.owner, state, ports)
    vectors, consumed = _embed(ports, piece)
    event = count_on_event(ports, event, consumed)
    ports.ledger.renew_lease(lease, now=ports.clock(), duration=LEASE_DURATION)
    moved = _moved(event, piece).model_copy(update={"updated_at": ports.clock()})
    commit = Commit(
        id=f"{event.id}-lines-{piece[0].line}",
        owner=event.owner,
        epoch=event.erasure_epoch,
        created_at=ports.clock(),
        fence=lease.token,
        event=moved,
        documents=tuple(DocumentWrite(unit.document, vectors.get(unit.line, unit.vector)) for unit in piece),
        chains=tuple(unit.chain for unit in piece if unit.chain is not None),
    )
    ports.ledger.commit(commit)
    return moved


def _moved(event: Event, piece: Sequence[Unit]) -> Event:
    """The event with the piece's lines behind it."""
    counts = {"memories": 0, "messages": 0, **event.counts}
    for unit in piece:
        counts["memories" if isinstance(unit.document, Memory) else "messages"] += 1
    notices = (Notice(code=SECRET_MASKED),) if any(unit.masked for unit in piece) else ()
    changes = {
        "cursor": piece[-1].line,
        "counts": counts,
        "notices": event.notices or notices,
        "revision": event.revision + 1,
    }
    return event.model_copy(update=changes)


def _embed(ports: TransferPorts, piece: Sequence[Unit]) -> tuple[dict[int, FloatVector], Usage]:
    """Vectors of the units that bring none along, by their lines, and what making them consumed."""
    wanted = [unit for unit in piece if unit.embeds]
    if not wanted:
        return {}, Usage()
    texts = [
        spoken_text(unit.document) if isinstance(unit.document, Message) else unit.document.content
        for unit in wanted
    ]
    vectors = ports.embedder.embed(texts)
    by_line = {unit.line: vector for unit, vector in zip(wanted, vectors, strict=True)}
    return by_line, embedding_usage(texts)


def _size_around(event: Event) -> CommitSize:
    """Of a commit without units; its event may get a notice and longer numbers in the meantime."""
    longest = event.model_copy(update={"notices": (Notice(code=SECRET_MASKED),), "cursor": 10**9})
    empty = Commit(id="", owner=event.owner, epoch=0, created_at=event.created_at)
    return CommitSize.of(replace(empty, event=longest)) + CommitSize(0, 100)


def _end(ports: TransferPorts, event: Event) -> Event:
    ports.projector.catch_up(event.owner)
    return advance(
        ports,
        event,
        status=EventStatus.SUCCEEDED,
        counts={"memories": 0, "messages": 0, **event.counts},
        notices=event.notices,
        completed_at=ports.clock(),
    )
