"""The OpenAPI document, made from the routes, their operations and the kinds of problems."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from http import HTTPStatus
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from cognis_memory.errors import InputTooLarge, InvalidInput, TransientError
from cognis_memory.models.fields import MAX_IDEMPOTENCY_KEY_CHARACTERS
from cognis_memory.models.requests import SearchRequest
from cognis_memory.runtime.http.faults import NotAllowed, Unauthenticated, UnsupportedMediaType
from cognis_memory.runtime.http.filter_schema import filter_schemas, nullable_filter
from cognis_memory.runtime.http.operations import IDEMPOTENCY_HEADER, OPERATIONS, Operation
from cognis_memory.runtime.http.problems import CONTENT_TYPE, KINDS, THROTTLED, Kind, Problem
from cognis_memory.runtime.http.queries import UserQuery
from cognis_memory.runtime.http.routes import ROUTES, Route
from cognis_memory.version import VERSION

OPENAPI_VERSION: Final = "3.1.0"

_MODE: Final[JsonSchemaMode] = "validation"
"""Times are written as they are read; their serialised form would lose the format."""

_SCHEMAS: Final = "#/components/schemas/"
_HEADERS: Final = "#/components/headers/"
_RESPONSES: Final = "#/components/responses/"
_DESCRIPTION: Final = (
    "Long-term memory for conversational agents. Times are RFC 3339, in answers always UTC. Nothing in a"
    " request is ignored: unknown fields and parameters are refused. Every problem is a document of RFC 9457"
    " whose `type` names its kind for good."
)
_HEADER_COMPONENTS: Final = {
    "X-Request-Id": ("Names the request in the service's logs", {"type": "string"}),
    "Location": ("The path of the event", {"type": "string"}),
    "Idempotent-Replayed": (
        "There, and true, when the idempotency key had been used before: the event is the first one",
        {"type": "string", "enum": ["true"]},
    ),
    "Retry-After": ("Seconds to wait before the next try", {"type": "string"}),
}


@cache
def openapi_json() -> str:
    """The document as JSON text; it is the same for every call of a version."""
    return json.dumps(openapi_document(), ensure_ascii=False, separators=(",", ":"))


def openapi_document() -> dict[str, Any]:
    """OpenAPI 3.1 with every route of the API, whichever function answers it."""
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, OPERATIONS[route.name])
    return {
        "openapi": OPENAPI_VERSION,
        "info": {
            "title": "Cognis",
            "version": VERSION,
            "description": _DESCRIPTION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": _schemas(),
            "responses": {kind.name: _problem_response(kind) for kind in (*KINDS.values(), THROTTLED)},
            "headers": {
                name: {"description": words, "schema": schema}
                for name, (words, schema) in _HEADER_COMPONENTS.items()
            },
            "securitySchemes": {"ApiKey": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}},
        },
        "security": [{"ApiKey": []}],
    }


def _operation(route: Route, operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": route.name,
        "summary": operation.summary,
        "responses": _responses(route, operation),
    }
    if parameters := _parameters(route, operation):
        described["parameters"] = parameters
    if operation.body is not None:
        content = {"application/json": {"schema": {"$ref": _SCHEMAS + operation.body.__name__}}}
        described["requestBody"] = {"required": True, "content": content}
    if not route.authorized:
        described["security"] = []
    return described


def _parameters(route: Route, operation: Operation) -> list[dict[str, Any]]:
    user_id = _inlined(UserQuery)["properties"]["user_id"]
    parameters = [
        _parameter(name, "path", user_id if name == "user_id" else {"type": "string"}, required=True)
        for name in re.findall(r"\{(\w+)\}", route.path)
    ]
    query = _inlined(operation.query)
    parameters += [
        _parameter(name, "query", schema, required=name in query.get("required", ()))
        for name, schema in query.get("properties", {}).items()
    ]
    if operation.idempotent:
        schema = {"type": "string", "minLength": 1, "maxLength": MAX_IDEMPOTENCY_KEY_CHARACTERS}
        words = "A repeat within 24 hours with the same key and body answers the first event"
        parameters.append(
            _parameter(IDEMPOTENCY_HEADER, "header", schema, required=False) | {"description": words}
        )
    return parameters


def _parameter(name: str, place: str, schema: Mapping[str, Any], *, required: bool) -> dict[str, Any]:
    """Without null, which a parameter cannot be: leaving it out says the same."""
    options = [option for option in schema.get("anyOf", ()) if option != {"type": "null"}]
    shown = {**schema, **options[0]} if options else dict(schema)
    for unsaid in ("anyOf", "title"):
        shown.pop(unsaid, None)
    if shown.get("default", ...) is None:
        del shown["default"]
    return {"name": name, "in": place, "required": required, "schema": shown}


def _inlined(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema(ref_template=_SCHEMAS + "{model}", mode=_MODE)


def _responses(route: Route, operation: Operation) -> dict[str, Any]:
    responses: dict[str, Any] = {str(int(operation.status)): _success(operation)}
    problems: dict[str, dict[str, Kind]] = {}
    for kind in _problems(route, operation):
        problems.setdefault(str(int(kind.status)), {})[kind.name] = kind
    for status, kinds in problems.items():
        responses[status] = _problem_of_either(list(kinds.values()))
    return dict(sorted(responses.items()))


def _problem_of_either(kinds: Sequence[Kind]) -> dict[str, Any]:
    """A status has one response, which names all kinds that come with it."""
    if len(kinds) == 1:
        return {"$ref": _RESPONSES + kinds[0].name}
    either = [_problem_response(kind) for kind in kinds]
    return {**either[0], "description": "; or ".join(each["description"] for each in either)}


def _success(operation: Operation) -> dict[str, Any]:
    headers = ["X-Request-Id"]
    if operation.status is HTTPStatus.ACCEPTED:
        headers.append("Location")
    if operation.idempotent:
        headers.append("Idempotent-Replayed")
    response: dict[str, Any] = {
        "description": operation.status.phrase,
        "headers": {name: {"$ref": _HEADERS + name} for name in headers},
    }
    if operation.answer is not None:
        response["content"] = {"application/json": {"schema": {"$ref": _SCHEMAS + operation.answer.__name__}}}
    elif operation.status is not HTTPStatus.NO_CONTENT:
        response["content"] = {"application/json": {"schema": {"type": "object"}}}
    return response


def _problems(route: Route, operation: Operation) -> Iterable[Kind]:
    errors: list[type[Exception]] = [InvalidInput, *operation.problems, Exception]
    if route.authorized:
        errors += [Unauthenticated, NotAllowed, InputTooLarge, TransientError]
    if operation.body is not None:
        errors.append(UnsupportedMediaType)
    return [*(KINDS[error] for error in errors), THROTTLED]


def _problem_response(kind: Kind) -> dict[str, Any]:
    headers = ["X-Request-Id", "Retry-After"] if kind.retryable else ["X-Request-Id"]
    return {
        "description": f"{kind.title}: `{kind.type}`",
        "headers": {name: {"$ref": _HEADERS + name} for name in headers},
        "content": {CONTENT_TYPE: {"schema": {"$ref": _SCHEMAS + Problem.__name__}}},
    }


def _schemas() -> dict[str, Any]:
    """Requests are closed, answers open: a later version may say more, and nobody shall stumble over it."""
    operations = [OPERATIONS[route.name] for route in ROUTES]
    requests = _definitions(operation.body for operation in operations)
    requests[SearchRequest.__name__]["properties"]["filters"] = nullable_filter(_SCHEMAS)
    answers = _definitions([*(operation.answer for operation in operations), Problem])
    for schema in answers.values():
        schema.pop("additionalProperties", None)
    return {**requests, **filter_schemas(_SCHEMAS), **answers}


def _definitions(models: Iterable[type[BaseModel] | None]) -> dict[str, Any]:
    wanted = [(model, _MODE) for model in dict.fromkeys(models) if model is not None]
    _, schema = models_json_schema(wanted, ref_template=_SCHEMAS + "{model}")
    definitions: dict[str, Any] = schema["$defs"]
    return definitions
