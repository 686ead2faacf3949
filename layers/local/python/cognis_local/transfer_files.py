"""Exports and imports of files on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO, Literal

from cognis_memory.adapters.system import new_event_id
from cognis_memory.errors import InvalidInput
from cognis_memory.models.event import Event, EventKind
from cognis_memory.models.values import Owner
from cognis_memory.services.transfer.files import export_key, upload_key
from cognis_memory.services.transfer.state import TransferPorts, request_transfer

_CHUNK_BYTES = 1 << 20

CarryOut = Callable[[Event], None]
"""Runs an accepted event to its end."""


def export_to_file(ports: TransferPorts, owner: Owner, file: str | Path, carry_out: CarryOut) -> Event:
    """The event as it was accepted. Raises InvalidInput for a file that cannot be written.

    What the file held before is replaced once the export has succeeded, and not by one that fails.
    """
    with _opened(file, "ab"):
        event = _accepted(ports, owner, EventKind.EXPORT)
        carry_out(event)
    key = export_key(owner, event.id)
    if stored := ports.files.find(key):
        with _opened(file, "wb") as target:
            target.writelines(ports.files.read(key, stored.tag))
    ports.files.delete(key)
    return event


def import_from_file(ports: TransferPorts, owner: Owner, file: str | Path, carry_out: CarryOut) -> Event:
    """The event as it was accepted. Raises InvalidInput for a file that cannot be read."""
    with _opened(file, "rb") as source:
        event = _accepted(ports, owner, EventKind.IMPORT)
        ports.files.write(upload_key(owner, event.id), iter(partial(source.read, _CHUNK_BYTES), b""))
    carry_out(event)
    return event


def _accepted(ports: TransferPorts, owner: Owner, kind: EventKind) -> Event:
    return request_transfer(ports.ledger, owner, kind, new_event_id(ports.clock()), ports.clock)


@contextmanager
def _opened(file: str | Path, mode: Literal["rb", "ab", "wb"]) -> Iterator[BinaryIO]:
    try:
        with Path(file).open(mode) as opened:
            yield opened
    except OSError as error:
        raise InvalidInput(f"{file} cannot be used: {error.strerror}") from error
