"""Takes a recorded conversation into a memory, session by session, so that it can be repeated safely."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from cognis_local.conversations import Conversation, Session, Turn
from cognis_memory.adapters.system import now
from cognis_memory.models.answers import EventAnswer
from cognis_memory.models.event import EventStatus
from cognis_memory.models.requests import MAX_MESSAGES, MAX_REQUEST_BYTES
from cognis_memory.models.values import Operation, format_time

ENVELOPE_BYTES = 10_000
"""Room in a request for everything but its messages."""


class IngestingMemory(Protocol):
    """What takes messages in: a folder on this machine, or the HTTP API."""

    def add(
        self,
        user_id: str,
        messages: Sequence[Mapping[str, Any]],
        *,
        context_id: str | None,
        timezone: str,
        idempotency_key: str,
    ) -> EventAnswer:
        """The event at its end; the first one again where the key was used before."""
        ...


@dataclass(slots=True)
class Ingested:
    """What became of a conversation: its events in order, and the message that each turn became."""

    conversation_id: str
    user_id: str
    events: list[EventAnswer] = field(default_factory=list)
    message_ids: dict[str, str] = field(default_factory=dict)
    known: int = 0
    """So many of the messages had been taken in before, by a request that had ended."""

    @property
    def operations(self) -> Counter[Operation]:
        return Counter(done.operation for event in self.events for done in event.operations)

    @property
    def failed(self) -> list[EventAnswer]:
        return [event for event in self.events if event.status is EventStatus.FAILED]

    def to_json(self) -> dict[str, Any]:
        return {
            "conversation": self.conversation_id,
            "user_id": self.user_id,
            "messages": len(self.message_ids),
            "operations": {operation.value: self.operations[operation] for operation in Operation},
            "events": [event.event_id for event in self.events],
            "failed": [event.event_id for event in self.failed],
        }


def ingest_conversation(
    memory: IngestingMemory,
    conversation: Conversation,
    user_id: str,
    on_event: Callable[[EventAnswer], None],
) -> Ingested:
    """Adds every session, in requests as large as allowed; calls `on_event` after each.

    A request's idempotency key comes from what it holds: one that was taken in before, by a run that was
    killed for instance, answers its first event and adds nothing. A failed event does not stop the rest.
    """
    ingested = Ingested(conversation.id, user_id)
    started = now()
    for session in conversation.sessions:
        for turns in requests(session):
            messages = [_message(turn) for turn in turns]
            event = memory.add(
                user_id,
                messages,
                context_id=session.context_id,
                timezone=conversation.timezone,
                idempotency_key=_key(user_id, conversation, session, messages),
            )
            ingested.events.append(event)
            # An event that failed in its first stage has stored no message.
            ingested.message_ids.update(zip((turn.id for turn in turns), event.messages, strict=False))
            if event.completed_at is not None and event.completed_at < started:
                ingested.known += len(event.messages)
            on_event(event)
    return ingested


def requests(session: Session) -> Iterator[Sequence[Turn]]:
    """The session's turns in as few requests as the API's limits on count and bytes allow."""
    request = list[Turn]()
    size = ENVELOPE_BYTES
    for turn in session.turns:
        turn_size = len(json.dumps(_message(turn)))
        if request and (len(request) == MAX_MESSAGES or size + turn_size > MAX_REQUEST_BYTES):
            yield request
            request, size = [], ENVELOPE_BYTES
        request.append(turn)
        size += turn_size
    if request:
        yield request


def _message(turn: Turn) -> dict[str, Any]:
    return {
        "role": turn.role.value,
        "content": turn.content,
        "speaker": turn.speaker,
        "timestamp": format_time(turn.timestamp),
    }


def _key(
    user_id: str, conversation: Conversation, session: Session, messages: Sequence[dict[str, Any]]
) -> str:
    held = [user_id, conversation.id, conversation.timezone, session.context_id, messages]
    return hashlib.sha256(json.dumps(held, ensure_ascii=False).encode()).hexdigest()
