"""The routes that change what is held."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from cognis_memory.adapters.system import new_event_id
from cognis_memory.domain.ids import memory_id
from cognis_memory.models.event import Event, EventKind
from cognis_memory.models.requests import IngestRequest, PatchRequest
from cognis_memory.runtime.http.calls import Call, Handler, Reply
from cognis_memory.runtime.http.operations import EventAccepted, ImportAccepted
from cognis_memory.runtime.http.queries import Query, UserQuery, read_user_id
from cognis_memory.runtime.wiring import deployment
from cognis_memory.services.ingestion.accept import accept, start
from cognis_memory.services.memories.changing import change_memory
from cognis_memory.services.memories.deleting import delete_memory
from cognis_memory.services.memories.erasing import request_erasure
from cognis_memory.services.transfer.files import upload_url
from cognis_memory.services.transfer.state import request_transfer


def _add_messages(call: Call[IngestRequest, Query]) -> Reply:
    owner = call.owner(call.body.user_id)
    event, replayed = accept(
        call.body,
        tenant_id=owner.tenant_id,
        ledger=deployment().ledger,
        payloads=deployment().payloads,
        clock=deployment().clock,
        new_event_id=_new_event_id,
        idempotency_key=call.idempotency_key,
        masks_secrets=deployment().settings.masks_secrets,
        prices=deployment().prices,
    )
    start(event, deployment().starter)
    return _accepted(event, {"Idempotent-Replayed": "true"} if replayed else {})


def _change_memory(call: Call[PatchRequest, Query]) -> Reply:
    made_by = _new_event_id()
    return Reply(
        change_memory(
            deployment().memories,
            call.owner(call.body.user_id),
            call.path["memory_id"],
            call.body,
            version_id=memory_id(made_by, 0),
            event_id=made_by,
            masks_secrets=deployment().settings.masks_secrets,
        )
    )


def _delete_memory(call: Call[None, UserQuery]) -> Reply:
    delete_memory(deployment().memories, call.owner(call.query.user_id), call.path["memory_id"])
    return Reply()


def _erase_user(call: Call[None, Query]) -> Reply:
    owner = call.owner(read_user_id(call.path["user_id"]))
    event = request_erasure(deployment().ledger, owner, _new_event_id(), deployment().clock)
    start(event, deployment().starter)
    return _accepted(event, {})


def _export_user(call: Call[None, Query]) -> Reply:
    return _accepted(_request_transfer(call, EventKind.EXPORT), {})


def _import_user(call: Call[None, Query]) -> Reply:
    event = _request_transfer(call, EventKind.IMPORT)
    link = upload_url(deployment().transfer_files, event)
    answer = ImportAccepted(event_id=event.id, status=event.status, upload_url=link)
    return Reply(answer, {"Location": f"/v1/events/{event.id}"})


def _request_transfer(call: Call[None, Query], kind: EventKind) -> Event:
    owner = call.owner(read_user_id(call.path["user_id"]))
    event = request_transfer(
        deployment().ledger, owner, kind, _new_event_id(), deployment().clock, prices=deployment().prices
    )
    start(event, deployment().starter)
    return event


def _accepted(event: Event, headers: Mapping[str, str]) -> Reply:
    answer = EventAccepted(event_id=event.id, status=event.status)
    return Reply(answer, {"Location": f"/v1/events/{event.id}", **headers})


def _new_event_id() -> str:
    return new_event_id(deployment().clock())


HANDLERS: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        "add_messages": _add_messages,
        "change_memory": _change_memory,
        "delete_memory": _delete_memory,
        "erase_user": _erase_user,
        "export_user": _export_user,
        "import_user": _import_user,
    }
)
"""By the name of their route."""
