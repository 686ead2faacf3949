"""What an event says to its reader: texts are resolved from the ledger at the moment of reading."""

from __future__ import annotations

from cognis_memory.errors import NotFound
from cognis_memory.models.answers import EventAnswer, OperationAnswer
from cognis_memory.models.event import Event, EventOperation
from cognis_memory.models.memory import Memory
from cognis_memory.ports import Ledger


def read_event(ledger: Ledger, tenant_id: str, event_id: str) -> EventAnswer:
    """Raises NotFound for an event that this tenant does not have."""
    event = ledger.get_event(tenant_id, event_id)
    if event is None:
        raise NotFound(f"there is no event {event_id}")
    return describe_event(ledger, event)


def describe_event(ledger: Ledger, event: Event) -> EventAnswer:
    wanted = dict.fromkeys(
        id_ for done in event.operations for id_ in (done.memory_id, done.replaces_id) if id_ is not None
    )
    memories = ledger.get_memories(event.owner, list(wanted)) if wanted else {}
    return EventAnswer(
        event_id=event.id,
        user_id=event.user_id,
        status=event.status,
        stage=event.stage,
        messages=list(event.message_ids),
        operations=[_describe(done, memories) for done in event.operations],
        notices=list(event.notices),
        usage=event.usage,
        counts=event.counts,
        error=event.error,
        created_at=event.created_at,
        completed_at=event.completed_at,
    )


def _describe(done: EventOperation, memories: dict[str, Memory]) -> OperationAnswer:
    memory = memories.get(done.memory_id)
    previous = memories.get(done.replaces_id or "")
    return OperationAnswer(
        operation=done.operation,
        memory_id=done.memory_id,
        memory=memory and memory.content,
        replaces_id=done.replaces_id,
        previous_memory=previous and previous.content,
        message_id=done.message_id,
    )
