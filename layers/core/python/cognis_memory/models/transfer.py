"""The lines of an export, which an import takes: JSON objects, one a line, in UTF-8 (JSON Lines).

The first line is the header. After it come the memories, the versions of a chain together and in order of
time, then the messages. A line names neither tenant nor user: whoever imports it says whose it becomes.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

import numpy as np
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    StrictBool,
    StringConstraints,
    model_validator,
)

from cognis_memory.models.fields import (
    MAX_CONTENT_CHARACTERS,
    Expiry,
    Identifier,
    RequestMetadata,
    RequestTime,
    TimeZone,
)
from cognis_memory.models.values import Category, FloatVector, Operation, Role, Scope

FORMAT_VERSION: Final = 1

MAX_LINE_BYTES: Final = 4_000_000
"""Several times what the longest message takes, however its characters are escaped."""

MAX_SHORT_TEXT: Final = 1_000

_COMPONENTS: Final = 768
_FLOAT32: Final = np.dtype("<f4")
_UNIT_TOLERANCE: Final = 1e-3
_ID: Final = re.compile(r"[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}(_[0-9]{6})?", re.ASCII)


def _id_with(prefix: str, *, position: bool) -> Callable[[str], str]:
    """Checks ids as `domain.ids` makes them, with a position at the end or without."""

    def checked(id_: str) -> str:
        found = _ID.fullmatch(id_)
        if found is None or not id_.startswith(prefix) or bool(found[1]) is not position:
            raise ValueError(f"must be an id of this service that begins with {prefix}")
        return id_

    return checked


def _read_vector(value: Any) -> FloatVector:
    """From base64 of 768 little-endian float32, of unit length, or all zero: the vector of nothing."""
    if isinstance(value, np.ndarray):
        return value
    try:
        data = base64.b64decode(value if isinstance(value, str) else "", validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if len(data) != _COMPONENTS * _FLOAT32.itemsize:
        raise ValueError(f"must be {_COMPONENTS} little-endian float32 in base64")
    vector = np.frombuffer(data, dtype=_FLOAT32).astype(np.float32, copy=False)
    length = float(np.linalg.norm(vector.astype(np.float64)))
    if length != 0 and not abs(length - 1) < _UNIT_TOLERANCE:
        raise ValueError("must be of unit length")
    return vector


def _write_vector(vector: FloatVector) -> str:
    return base64.b64encode(np.ascontiguousarray(vector, dtype=_FLOAT32).tobytes()).decode()


LineVector = Annotated[
    FloatVector, PlainValidator(_read_vector), PlainSerializer(_write_vector, return_type=str)
]
EventId = Annotated[str, AfterValidator(_id_with("evt_", position=False))]
MemoryId = Annotated[str, AfterValidator(_id_with("mem_", position=True))]
MessageId = Annotated[str, AfterValidator(_id_with("msg_", position=True))]
Text = Annotated[str, StringConstraints(max_length=MAX_CONTENT_CHARACTERS)]
ShortText = Annotated[str, StringConstraints(max_length=MAX_SHORT_TEXT)]
Count = Annotated[int, Field(ge=0, strict=True)]


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class _TypedLine(_Line):
    type: str


class HeaderLine(_TypedLine):
    """`embedding_model` is that of the deployment that wrote the file; a vector is taken over where its line
    names the model of the one that reads it. The counts tell whether the file is whole."""

    type: Literal["header"] = "header"
    format_version: Annotated[int, Field(strict=True)] = FORMAT_VERSION
    exported_at: RequestTime
    embedding_model: ShortText
    memories: Count
    messages: Count


class _DocumentLine(_TypedLine):
    """What memories and messages share. Without its vector a document is embedded anew."""

    id: str
    event_id: EventId
    position: Count
    content: Text
    language: ShortText = "en"
    scope: Scope = Scope.USER
    context_id: Identifier | None = None
    agent_id: Identifier | None = None
    timestamp: RequestTime
    event_time: RequestTime | None = None
    event_end: RequestTime | None = None
    metadata: RequestMetadata = {}
    created_at: RequestTime
    expires_at: Expiry | None = None
    redacted: StrictBool = False
    embedding_model: ShortText = ""
    vector: LineVector | None = None

    @property
    def may_be_silent(self) -> bool:
        """Whether it may be without a word."""
        return self.redacted

    @model_validator(mode="after")
    def _context_named(self) -> Self:
        if self.scope is Scope.CONTEXT and self.context_id is None:
            raise ValueError("scope CONTEXT requires context_id")
        return self

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.redacted and (self.content or self.metadata):
            raise ValueError("what is redacted has neither content nor metadata")
        if not (self.may_be_silent or self.content.strip()):
            raise ValueError("content must not be blank")
        return self


class RepeatLine(_Line):
    """Of a memory that it was stated again; see `Repeat`."""

    id: MemoryId
    message_id: MessageId
    event_id: EventId
    position: Count
    timestamp: RequestTime
    event_time: RequestTime | None = None
    event_end: RequestTime | None = None


class MemoryLine(_DocumentLine):
    """One version of a chain, a retraction (`operation` DELETE) too; see `Memory`."""

    type: Literal["memory"] = "memory"
    id: MemoryId
    chain_id: MemoryId
    version: Annotated[int, Field(ge=1, strict=True)]
    operation: Literal[Operation.ADD, Operation.UPDATE, Operation.DELETE]
    category: Category
    subject: ShortText = ""
    slot: ShortText | None = None
    speaker: ShortText | None = None
    retracts: StrictBool = False
    lapses: StrictBool = False
    valid_from: RequestTime
    valid_until: RequestTime | None = None
    is_current: StrictBool
    replaces_id: MemoryId | None = None
    source_messages: tuple[MessageId, ...] = ()
    repeats: tuple[RepeatLine, ...] = ()
    updated_at: RequestTime

    @property
    def may_be_silent(self) -> bool:
        """A retraction ends what stands before it, whatever it says."""
        return self.redacted or self.operation is Operation.DELETE


class MessageLine(_DocumentLine):
    """One turn of a conversation; see `Message`."""

    type: Literal["message"] = "message"
    id: MessageId
    role: Role
    speaker: ShortText
    timezone: TimeZone = "UTC"
    preceding: tuple[MessageId, ...] = ()
    links: tuple[MemoryId, ...] = ()


DocumentLine: TypeAlias = MemoryLine | MessageLine

LINES: Final[Mapping[str, type[HeaderLine | DocumentLine]]] = {
    "header": HeaderLine,
    "memory": MemoryLine,
    "message": MessageLine,
}
"""By what `type` says."""
