"""A small file of an export, line by line."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from fakes import NOW, HashEmbedder

from cognis_memory.domain.ids import event_id, memory_id, message_id
from cognis_memory.domain.versions import place
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.transfer import HeaderLine
from cognis_memory.models.values import Category, Owner, Role
from cognis_memory.services.transfer.checking import FileCheck, check_file
from cognis_memory.services.transfer.lines import line_of, write_line

OWNER = Owner("acme", "ana")
EVENT = event_id(1, bytes(10))


def memory(position: int, content: str, *, at: datetime = NOW, chain: int | None = None) -> Memory:
    id_ = memory_id(EVENT, position)
    return Memory(
        id=id_,
        tenant_id=OWNER.tenant_id,
        user_id=OWNER.user_id,
        event_id=EVENT,
        position=position,
        chain_id=id_ if chain is None else memory_id(EVENT, chain),
        content=content,
        category=Category.PERSONAL_DETAILS,
        timestamp=at,
        valid_from=at,
        source_messages=(message_id(EVENT, position),),
        created_at=at,
        updated_at=at,
        embedding_model=HashEmbedder().model_id,
    )


def message(position: int, content: str) -> Message:
    return Message(
        id=message_id(EVENT, position),
        tenant_id=OWNER.tenant_id,
        user_id=OWNER.user_id,
        event_id=EVENT,
        position=position,
        role=Role.USER,
        speaker="Ana",
        content=content,
        timestamp=NOW,
        created_at=NOW,
        embedding_model=HashEmbedder().model_id,
    )


def chain_of(*contents: str, first: int = 0) -> tuple[Memory, ...]:
    """A version for each content, an hour apart."""
    stated = [
        memory(first + number, content, at=NOW + timedelta(hours=number), chain=first)
        for number, content in enumerate(contents)
    ]
    return place((), *stated, now=NOW)


def lines(*documents: Memory | Message) -> list[bytes]:
    """The file of these documents without the ends of its lines."""
    embedder = HashEmbedder()
    counted = sum(isinstance(document, Memory) for document in documents)
    header = HeaderLine(
        exported_at=NOW,
        embedding_model=embedder.model_id,
        memories=counted,
        messages=len(documents) - counted,
    )
    vectors = {document.id: embedder.embed([document.content])[0] for document in documents}
    written = [line_of(document, vectors[document.id]) for document in documents]
    return [write_line(line).rstrip(b"\n") for line in (header, *written)]


def check(given: list[bytes]) -> FileCheck:
    return check_file(line + b"\n" for line in given)


def faults(given: list[bytes]) -> list[tuple[int, str, str]]:
    return [(fault.line, fault.field, fault.message) for fault in check(given).faults]


def changed(line: bytes, **fields: Any) -> bytes:
    """The line with these fields in place of its own; `...` takes one away."""
    given = json.loads(line) | fields
    return json.dumps({name: value for name, value in given.items() if value is not ...}).encode()
