"""What an event says to its reader: texts are resolved from the ledger at the moment of reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final

from cognis_memory.errors import NotFound
from cognis_memory.models.answers import EventAnswer, OperationAnswer
from cognis_memory.models.event import Event, EventOperation, Notice
from cognis_memory.models.memory import Memory
from cognis_memory.ports import Ledger, TransferFiles
from cognis_memory.services.transfer.files import download_url

MAX_TEXT_BYTES: Final = 4_000_000
"""So much text an event shows; a request may make more, and a function answers at most 6 MB."""

TEXTS_LEFT_OUT: Final = "operation_texts_left_out"


def read_event(
    ledger: Ledger,
    tenant_id: str,
    event_id: str,
    *,
    now: datetime,
    user_id: str | None = None,
    open_files: Callable[[], TransferFiles] | None = None,
) -> EventAnswer:
    """Raises NotFound for an event that this tenant does not have, or not of that user where one is named."""
    event = ledger.get_event(tenant_id, event_id)
    if event is None or user_id not in (None, event.user_id):
        raise NotFound(f"there is no event {event_id}")
    return describe_event(ledger, event, now, open_files)


def describe_event(
    ledger: Ledger, event: Event, now: datetime, open_files: Callable[[], TransferFiles] | None = None
) -> EventAnswer:
    """Without the texts of what has expired. Texts that are too long for one answer are all left out, and a
    notice says so. With `open_files`, which opens the store of exports, the event of one has a
    new link to its file."""
    wanted = dict.fromkeys(
        id_ for done in event.operations for id_ in (done.memory_id, done.replaces_id) if id_ is not None
    )
    held = ledger.get_memories(event.owner, list(wanted)) if wanted else {}
    memories = {id_: memory for id_, memory in held.items() if not memory.has_expired(now)}
    too_long = _text_bytes(memories.values()) > MAX_TEXT_BYTES
    if too_long:
        memories = {}
    return EventAnswer(
        event_id=event.id,
        user_id=event.user_id,
        status=event.status,
        stage=event.stage,
        messages=list(event.message_ids),
        operations=[_describe(done, memories) for done in event.operations],
        notices=[*event.notices, *([Notice(code=TEXTS_LEFT_OUT)] if too_long else [])],
        usage=event.usage,
        counts=event.counts,
        error=event.error,
        errors=list(event.errors),
        download_url=open_files and download_url(open_files, event, now),
        created_at=event.created_at,
        completed_at=event.completed_at,
    )


def _text_bytes(memories: Iterable[Memory]) -> int:
    return sum(len(memory.content.encode()) for memory in memories)


def _describe(done: EventOperation, memories: dict[str, Memory]) -> OperationAnswer:
    memory = memories.get(done.memory_id)
    previous = memories.get(done.replaces_id or "")
    return OperationAnswer(
        operation=done.operation,
        memory_id=done.memory_id,
        memory=memory and memory.content,
        replaces_id=done.replaces_id,
        previous_memory=previous and previous.content,
        message_id=done.message_id,
    )
