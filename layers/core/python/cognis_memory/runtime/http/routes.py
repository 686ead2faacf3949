"""The routes of the API, in one table: gateway, functions and OpenAPI document are all made from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

FunctionName = Literal["ingest", "retrieve"]


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one path, as API Gateway writes paths: `/v1/memories/{memory_id}`.

    `name` is the route's own everywhere, `function` the Lambda that answers it; a route that is not
    `authorized` takes no credential.
    """

    name: str
    method: str
    path: str
    function: FunctionName
    authorized: bool = True


ROUTES: Final = (
    Route("add_messages", "POST", "/v1/memories", "ingest"),
    Route("change_memory", "PATCH", "/v1/memories/{memory_id}", "ingest"),
    Route("delete_memory", "DELETE", "/v1/memories/{memory_id}", "ingest"),
    Route("erase_user", "DELETE", "/v1/users/{user_id}", "ingest"),
    Route("export_user", "POST", "/v1/users/{user_id}/export", "ingest"),
    Route("import_user", "POST", "/v1/users/{user_id}/import", "ingest"),
    Route("search_memories", "POST", "/v1/memories/search", "retrieve"),
    Route("build_context", "POST", "/v1/context", "retrieve"),
    Route("list_memories", "GET", "/v1/memories", "retrieve"),
    Route("get_memory", "GET", "/v1/memories/{memory_id}", "retrieve"),
    Route("get_history", "GET", "/v1/memories/{memory_id}/history", "retrieve"),
    Route("get_event", "GET", "/v1/events/{event_id}", "retrieve"),
    Route("get_health", "GET", "/v1/health", "retrieve", authorized=False),
    Route("get_openapi", "GET", "/v1/openapi.json", "retrieve", authorized=False),
)
