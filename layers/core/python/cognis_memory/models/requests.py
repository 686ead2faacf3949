"""The API's requests with their limits, by whichever door they come."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal, Self, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails

from cognis_memory.errors import FieldError, InvalidInput
from cognis_memory.models.fields import (
    UNPAIRED_SURROGATES,
    Content,
    Cursor,
    Expiry,
    IdempotencyKey,
    Identifier,
    PageSize,
    QueryText,
    RequestMetadata,
    RequestTime,
    TimeZone,
)
from cognis_memory.models.values import Category, Role, Scope

MAX_MESSAGES = 500
MAX_REQUEST_BYTES = 5_000_000


class _Request(BaseModel):
    """Its validator is built with the first request of its kind: no function takes them all."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class UserRequest(_Request):
    """What names a user and nothing else."""

    user_id: Identifier


class MemoryRequest(UserRequest):
    """What names one memory of a user."""

    memory_id: Identifier


class EventRequest(_Request):
    """What names an event."""

    event_id: Identifier


class ListRequest(UserRequest):
    """What `GET /v1/memories` asks for."""

    limit: PageSize = 50
    cursor: Cursor | None = None
    category: Category | None = None
    scope: Scope | None = None
    context_id: Identifier | None = None
    include_history: StrictBool = False


class IdempotentRequest(_Request):
    """What may come with an ingestion beside its body."""

    idempotency_key: IdempotencyKey | None = None


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
    instructions: Annotated[str, StringConstraints(max_length=2_000)] | None = None
    expires_at: Expiry | None = None

    @model_validator(mode="after")
    def _context_named(self) -> Self:
        if self.scope is Scope.CONTEXT and self.context_id is None:
            raise ValueError("scope CONTEXT requires context_id")
        return self


class SearchRequest(_Request):
    """The body of `POST /v1/memories/search`; `filters` is parsed by `domain.filters`."""

    user_id: Identifier
    query: QueryText
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


PATCHED_FIELDS: Final = ("content", "category", "metadata", "expires_at")
"""What a PATCH can change."""


class PatchRequest(_Request):
    """The body of `PATCH /v1/memories/{memory_id}`; what is absent stays as it is.

    Only `expires_at` may be null, which lifts the expiry. What changes nothing is refused.
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

    @model_validator(mode="after")
    def _something_given(self) -> Self:
        if self.model_fields_set.isdisjoint(PATCHED_FIELDS):
            raise ValueError(f"there is nothing to change; give one of {', '.join(PATCHED_FIELDS)}")
        return self


_RequestType = TypeVar("_RequestType", bound=BaseModel)


_TENANT: Final = re.compile(r"(x[-_])?(cognis[-_])?tenant([-_]?(id|name|key))?", re.IGNORECASE)
_MESSAGES: Final = {
    "extra_forbidden": "is not known here",
    "missing": "is required",
    "model_type": "must be an object",
    "dict_type": "must be an object",
    "string_pattern_mismatch": "must not be blank",
    "string_too_short": "must not be blank",
    "string_unicode": UNPAIRED_SURROGATES,
    "invalid_key": "must be an object whose names are valid Unicode text",
    "too_short": "must not be empty; give at least one",
}
"""By pydantic's types of faults, where its own words do not say what to change in a request."""


def read_request(model: type[_RequestType], body: Any) -> _RequestType:
    """The validated body. Raises InvalidInput that names each faulty field and what to change."""
    try:
        return model.model_validate(body)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        faults = [FieldError(field_path(fault["loc"]), fault_message(fault)) for fault in details]
        summary = "; ".join(
            f"{fault.field}: {fault.message}" if fault.field else fault.message for fault in faults[:3]
        )
        raise InvalidInput(summary, faults) from None


def fault_message(fault: ErrorDetails) -> str:
    """What to change; for the faults of pydantic that requests can have mostly in our own words."""
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
