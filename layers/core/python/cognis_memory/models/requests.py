"""The bodies of the API's requests with their limits."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, Self, TypeVar
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from cognis_memory.errors import FieldError, InvalidInput
from cognis_memory.models.values import Category, Metadata, Role, Scope, UtcTime

MAX_MESSAGES = 500
MAX_CONTENT_CHARACTERS = 100_000
MAX_REQUEST_BYTES = 5_000_000
MAX_METADATA_BYTES = 4_096
MAX_QUERY_CHARACTERS = 10_000


def _storable(text: str) -> str:
    """Refuses what UTF-8 cannot carry, so that it fails here and not in a store."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("contains unpaired surrogates; send valid Unicode text") from None
    return text


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError("is not a known time zone; use an IANA name such as Asia/Tokyo") from None
    return name


def _no_number(value: Any) -> Any:
    """Numbers are not times in this API, though pydantic would read them as epoch seconds."""
    if isinstance(value, int | float):
        raise ValueError("must be an RFC 3339 time such as 2026-07-08T11:00:00Z")
    return value


def _bounded_metadata(metadata: Metadata) -> Metadata:
    size = len(json.dumps(metadata, ensure_ascii=False).encode())
    if size > MAX_METADATA_BYTES:
        raise ValueError(f"has {size} bytes as JSON; the limit is {MAX_METADATA_BYTES}")
    return metadata


Identifier = Annotated[
    str, StringConstraints(min_length=1, max_length=256, pattern=r"\S"), AfterValidator(_storable)
]
Content = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_CONTENT_CHARACTERS, pattern=r"\S"),
    AfterValidator(_storable),
]
TimeZone = Annotated[str, AfterValidator(_known_zone)]
RequestTime = Annotated[UtcTime, BeforeValidator(_no_number)]
RequestMetadata = Annotated[Metadata, AfterValidator(_bounded_metadata)]


class _Request(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RequestMessage(_Request):
    """`speaker` defaults to the role, `timestamp` to the time of arrival."""

    role: Role
    content: Content
    speaker: Identifier | None = None
    timestamp: RequestTime | None = None


class IngestRequest(_Request):
    """The body of `POST /v1/memories`."""

    user_id: Identifier
    messages: Annotated[list[RequestMessage], Field(min_length=1, max_length=MAX_MESSAGES)]
    context_id: Identifier | None = None
    agent_id: Identifier | None = None
    scope: Scope = Scope.USER
    timezone: TimeZone = "UTC"
    metadata: RequestMetadata = {}
    infer: bool = True
    instructions: Annotated[str, StringConstraints(max_length=2_000), AfterValidator(_storable)] | None = None
    expires_at: RequestTime | None = None

    @model_validator(mode="after")
    def _context_named(self) -> Self:
        if self.scope is Scope.CONTEXT and self.context_id is None:
            raise ValueError("scope CONTEXT requires context_id")
        return self


class SearchRequest(_Request):
    """The body of `POST /v1/memories/search`; `filters` is parsed by `domain.filters`."""

    user_id: Identifier
    query: Annotated[
        str, StringConstraints(max_length=MAX_QUERY_CHARACTERS, pattern=r"\S"), AfterValidator(_storable)
    ]
    top_k: Annotated[int, Field(ge=1, le=100, strict=True)] = 10
    context_id: Identifier | None = None
    scope: Scope | None = None
    filters: dict[str, Any] | None = None
    history: Literal["auto", "always", "never"] = "auto"
    as_of: RequestTime | None = None
    reference_time: RequestTime | None = None
    timezone: TimeZone = "UTC"
    min_relevance: Annotated[float, Field(ge=0, le=1)] | None = None
    rerank: bool = True
    include_messages: bool = True
    max_tokens: Annotated[int, Field(ge=1, le=100_000, strict=True)] | None = None
    explain: bool = False

    @model_validator(mode="after")
    def _context_named(self) -> Self:
        if self.scope is Scope.CONTEXT and self.context_id is None:
            raise ValueError("scope CONTEXT requires context_id")
        return self


class PatchRequest(_Request):
    """The body of `PATCH /v1/memories/{memory_id}`; what is absent stays as it is."""

    user_id: Identifier
    content: Content | None = None
    category: Category | None = None
    metadata: RequestMetadata | None = None
    expires_at: RequestTime | None = None
    if_version: Annotated[int, Field(ge=1, strict=True)] | None = None


_RequestType = TypeVar("_RequestType", bound=BaseModel)


def read_request(model: type[_RequestType], body: Any) -> _RequestType:
    """The validated body. Raises InvalidInput that names each faulty field and what to change."""
    try:
        return model.model_validate(body)
    except ValidationError as error:
        faults = [FieldError(_path(fault["loc"]), fault["msg"]) for fault in error.errors()]
        summary = "; ".join(
            f"{fault.field}: {fault.message}" if fault.field else fault.message for fault in faults[:3]
        )
        raise InvalidInput(summary, faults) from None


def _path(location: tuple[int | str, ...]) -> str:
    """`("messages", 0, "content")` as `messages[0].content`."""
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path
