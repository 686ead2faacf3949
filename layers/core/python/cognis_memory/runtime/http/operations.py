"""What each route takes and answers. Gateway, checks and OpenAPI document all follow this description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Final, Literal

from pydantic import BaseModel

from cognis_memory.errors import BudgetExceeded, CognisError, Conflict, IdempotencyKeyReused, NotFound
from cognis_memory.models.answers import (
    ContextAnswer,
    EventAnswer,
    HistoryAnswer,
    ListAnswer,
    MemoryAnswer,
    SearchAnswer,
)
from cognis_memory.models.event import EventStatus
from cognis_memory.models.requests import IngestRequest, PatchRequest, SearchRequest
from cognis_memory.runtime.http.queries import ListQuery, Query, UserQuery

IDEMPOTENCY_HEADER: Final = "Idempotency-Key"


class EventAccepted(BaseModel):
    """The event that carries out what was accepted: ask for it until it has ended."""

    event_id: str
    status: EventStatus


class ImportAccepted(EventAccepted):
    """`upload_url` takes the file, by a PUT of its bytes, for an hour."""

    upload_url: str


class Health(BaseModel):
    status: Literal["ok"] = "ok"
    version: str


@dataclass(frozen=True, slots=True)
class Operation:
    """What one route does, takes and answers.

    Without an `answer` it has no body, or JSON of no fixed shape. `idempotent`: it takes the header
    `Idempotency-Key`. `problems`: the errors that this route can meet beside those that any route can.
    """

    summary: str
    answer: type[BaseModel] | None
    status: HTTPStatus = HTTPStatus.OK
    body: type[BaseModel] | None = None
    query: type[Query] = Query
    idempotent: bool = False
    problems: tuple[type[CognisError], ...] = ()


OPERATIONS: Final[Mapping[str, Operation]] = MappingProxyType(
    {
        "add_messages": Operation(
            "Store messages and make memories of them",
            EventAccepted,
            HTTPStatus.ACCEPTED,
            body=IngestRequest,
            idempotent=True,
            problems=(Conflict, IdempotencyKeyReused, BudgetExceeded),
        ),
        "change_memory": Operation(
            "Change a memory; new content makes a new version",
            MemoryAnswer,
            body=PatchRequest,
            problems=(NotFound, Conflict),
        ),
        "delete_memory": Operation(
            "Erase a memory with all its versions and the words it was made of",
            None,
            HTTPStatus.NO_CONTENT,
            query=UserQuery,
            problems=(NotFound, Conflict),
        ),
        "erase_user": Operation("Erase everything of a user", EventAccepted, HTTPStatus.ACCEPTED),
        "export_user": Operation(
            "Write everything of a user to a file, whose link the event then has",
            EventAccepted,
            HTTPStatus.ACCEPTED,
            problems=(Conflict,),
        ),
        "import_user": Operation(
            "Make the lines of an export a user's memories; they go to the link that is answered",
            ImportAccepted,
            HTTPStatus.ACCEPTED,
            problems=(Conflict, BudgetExceeded),
        ),
        "search_memories": Operation("Answer a query from memories", SearchAnswer, body=SearchRequest),
        "build_context": Operation(
            "Answer a query with lines that fit into a prompt", ContextAnswer, body=SearchRequest
        ),
        "list_memories": Operation("List memories, newest first", ListAnswer, query=ListQuery),
        "get_memory": Operation("Read a memory", MemoryAnswer, query=UserQuery, problems=(NotFound,)),
        "get_history": Operation(
            "Read every version of a memory, oldest first",
            HistoryAnswer,
            query=UserQuery,
            problems=(NotFound,),
        ),
        "get_event": Operation("Read what became of accepted work", EventAnswer, problems=(NotFound,)),
        "get_health": Operation("Say whether the service answers", Health),
        "get_openapi": Operation("Read this document", None),
    }
)
"""By the name of their route."""
