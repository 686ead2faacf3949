"""The routes that read."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from cognis_memory.models.answers import SearchAnswer
from cognis_memory.models.requests import SearchRequest
from cognis_memory.runtime.http.calls import Call, Handler, Reply
from cognis_memory.runtime.http.operations import Health
from cognis_memory.runtime.http.queries import ListQuery, Query, UserQuery
from cognis_memory.runtime.retrieval import observed_context, observed_search
from cognis_memory.runtime.wiring import deployment
from cognis_memory.services.events import read_event
from cognis_memory.services.memories.reading import get_history, get_memory, list_memories
from cognis_memory.version import VERSION


def _search_memories(call: Call[SearchRequest, Query]) -> Reply:
    owner = call.owner(call.body.user_id)
    answer = observed_search(deployment(), owner, call.body, request_id=call.request_id)
    return Reply(answer, left_out=_left_out(answer, call.body))


def _build_context(call: Call[SearchRequest, Query]) -> Reply:
    owner = call.owner(call.body.user_id)
    return Reply(observed_context(deployment(), owner, call.body, request_id=call.request_id))


def _list_memories(call: Call[None, ListQuery]) -> Reply:
    owner = call.owner(call.query.user_id)
    return Reply(list_memories(deployment().ledger, owner, call.query, deployment().clock()))


def _get_memory(call: Call[None, UserQuery]) -> Reply:
    owner = call.owner(call.query.user_id)
    return Reply(get_memory(deployment().ledger, owner, call.path["memory_id"], deployment().clock()))


def _get_history(call: Call[None, UserQuery]) -> Reply:
    owner = call.owner(call.query.user_id)
    return Reply(get_history(deployment().ledger, owner, call.path["memory_id"], deployment().clock()))


def _get_event(call: Call[None, Query]) -> Reply:
    caller = call.caller
    return Reply(
        read_event(
            deployment().ledger,
            caller.tenant_id,
            call.path["event_id"],
            now=deployment().clock(),
            user_id=caller.user_id,
            open_files=lambda: deployment().transfer_files,
        )
    )


def _get_health(_: Call[None, Query]) -> Reply:
    return Reply(Health(version=VERSION))


def _get_openapi(_: Call[None, Query]) -> Reply:
    from cognis_memory.runtime.http.openapi import openapi_json  # noqa: PLC0415 - seldom asked for

    return Reply(openapi_json())


def _left_out(answer: SearchAnswer, request: SearchRequest) -> dict[str, Any]:
    """Fields that come only where they were asked for, or where there is something to say."""
    of_answer = {"stage_durations": request.explain, "degraded": bool(answer.degraded)}
    of_results = {"score_breakdown": request.explain, "history": answer.query.history}
    return {
        **{name: True for name, shown in of_answer.items() if not shown},
        "results": {"__all__": {name for name, shown in of_results.items() if not shown}},
    }


HANDLERS: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        "search_memories": _search_memories,
        "build_context": _build_context,
        "list_memories": _list_memories,
        "get_memory": _get_memory,
        "get_history": _get_history,
        "get_event": _get_event,
        "get_health": _get_health,
        "get_openapi": _get_openapi,
    }
)
"""By the name of their route."""
