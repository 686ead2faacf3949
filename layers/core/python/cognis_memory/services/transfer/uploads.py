"""An import's file: waited for, and checked as a whole."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from cognis_memory.errors import InputTooLarge, InvalidInput, NotFound
from cognis_memory.models.event import Event, EventReference, EventStatus
from cognis_memory.ports import StoredFile
from cognis_memory.services.ingestion.lease import SIGN_OF_LIFE
from cognis_memory.services.progress import advance, begin
from cognis_memory.services.transfer.checking import check_file
from cognis_memory.services.transfer.files import MAX_UPLOAD_BYTES, UPLOAD_LINK_LIFETIME, upload_key
from cognis_memory.services.transfer.state import TransferPorts, UploadAnswer, UploadState

FIND: Final = "FindUpload"
CHECK: Final = "CheckUpload"

LONGEST_WAIT_SECONDS: Final = 30
"""A few hundred history entries at most in the hour that an import waits."""


def find_upload(ports: TransferPorts, state: UploadState) -> UploadState:
    """Says whether the file is there, or how long to wait.

    Raises NotFound when its time is over, and InputTooLarge.
    """
    event = begin(ports, state, FIND)
    if event.status is EventStatus.SUCCEEDED:
        return _answer(state, UploadAnswer.NOT_NEEDED)
    found = ports.files.find(upload_key(event.owner, event.id))
    if found is None:
        return _wait(ports, event, state)
    if found.size_bytes > MAX_UPLOAD_BYTES:
        raise InputTooLarge(f"the file has {found.size_bytes} bytes; the limit is {MAX_UPLOAD_BYTES}")
    return _answer(state, UploadAnswer.FOUND)


def check_upload(ports: TransferPorts, reference: EventReference) -> Event:
    """Reads every line; from here on only this very file is imported.

    Raises InvalidInput when a line is at fault: the event says which lines, and nothing is written.
    """
    event = begin(ports, reference, CHECK)
    if event.status is EventStatus.SUCCEEDED or event.upload_tag is not None:
        return event
    found = _uploaded(ports, event)
    check = check_file(ports.files.read(upload_key(event.owner, event.id), found.tag))
    if not check.fault_count:
        return advance(ports, event, upload_tag=found.tag, errors=(), counts={})
    counts = {"lines": check.lines, "faults": check.fault_count}
    advance(ports, event, errors=tuple(check.faults), counts=counts)
    raise InvalidInput(
        f"the file has {check.fault_count} faults in {check.lines} lines; nothing was imported"
    )


def wait_seconds(polls: int) -> int:
    """Before the file is looked for again: one second first, then twice as long each time."""
    return min(LONGEST_WAIT_SECONDS, 1 << min(polls - 1, LONGEST_WAIT_SECONDS))


def _wait(ports: TransferPorts, event: Event, state: UploadState) -> UploadState:
    now = ports.clock()
    if now >= _deadline(event):
        minutes = int(UPLOAD_LINK_LIFETIME.total_seconds()) // 60
        raise NotFound(f"no file was uploaded within {minutes} minutes; ask for another import")
    if now - event.updated_at >= SIGN_OF_LIFE:
        advance(ports, event)
    polls = state.polls + 1
    return _answer(state, UploadAnswer.WAITING, polls=polls, wait_seconds=wait_seconds(polls))


def _deadline(event: Event) -> datetime:
    return event.created_at + UPLOAD_LINK_LIFETIME


def _uploaded(ports: TransferPorts, event: Event) -> StoredFile:
    found = ports.files.find(upload_key(event.owner, event.id))
    if found is None:
        raise NotFound("the uploaded file is gone; ask for another import")
    return found


def _answer(state: UploadState, answer: UploadAnswer, **changes: object) -> UploadState:
    nothing = {"polls": 0, "wait_seconds": None}
    return state.model_copy(update={**nothing, "upload": answer, **changes})
