"""A call of the API after every check that all routes share, and what a route answers to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from cognis_memory.models.credential import Credential
from cognis_memory.models.requests import read_request
from cognis_memory.models.values import Owner
from cognis_memory.runtime.http import gateway
from cognis_memory.runtime.http.faults import NotAllowed, Unauthenticated
from cognis_memory.runtime.http.operations import Operation
from cognis_memory.runtime.http.routes import Route

BodyT = TypeVar("BodyT")
QueryT = TypeVar("QueryT")


@dataclass(frozen=True, slots=True)
class Call(Generic[BodyT, QueryT]):
    """`body` and `query` as the route's operation describes them, `path` the path's parameters by name."""

    request_id: str
    credential: Credential | None
    path: Mapping[str, str]
    query: QueryT
    body: BodyT
    idempotency_key: str | None = None

    @property
    def caller(self) -> Credential:
        if self.credential is None:
            raise Unauthenticated("this route takes no credential")
        return self.credential

    def owner(self, user_id: str) -> Owner:
        """Whose memories the call is about. Raises NotAllowed for a credential bound to another user."""
        if self.caller.user_id not in (None, user_id):
            raise NotAllowed("the credential is bound to another user_id")
        return Owner(self.caller.tenant_id, user_id)


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of a route, a model or JSON as text; `left_out` names fields of the model to leave out."""

    answer: BaseModel | str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    left_out: Any = None


Handler = Callable[[Call[Any, Any]], Reply]


def read_call(
    route: Route, operation: Operation, event: gateway.Event, encoded: Mapping[str, str]
) -> Call[Any, Any]:
    """Checks the event against what the route takes; nothing in it is ignored.

    `encoded` are the path's parameters as they stand in the path. Raises InvalidInput and the other errors of
    `gateway`.
    """
    credential = gateway.credential(event) if route.authorized else None
    gateway.refuse_tenant(event)
    path = gateway.path_parameters(encoded)
    query = read_request(operation.query, gateway.query_parameters(event))
    body = None
    if operation.body is None:
        gateway.refuse_body(event)
    else:
        body = read_request(operation.body, gateway.json_body(event))
    return Call(
        request_id=gateway.request_id(event),
        credential=credential,
        path=path,
        query=query,
        body=body,
        idempotency_key=gateway.idempotency_key(event) if operation.idempotent else None,
    )
