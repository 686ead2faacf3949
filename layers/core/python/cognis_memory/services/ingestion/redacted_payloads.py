"""What an event keeps for its next attempt, without the words of messages that were redacted meanwhile."""

from __future__ import annotations

from typing import Final

from cognis_memory.domain.ids import message_id
from cognis_memory.errors import NotFound
from cognis_memory.models.event import Event, EventStatus
from cognis_memory.models.requests import IngestRequest, RequestMessage
from cognis_memory.ports import Ledger, PayloadStore
from cognis_memory.services.ingestion.proposals import dump, load
from cognis_memory.services.payload_keys import payload_prefix, proposals_key, request_key

REDACTED: Final = "[redacted]"
"""Stands for the words in a request, which knows no message without any; no stage reads it, as the ledger
says that the message is redacted."""


def redact_payload(ledger: Ledger, payloads: PayloadStore, tenant_id: str, event_id: str) -> None:
    """Takes the words of redacted messages out of the event's request and proposals, where it has these.

    Redact the messages in the ledger first, and call this after them; whoever writes proposals calls it after
    that. So it is called last by one of both, who finds what the other has done.
    """
    event = ledger.get_event(tenant_id, event_id)
    if event is None or event.payload_key is None:
        return
    try:
        request = IngestRequest.model_validate_json(payloads.get(request_key(event.owner, event_id)))
    except NotFound:
        return
    ids = [message_id(event_id, position) for position in range(len(request.messages))]
    held = ledger.get_messages(event.owner, ids)
    redacted = {id_ for id_ in ids if id_ in held and held[id_].redacted}
    if not redacted:
        return
    _rewrite_proposals(payloads, event, redacted)
    rewritten = _without(request, [id_ in redacted for id_ in ids])
    payloads.put(request_key(event.owner, event_id), rewritten.model_dump_json().encode())
    ended = ledger.get_event(tenant_id, event_id)
    if (
        ended is None or ended.status is EventStatus.SUCCEEDED
    ):  # and removed its payloads before they were put
        payloads.delete(payload_prefix(event.owner, event_id))


def _without(request: IngestRequest, redacted: list[bool]) -> IngestRequest:
    """What belongs to all messages goes with the last of them."""
    messages = [
        RequestMessage(role=message.role, content=REDACTED, timestamp=message.timestamp) if gone else message
        for message, gone in zip(request.messages, redacted, strict=True)
    ]
    shared: dict[str, object] = {"metadata": {}, "instructions": None} if all(redacted) else {}
    return request.model_copy(update={"messages": messages, **shared})


def _rewrite_proposals(payloads: PayloadStore, event: Event, redacted: set[str]) -> None:
    key = proposals_key(event.owner, event.id)
    try:
        proposals = load(payloads.get(key))
    except NotFound:
        return
    kept = tuple(fact for fact in proposals.facts if fact.message_id not in redacted)
    payloads.put(key, dump(proposals.model_copy(update={"facts": kept})))
