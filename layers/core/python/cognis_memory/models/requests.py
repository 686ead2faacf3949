"""The bodies of the API's requests with their limits."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final, Literal, Self, TypeVar
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails

from cognis_memory.errors import FieldError, InvalidInput
from cognis_memory.models.values import RFC3339, Category, Metadata, MetadataValue, Role, Scope, UtcTime

MAX_MESSAGES = 500
MAX_CONTENT_CHARACTERS = 100_000
MAX_REQUEST_BYTES = 5_000_000
MAX_METADATA_BYTES = 4_096
MAX_QUERY_CHARACTERS = 10_000

# Times that are read in the zone of their user keep a day from the ends of the calendar, in every zone.
_FIRST_TIME: Final = datetime.min.replace(tzinfo=UTC) + timedelta(days=1)
_LAST_TIME: Final = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)


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


def _rfc3339(value: Any) -> Any:
    """Numbers and dates are not times in this API, though pydantic would read them as such."""
    if isinstance(value, int | float) or (isinstance(value, str) and not RFC3339.fullmatch(value)):
        raise ValueError("must be an RFC 3339 time such as 2026-07-08T11:00:00Z")
    return value


def _in_every_zone(moment: datetime) -> datetime:
    if not _FIRST_TIME <= moment <= _LAST_TIME:
        raise ValueError("must be between 0001-01-02 and 9999-12-30")
    return moment


def _metadata_value(value: Any, read: ValidatorFunctionWrapHandler) -> MetadataValue:
    """One fault for a value, in place of one for every type that it is not."""
    try:
        checked: MetadataValue = read(value)
    except ValidationError:
        raise ValueError("must be a text, a number, a boolean or a list of these") from None
    if not all(map(_countable, checked if isinstance(checked, list) else [checked])):
        raise ValueError("must be a finite number within 64 bits")
    return checked


def _countable(value: object) -> bool:
    """Whether filters can compare the value: they know numbers of 64 bits."""
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or -(2**63) <= value < 2**63


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
Expiry = Annotated[UtcTime, BeforeValidator(_rfc3339)]
RequestTime = Annotated[Expiry, AfterValidator(_in_every_zone)]
RequestMetadata = Annotated[
    dict[str, Annotated[MetadataValue, WrapValidator(_metadata_value)]], AfterValidator(_bounded_metadata)
]


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
    infer: StrictBool = True
    instructions: Annotated[str, StringConstraints(max_length=2_000), AfterValidator(_storable)] | None = None
    expires_at: Expiry | None = None

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
    min_relevance: Annotated[float, Field(ge=0, le=1, strict=True)] | None = None
    rerank: StrictBool = True
    include_messages: StrictBool = True
    max_tokens: Annotated[int, Field(ge=1, le=100_000, strict=True)] | None = None
    explain: StrictBool = False

    @model_validator(mode="after")
    def _context_named(self) -> Self:
        if self.scope is Scope.CONTEXT and self.context_id is None:
            raise ValueError("scope CONTEXT requires context_id")
        return self


def _without_null(schema: dict[str, Any]) -> None:
    (given,) = [option for option in schema.pop("anyOf") if option != {"type": "null"}]
    del schema["default"]
    schema |= given


_NOT_NULL: Final = Field(json_schema_extra=_without_null)
"""Of fields that may be left out and yet not be null."""


class PatchRequest(_Request):
    """The body of `PATCH /v1/memories/{memory_id}`; what is absent stays as it is.

    Only `expires_at` may be null, which lifts the expiry.
    """

    user_id: Identifier
    content: Annotated[Content | None, _NOT_NULL] = None
    category: Annotated[Category | None, _NOT_NULL] = None
    metadata: Annotated[RequestMetadata | None, _NOT_NULL] = None
    expires_at: Expiry | None = None
    if_version: Annotated[int, Field(ge=1, strict=True)] | None = None

    @field_validator("content", "category", "metadata", mode="before")
    @classmethod
    def _given(cls, value: Any) -> Any:
        if value is None:
            raise ValueError("must not be null; leave it out to keep what is there")
        return value


_RequestType = TypeVar("_RequestType", bound=BaseModel)


_TENANT: Final = re.compile(r"(x[-_])?(cognis[-_])?tenant([-_]?(id|name|key))?", re.IGNORECASE)
_MESSAGES: Final = {"extra_forbidden": "is not known here", "missing": "is required"}


def read_request(model: type[_RequestType], body: Any) -> _RequestType:
    """The validated body. Raises InvalidInput that names each faulty field and what to change."""
    try:
        return model.model_validate(body)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        faults = [FieldError(field_path(fault["loc"]), _message(fault)) for fault in details]
        summary = "; ".join(
            f"{fault.field}: {fault.message}" if fault.field else fault.message for fault in faults[:3]
        )
        raise InvalidInput(summary, faults) from None


def _message(fault: ErrorDetails) -> str:
    """In our own words where a rule of ours refused, and for what is there too much or not at all."""
    own = fault.get("ctx", {}).get("error")
    if isinstance(own, ValueError):
        return str(own)
    if fault["type"] == "extra_forbidden" and names_tenant(str(fault["loc"][-1])):
        return "must not be given; the tenant comes from the credential"
    return _MESSAGES.get(fault["type"], fault["msg"])


def names_tenant(name: str) -> bool:
    """Whether a field or a header of that name would name the tenant, as none may."""
    return _TENANT.fullmatch(name) is not None


def field_path(location: Iterable[int | str]) -> str:
    """`("messages", 0, "content")` as `messages[0].content`."""
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path
