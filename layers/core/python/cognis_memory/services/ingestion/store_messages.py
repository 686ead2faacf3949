"""Stage 1: every message is stored with its embedding and findable before any model has read it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from cognis_memory.domain.ids import message_id
from cognis_memory.domain.indexed_text import CONTEXT_TURNS, spoken_text
from cognis_memory.domain.language import detect_language
from cognis_memory.models.commit import DocumentWrite
from cognis_memory.models.event import Event
from cognis_memory.models.message import Message
from cognis_memory.models.requests import IngestRequest, RequestMessage
from cognis_memory.services.ingestion.state import IngestionPorts, IngestionState
from cognis_memory.services.progress import advance, begin
from cognis_memory.services.spending import count_on_event, embedding_usage
from cognis_memory.services.writing import split_commits

STAGE = "StoreMessages"

CONTEXT_GAP = timedelta(hours=1)
"""Turns of an earlier request belong to the same talk when they are not older than this."""


def store_messages(ports: IngestionPorts, state: IngestionState) -> IngestionState:
    """Writes the request's messages and projects them; a repeat writes only what is missing."""
    event = begin(ports, state, STAGE)
    if event.payload_key is None:
        return state
    request = ports.request(event)
    messages = _with_preceding(ports, event, _messages(event, request))
    known = ports.ledger.get_messages(event.owner, [message.id for message in messages])
    missing = [message for message in messages if message.id not in known]
    event = _write(ports, event, missing)
    ports.projector.catch_up(event.owner)
    if not event.message_ids:
        advance(ports, event, message_ids=tuple(message.id for message in messages))
    return state


def _messages(event: Event, request: IngestRequest) -> list[Message]:
    return [_message(event, request, position, given) for position, given in enumerate(request.messages)]


def _message(event: Event, request: IngestRequest, position: int, given: RequestMessage) -> Message:
    return Message(
        id=message_id(event.id, position),
        tenant_id=event.tenant_id,
        user_id=event.user_id,
        event_id=event.id,
        position=position,
        role=given.role,
        speaker=given.speaker or given.role.value,
        content=given.content,
        language=detect_language(given.content),
        timestamp=given.timestamp or event.created_at,
        timezone=request.timezone,
        scope=request.scope,
        context_id=request.context_id,
        agent_id=request.agent_id,
        metadata=request.metadata,
        created_at=event.created_at,
        expires_at=request.expires_at,
        revision=1,
    )


def _with_preceding(ports: IngestionPorts, event: Event, messages: Sequence[Message]) -> list[Message]:
    """Names for each message the turns before it: of the same request, or just before it in the context."""
    first = messages[0]
    earlier = ports.ledger.recent_messages(
        event.owner, first.context_id, before_id=first.id, limit=CONTEXT_TURNS
    )
    turns = [m.id for m in earlier if first.timestamp - CONTEXT_GAP <= m.timestamp <= first.timestamp]
    placed = []
    for message in messages:
        placed.append(message.model_copy(update={"preceding": tuple(turns[-CONTEXT_TURNS:])}))
        if message.searchable:
            turns.append(message.id)
    return placed


def _write(ports: IngestionPorts, event: Event, missing: Sequence[Message]) -> Event:
    """Embeds and commits; a message's vector is that of its own words, its context is for keywords only."""
    shown = [message for message in missing if message.searchable]
    texts = [spoken_text(message) for message in shown]
    vectors = ports.embedder.embed(texts) if shown else ()
    event = count_on_event(ports, event, embedding_usage(texts))
    vector_of = {message.id: vector for message, vector in zip(shown, vectors, strict=True)}
    model = ports.embedder.model_id
    writes = [
        DocumentWrite(message.model_copy(update={"embedding_model": model}), vector_of.get(message.id))
        for message in missing
    ]
    for commit in split_commits(
        writes, id_=f"{event.id}-messages", owner=event.owner, epoch=event.erasure_epoch, now=ports.clock()
    ):
        ports.ledger.commit(commit)
    return event
