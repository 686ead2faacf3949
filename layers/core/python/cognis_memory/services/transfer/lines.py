"""Lines of an export: written from documents, read back as documents of whoever imports them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from pydantic import ValidationError

from cognis_memory.domain.json_objects import parse_object
from cognis_memory.errors import FieldError, InvalidInput
from cognis_memory.models.memory import Memory, Repeat
from cognis_memory.models.message import Message
from cognis_memory.models.requests import fault_message
from cognis_memory.models.transfer import (
    FORMAT_VERSION,
    LINES,
    MAX_LINE_BYTES,
    DocumentLine,
    HeaderLine,
    MemoryLine,
    MessageLine,
    RepeatLine,
)
from cognis_memory.models.values import FloatVector, Owner

_OWN: Final = frozenset({"tenant_id", "user_id", "revision"})
"""What is the ledger's own: whose a document is there, and how often it was written."""

_OF_LINES: Final = frozenset({"type", "vector"})

_NEW_LINE: Final = b"\n"


def line_of(document: Memory | Message, vector: FloatVector | None) -> DocumentLine:
    if isinstance(document, Message):
        return MessageLine.model_construct(**_fields(document), vector=vector)
    repeats = tuple(RepeatLine.model_construct(**dict(repeat)) for repeat in document.repeats)
    return MemoryLine.model_construct(**{**_fields(document), "repeats": repeats}, vector=vector)


def document_of(line: DocumentLine, owner: Owner) -> Memory | Message:
    """The document as a ledger takes it that does not hold it yet: at revision 1."""
    own = {"tenant_id": owner.tenant_id, "user_id": owner.user_id, "revision": 1}
    fields: dict[str, Any] = {name: value for name, value in line if name not in _OF_LINES} | own
    if isinstance(line, MessageLine):
        return Message.model_construct(**fields)
    repeats = tuple(Repeat.model_construct(**dict(repeat)) for repeat in line.repeats)
    return Memory.model_construct(**{**fields, "repeats": repeats})


def write_line(line: HeaderLine | DocumentLine) -> bytes:
    return line.model_dump_json().encode() + _NEW_LINE


def split_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The lines without their ends. Of one longer than MAX_LINE_BYTES the beginning, and nothing after it."""
    left = b""
    for chunk in chunks:
        *lines, left = (left + chunk).split(_NEW_LINE)
        yield from lines
        if len(left) > MAX_LINE_BYTES:
            break
    if left:
        yield left


def read_line(line: bytes) -> HeaderLine | DocumentLine:
    """Raises InvalidInput, whose faults name fields of the format and quote nothing of the line."""
    if len(line) > MAX_LINE_BYTES:
        raise _refused("", f"is longer than {MAX_LINE_BYTES} bytes; the lines after it were not read")
    try:
        given = parse_object(line.decode())
    except UnicodeDecodeError:
        raise _refused("", "is not UTF-8") from None
    except InvalidInput as error:
        raise InvalidInput("the line is not JSON", [_unquoted(fault, ()) for fault in error.errors]) from None
    kind = LINES.get(str(given.get("type")))
    if kind is None:
        raise _refused("type", f"must be one of {', '.join(LINES)}")
    if kind is HeaderLine and given.get("format_version", FORMAT_VERSION) != FORMAT_VERSION:
        raise _refused("format_version", f"must be {FORMAT_VERSION}; this version reads no other")
    return _validated(kind, given)


def _validated(kind: type[HeaderLine | DocumentLine], given: dict[str, Any]) -> HeaderLine | DocumentLine:
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
    faults = [
        FieldError(str(detail["loc"][0]) if detail["loc"] else "", fault_message(detail))
        for detail in details
    ]
    raise InvalidInput("the line is not valid", [_unquoted(fault, kind.model_fields) for fault in faults])


def _unquoted(fault: FieldError, fields: Iterable[str]) -> FieldError:
    """Without a name that the format does not know: it may be anything that somebody once said."""
    if not fault.field or fault.field in fields:
        return fault
    return FieldError("", f"a field {fault.message}")


def _refused(field: str, message: str) -> InvalidInput:
    return InvalidInput("the line is not valid", [FieldError(field, message)])


def _fields(document: Memory | Message) -> dict[str, Any]:
    return {name: value for name, value in document if name not in _OWN}
