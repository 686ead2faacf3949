"""What API Gateway answers by itself, in the form that the API's own problems have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from aws_cdk import aws_apigateway as apigateway

from cognis_memory.errors import InputTooLarge, InvalidInput, TransientError
from cognis_memory.runtime.http.faults import (
    NotAllowed,
    RouteNotFound,
    Unauthenticated,
    UnsupportedMediaType,
)
from cognis_memory.runtime.http.problems import (
    CONTENT_TYPE,
    KINDS,
    RETRY_AFTER_SECONDS,
    THROTTLED,
    Kind,
    Problem,
)


@dataclass(frozen=True, slots=True)
class GatewayAnswer:
    """A kind of problem and what is said of it; `retry` tells the caller to come again soon.

    The gateway's own words are not shown: some are empty, and some speak of its inside.
    """

    kind: Kind
    detail: str
    retry: bool = False

    @property
    def status(self) -> int:
        return self.kind.status.value

    @property
    def body(self) -> str:
        """A mapping template, in which the gateway puts the request's id."""
        problem = Problem(
            type=self.kind.type,
            title=self.kind.title,
            status=self.status,
            detail=self.detail,
            request_id="$context.requestId",
        )
        return problem.model_dump_json(exclude_none=True)

    @property
    def headers(self) -> dict[str, str]:
        """Mapping expressions, in which a literal stands in quotes."""
        headers = {"Content-Type": f"'{CONTENT_TYPE}'", "X-Request-Id": "context.requestId"}
        return headers | {"Retry-After": f"'{RETRY_AFTER_SECONDS}'"} if self.retry else headers


_UNAUTHENTICATED: Final = GatewayAnswer(KINDS[Unauthenticated], "send a valid key in the header X-Api-Key")
_NOT_ALLOWED: Final = GatewayAnswer(KINDS[NotAllowed], "this credential does not allow the request")
_UNKNOWN: Final = GatewayAnswer(
    KINDS[RouteNotFound], "the API has no such path or method; GET /v1/openapi.json tells which it has"
)
_INVALID: Final = GatewayAnswer(KINDS[InvalidInput], "the request cannot be read")
_TOO_LARGE: Final = GatewayAnswer(KINDS[InputTooLarge], "the request is larger than the gateway takes")
_NOT_JSON: Final = GatewayAnswer(KINDS[UnsupportedMediaType], "send the body as application/json")
_TOO_MANY: Final = GatewayAnswer(THROTTLED, THROTTLED.detail or "try again later", retry=True)
_UNAVAILABLE: Final = GatewayAnswer(
    KINDS[TransientError], KINDS[TransientError].detail or "try again", retry=True
)
_FAULT: Final = GatewayAnswer(KINDS[Exception], KINDS[Exception].detail or "an unexpected fault")

GATEWAY_ANSWERS: Final[Mapping[str, GatewayAnswer]] = {
    "UNAUTHORIZED": _UNAUTHENTICATED,
    "ACCESS_DENIED": _NOT_ALLOWED,
    "WAF_FILTERED": _NOT_ALLOWED,
    "BAD_REQUEST_BODY": _INVALID,
    "BAD_REQUEST_PARAMETERS": _INVALID,
    "REQUEST_TOO_LARGE": _TOO_LARGE,
    "UNSUPPORTED_MEDIA_TYPE": _NOT_JSON,
    "THROTTLED": _TOO_MANY,
    "QUOTA_EXCEEDED": _TOO_MANY,
    "AUTHORIZER_FAILURE": _UNAVAILABLE,
    "INTEGRATION_FAILURE": _UNAVAILABLE,
    "INTEGRATION_TIMEOUT": _UNAVAILABLE,
    # What has no route is treated as if it had to be signed: without a signature, with something else in the
    # header Authorization (which falls to the default), or with a wrong one.
    "MISSING_AUTHENTICATION_TOKEN": _UNKNOWN,
    "RESOURCE_NOT_FOUND": _UNKNOWN,
    "INVALID_SIGNATURE": _UNKNOWN,
    "EXPIRED_TOKEN": _UNKNOWN,
    "DEFAULT_4XX": _UNKNOWN,
    "DEFAULT_5XX": _FAULT,
}
"""By API Gateway's names for its responses."""


def add_gateway_responses(api: apigateway.RestApi) -> None:
    """Makes every answer that comes from no function a problem document with the request's id."""
    for name, answer in GATEWAY_ANSWERS.items():
        api.add_gateway_response(
            f"{name.title().replace('_', '')}Response",
            type=apigateway.ResponseType.of(name),
            status_code=str(answer.status),
            response_headers=answer.headers,
            templates={"application/json": answer.body},  # the only template that is ever chosen
        )
