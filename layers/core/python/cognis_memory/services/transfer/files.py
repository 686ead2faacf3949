"""Where the files of exports and imports lie, for how long, and the links to them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from cognis_memory.models.event import Event, EventKind, EventStatus
from cognis_memory.models.values import Owner
from cognis_memory.ports import TransferFiles
from cognis_memory.services.payload_keys import owner_prefix

DOWNLOAD_LINK_LIFETIME: Final = timedelta(minutes=15)
"""Each read of the event makes a new link."""

UPLOAD_LINK_LIFETIME: Final = timedelta(hours=1)
"""As long as an import waits for its file."""

FILES_KEPT: Final = timedelta(days=1)
"""After that an export is gone, and what is left of an import."""

MAX_UPLOAD_BYTES: Final = 1_000_000_000


def exports_prefix(owner: Owner) -> str:
    return f"{owner_prefix(owner)}exports/"


def export_key(owner: Owner, event_id: str) -> str:
    return f"{exports_prefix(owner)}{event_id}.jsonl"


def upload_key(owner: Owner, event_id: str) -> str:
    return f"{owner_prefix(owner)}imports/{event_id}.jsonl"


def download_url(open_files: Callable[[], TransferFiles], event: Event, now: datetime) -> str | None:
    """A new link to what the event exported; None for other events and once the file is gone.

    The store is opened for an export that may still be there, and not for every event that is read.
    """
    ended_well = event.kind is EventKind.EXPORT and event.status is EventStatus.SUCCEEDED
    if not ended_well or now >= event.created_at + FILES_KEPT:
        return None
    files, key = open_files(), export_key(event.owner, event.id)
    return files.download_url(key, DOWNLOAD_LINK_LIFETIME) if files.find(key) else None


def upload_url(files: TransferFiles, event: Event) -> str:
    """A new link to where the event, an import, waits for its file."""
    return files.upload_url(upload_key(event.owner, event.id), UPLOAD_LINK_LIFETIME)


def remove_exports(files: TransferFiles, owner: Owner) -> None:
    """Removes every export of the user: for what was deleted must not live on in a file."""
    files.delete(exports_prefix(owner))
