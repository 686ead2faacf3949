"""The one mapping from errors to answers: problem documents as RFC 9457 has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Final

from pydantic import BaseModel, Field

from cognis_memory.errors import (
    BudgetExceeded,
    Conflict,
    FieldError,
    IdempotencyKeyReused,
    InputTooLarge,
    InvalidInput,
    LeaseHeld,
    NotFound,
    TransientError,
)
from cognis_memory.runtime.http.faults import (
    NotAllowed,
    RouteNotFound,
    Unauthenticated,
    UnsupportedMediaType,
)

CONTENT_TYPE: Final = "application/problem+json"
RETRY_AFTER_SECONDS: Final = 2

_TYPE_PREFIX: Final = "urn:cognis:problem:"
_MAX_ERRORS: Final = 50
_MAX_FIELD_CHARACTERS: Final = 200
_MAX_DETAIL_CHARACTERS: Final = 1_000


class ProblemField(BaseModel):
    """One fault of the request: where, as a path such as `messages[0].content`, and what to change."""

    field: str
    message: str


class Problem(BaseModel):
    """`type` names the kind of problem for programs and does not change; `title` is the same for people."""

    type: str
    title: str
    status: int = Field(ge=400, le=599)
    detail: str
    request_id: str
    errors: list[ProblemField] | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem; `detail` is said in place of the error's own words where those are not for callers.

    `retryable`: the same request may succeed later, and `Retry-After` says when to try.
    """

    name: str
    status: HTTPStatus
    title: str
    detail: str | None = None
    retryable: bool = False

    @property
    def type(self) -> str:
        return _TYPE_PREFIX + self.name


KINDS: Final[Mapping[type[Exception], Kind]] = MappingProxyType(
    {
        InvalidInput: Kind("invalid-input", HTTPStatus.BAD_REQUEST, "The request is not valid"),
        Unauthenticated: Kind(
            "unauthenticated", HTTPStatus.UNAUTHORIZED, "The request has no valid credential"
        ),
        NotAllowed: Kind("not-allowed", HTTPStatus.FORBIDDEN, "The credential does not allow this"),
        RouteNotFound: Kind("route-not-found", HTTPStatus.NOT_FOUND, "The API has no such path or method"),
        NotFound: Kind("not-found", HTTPStatus.NOT_FOUND, "There is no such thing"),
        Conflict: Kind("conflict", HTTPStatus.CONFLICT, "What the request relied on has changed"),
        InputTooLarge: Kind(
            "too-large", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The request or its answer is too large"
        ),
        UnsupportedMediaType: Kind(
            "unsupported-media-type", HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The body is not JSON"
        ),
        IdempotencyKeyReused: Kind(
            "idempotency-key-reused",
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "The idempotency key was used with another body",
        ),
        BudgetExceeded: Kind(
            "budget-exceeded",
            HTTPStatus.TOO_MANY_REQUESTS,
            "The month's budget is spent",
            retryable=True,
        ),
        LeaseHeld: Kind(
            "unavailable",
            HTTPStatus.SERVICE_UNAVAILABLE,
            "The service cannot answer at the moment",
            "other work on this user is under way; try again",
            retryable=True,
        ),
        TransientError: Kind(
            "unavailable",
            HTTPStatus.SERVICE_UNAVAILABLE,
            "The service cannot answer at the moment",
            "something this depends on is slow or down; try again",
            retryable=True,
        ),
        Exception: Kind(
            "internal-error",
            HTTPStatus.INTERNAL_SERVER_ERROR,
            "The service failed",
            "an unexpected fault; name the request_id when you report it",
        ),
    }
)
"""By the most special class that an error is of; every other exception is an internal error."""

THROTTLED: Final = Kind(
    "throttled",
    HTTPStatus.TOO_MANY_REQUESTS,
    "Too many requests",
    "more requests came than this key or the service takes; try again later",
    retryable=True,
)
"""What the gateway answers by itself before any function is called."""


def kind_of(error: Exception) -> Kind:
    return next(KINDS[class_] for class_ in type(error).__mro__ if class_ in KINDS)


def problem_of(error: Exception, request_id: str) -> Problem:
    """What the caller is told: for faults of the request where they are, for others nothing of the inside."""
    kind = kind_of(error)
    faults = error.errors if isinstance(error, InvalidInput) else []
    return Problem(
        type=kind.type,
        title=kind.title,
        status=kind.status,
        detail=kind.detail or _shown(str(error), _MAX_DETAIL_CHARACTERS),
        request_id=request_id,
        errors=_fields(faults) or None,
    )


def problem_headers(error: Exception) -> dict[str, str]:
    """The headers that come with the problem beside its content type."""
    if isinstance(error, BudgetExceeded):
        return {"Retry-After": str(error.retry_after_seconds)}
    if kind_of(error).retryable:
        return {"Retry-After": str(RETRY_AFTER_SECONDS)}
    return {}


def _fields(faults: Sequence[FieldError]) -> list[ProblemField]:
    shown = [
        ProblemField(field=_shown(fault.field, _MAX_FIELD_CHARACTERS), message=fault.message)
        for fault in faults[:_MAX_ERRORS]
    ]
    if len(faults) > _MAX_ERRORS:
        shown.append(ProblemField(field="", message=f"and {len(faults) - _MAX_ERRORS} faults more"))
    return shown


def _shown(text: str, limit: int) -> str:
    """At most so many characters that UTF-8 can carry: the names of unknown fields are the caller's."""
    return text[:limit].encode(errors="backslashreplace").decode()
