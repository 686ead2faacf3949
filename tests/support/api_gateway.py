"""API Gateway in front of the functions: routes requests, asks the authorizer, hands on proxy events."""

from __future__ import annotations

import base64
import json
import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from lambda_context import API_SECONDS, AUTHORIZER_SECONDS, InvocationContext

from cognis_memory.runtime.http.routes import ROUTES, Route

Event = dict[str, Any]
Function = Callable[[Event, Any], Any]

API_ARN = "arn:aws:execute-api:eu-central-1:123456789012:api1/test"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: str

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def faults(self) -> list[str]:
        """The fields that a problem document complains of."""
        return [fault["field"] for fault in self.json.get("errors", [])]


@dataclass(slots=True)
class Gateway:
    """`functions` by the names of the route table, and the authorizer.

    `seconds`: what a function has for a request. `decodes_paths`: as some stand-ins do, while API Gateway
    hands path parameters of a REST API on encoded.
    """

    functions: Mapping[str, Function]
    authorizer: Function
    decodes_paths: bool = False
    seconds: float = API_SECONDS

    def call(
        self,
        method: str,
        url: str,
        body: Any = None,
        *,
        key: str | None = None,
        headers: Mapping[str, str | list[str]] | None = None,
        raw: str | bytes | None = None,
    ) -> Answer:
        """One request: `body` is sent as JSON, `raw` as it is, and bytes as the gateway sends them."""
        sent: dict[str, str | list[str]] = {"Host": "api.example", **(headers or {})}
        if key is not None:
            sent["X-Api-Key"] = key
        if body is not None:
            raw = json.dumps(body)
        if raw is not None and not any(name.lower() == "content-type" for name in sent):
            sent["Content-Type"] = "application/json"
        event = proxy_event(method, url, raw, sent, decodes_paths=self.decodes_paths)
        route = route_of(method, url)
        if route is not None and route.authorized:
            try:
                verdict = self.authorizer(
                    _authorizer_event(event), InvocationContext(seconds=AUTHORIZER_SECONDS)
                )
            except Exception as error:
                if str(error) != "Unauthorized":
                    raise
                return Answer(401, {}, "{}")
            event["requestContext"]["authorizer"] = {
                "principalId": verdict["principalId"],
                **verdict["context"],
            }
        return self.invoke(route.function if route else "retrieve", event)

    def invoke(self, function: str, event: Event) -> Answer:
        """What the function answers to the event, checked as API Gateway does."""
        answer = self.functions[function](event, InvocationContext(seconds=self.seconds))
        assert set(answer) <= {"statusCode", "body", "isBase64Encoded", "headers", "multiValueHeaders"}
        assert json.loads(json.dumps(answer)) == answer
        headers = {name: ", ".join(values) for name, values in answer["multiValueHeaders"].items()}
        return Answer(answer["statusCode"], headers, answer["body"])


def proxy_event(
    method: str,
    url: str,
    body: str | bytes | None = None,
    headers: Mapping[str, str | list[str]] | None = None,
    *,
    authorizer: Mapping[str, str] | None = None,
    decodes_paths: bool = False,
) -> Event:
    """The event of a REST API's Lambda proxy integration."""
    parts = urlsplit(url)
    path = unquote(parts.path) if decodes_paths else parts.path
    route = route_of(method, url)
    parameters = _parameters(route, parts.path) if route else {}
    if decodes_paths:
        parameters = {name: unquote(value) for name, value in parameters.items()}
    queries: dict[str, list[str]] = {}
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        queries.setdefault(name, []).append(value)
    several = {name: value if isinstance(value, list) else [value] for name, value in (headers or {}).items()}
    return {
        "resource": route.path if route else path,
        "path": path,
        "httpMethod": method,
        "headers": {name: values[-1] for name, values in several.items()},
        "multiValueHeaders": several,
        "queryStringParameters": {name: values[-1] for name, values in queries.items()} or None,
        "multiValueQueryStringParameters": queries or None,
        "pathParameters": parameters or None,
        "stageVariables": None,
        "requestContext": {
            "requestId": str(uuid.uuid4()),
            "stage": "test",
            "path": f"/test{path}",
            "httpMethod": method,
            "identity": {"sourceIp": "192.0.2.1"},
            **({"authorizer": dict(authorizer)} if authorizer else {}),
        },
        "body": base64.b64encode(body).decode() if isinstance(body, bytes) else body,
        "isBase64Encoded": isinstance(body, bytes),
    }


def _authorizer_event(event: Event) -> Event:
    shared = ("resource", "path", "httpMethod", "headers", "multiValueHeaders", "requestContext")
    arn = f"{API_ARN}/{event['httpMethod']}{event['path']}"
    return {"type": "REQUEST", "methodArn": arn, **{name: event[name] for name in shared}}


def route_of(method: str, url: str) -> Route | None:
    """The route that the gateway takes: words before parameters."""
    path = urlsplit(url).path
    matching = [r for r in ROUTES if r.method == method and _pattern(r).fullmatch(path)]
    return min(matching, key=lambda route: route.path.count("{"), default=None)


def _parameters(route: Route, path: str) -> dict[str, str]:
    found = _pattern(route).fullmatch(path)
    return found.groupdict() if found else {}


def _pattern(route: Route) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(route.path)))
