"""From the gateway's event to the route's answer, for the functions that serve HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel

from cognis_memory.errors import BudgetExceeded, CognisError, InputTooLarge
from cognis_memory.runtime.http import gateway
from cognis_memory.runtime.http.calls import Handler, Reply, read_call
from cognis_memory.runtime.http.faults import RouteNotFound
from cognis_memory.runtime.http.operations import OPERATIONS, Operation
from cognis_memory.runtime.http.problems import CONTENT_TYPE, problem_headers, problem_of
from cognis_memory.runtime.http.routes import ROUTES, FunctionName, Route
from cognis_memory.runtime.invocation import in_time
from cognis_memory.runtime.metrics import Metric, emit
from cognis_memory.runtime.observability import log_unexpected, logger

MAX_ANSWER_BYTES: Final = 6_000_000
"""Lambda answers with 6 MB at most, counted after the body has become a JSON string."""

_CERTAINLY_FITS: Final = MAX_ANSWER_BYTES // 6
"""No character becomes longer than six in a JSON string."""


def create_app(function: FunctionName, handlers: Mapping[str, Handler]) -> Callable[..., dict[str, Any]]:
    """The Lambda handler of that function, whose routes are answered by `handlers`, by their names."""
    resolver = APIGatewayRestResolver(debug=False)
    for route in ROUTES:
        if route.function == function:
            _register(resolver, route, handlers[route.name])
    unknown = RouteNotFound("the API has no such path or method")
    resolver.not_found(lambda _: _problem(resolver, unknown))
    resolver.exception_handler(Exception)(lambda error: _problem(resolver, error))

    def handle(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        with in_time(context):
            answer = resolver.resolve({**event, "path": gateway.routed_path(event)}, context)
        headers = {"X-Request-Id": [gateway.request_id(event)], "Cache-Control": ["no-store"]}
        answer["multiValueHeaders"] |= headers
        return answer

    return handle


def _register(resolver: APIGatewayRestResolver, route: Route, handler: Handler) -> None:
    operation = OPERATIONS[route.name]

    def answer(**encoded: str) -> Response[str]:
        return _response(operation, handler(read_call(route, operation, _event(resolver), encoded)))

    rule = re.sub(r"\{(\w+)\}", r"<\1>", route.path)  # as Powertools writes parameters
    resolver.route(rule, route.method)(answer)


def _event(resolver: APIGatewayRestResolver) -> gateway.Event:
    return resolver.current_event.raw_event


def _response(operation: Operation, reply: Reply) -> Response[str]:
    status = int(operation.status)
    if reply.answer is None:
        return Response(status_code=status, headers=reply.headers, body="")
    body = reply.answer if isinstance(reply.answer, str) else _json(reply.answer, reply.left_out)
    return Response(status, "application/json", _checked(body), reply.headers)


def _json(answer: BaseModel, left_out: Any) -> str:
    return answer.model_dump_json(exclude=left_out)


def _checked(body: str) -> str:
    if len(body) > _CERTAINLY_FITS and len(json.dumps(body, ensure_ascii=False).encode()) > MAX_ANSWER_BYTES:
        raise InputTooLarge("the answer would be too large; ask for less with top_k or limit")
    return body


def _problem(resolver: APIGatewayRestResolver, error: Exception) -> Response[str]:
    request_id = gateway.request_id(_event(resolver))
    problem = problem_of(error, request_id)
    if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        _log(error, request_id)
    if isinstance(error, BudgetExceeded):
        _log_budget(error, _event(resolver))
    body = problem.model_dump_json(exclude_none=True)
    return Response(problem.status, CONTENT_TYPE, body, problem_headers(error))


def _log(error: Exception, request_id: str) -> None:
    """Our own errors with their words, which hold no memory text; of others only kind and place."""
    if isinstance(error, CognisError):
        about = {"request_id": request_id, "error": error.code, "detail": str(error)}
        logger().error("request_failed", extra=about)
    else:
        log_unexpected(f"request {request_id}", error)


def _log_budget(error: BudgetExceeded, event: gateway.Event) -> None:
    """The tenant stands in the log alone: a metric has no room for as many as there may be."""
    tenant_id = gateway.credential(event).tenant_id
    about = {"request_id": gateway.request_id(event), "tenant": tenant_id, "detail": str(error)}
    logger().warning("budget_exceeded", extra=about)
    emit({Metric.BUDGET_EXCEEDED: 1})
