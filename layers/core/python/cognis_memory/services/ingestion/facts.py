"""What one fact does to chains and links."""

from __future__ import annotations

from datetime import datetime

from cognis_memory.domain.versions import place
from cognis_memory.models.event import Event, EventOperation
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import FloatVector, Operation
from cognis_memory.services.ingestion.proposals import Proposal
from cognis_memory.services.ingestion.staging import Staging

MAX_SOURCE_MESSAGES = 100
"""A memory names at most so many messages; every message names its memories without a limit."""


def apply_fact(
    staging: Staging,
    event: Event,
    fact: Proposal,
    vector: FloatVector | None,
    *,
    model: str,
    now: datetime,
) -> EventOperation:
    """Stages the fact's changes and says what it did.

    An UPDATE of a memory that is gone is an ADD; a DELETE or NONE of one changes nothing, nor does a fact of
    a message that was redacted meanwhile.
    """
    message = staging.messages.get(fact.message_id)
    chain = staging.chain_with(fact.target_id) if fact.target_id else ()
    ends_nothing = not chain and fact.operation in (Operation.DELETE, Operation.NONE)
    if message is None or message.redacted or ends_nothing:
        return EventOperation(
            operation=Operation.NONE,
            memory_id=fact.target_id or fact.new_id(event.id),
            message_id=fact.message_id,
        )
    if fact.operation is Operation.NONE:
        return _repeat(staging, fact, message, now)
    version = _version(event, fact, message, chain, model=model, now=now)
    placed = place(chain, version, now=now)
    staging.put_chain(placed, vector)
    replaced = next(memory for memory in placed if memory.id == version.id).replaces_id
    staging.link(message.id, version.id, *([replaced] if replaced else []))
    return EventOperation(
        operation=version.operation,
        memory_id=(replaced or version.id) if version.operation is Operation.DELETE else version.id,
        replaces_id=replaced if version.operation is Operation.UPDATE else None,
        message_id=message.id,
    )


def _repeat(staging: Staging, fact: Proposal, message: Message, now: datetime) -> EventOperation:
    """Links the message to the memory that says the same."""
    target = fact.target_id or ""
    held = staging.find(target)
    if held and message.id not in held.source_messages and len(held.source_messages) < MAX_SOURCE_MESSAGES:
        sources = (*held.source_messages, message.id)
        repeated = held.model_copy(update={"source_messages": sources, "updated_at": now})
        chain = staging.chain_with(target)
        staging.put_chain([repeated if memory.id == target else memory for memory in chain])
    staging.link(message.id, target)
    return EventOperation(operation=Operation.NONE, memory_id=target, message_id=message.id)


def _version(
    event: Event,
    fact: Proposal,
    message: Message,
    chain: tuple[Memory, ...],
    *,
    model: str,
    now: datetime,
) -> Memory:
    id_ = fact.new_id(event.id)
    target = next((memory for memory in chain if memory.id == fact.target_id), None)
    operation = Operation.ADD if target is None else fact.operation
    return Memory(
        id=id_,
        tenant_id=event.tenant_id,
        user_id=event.user_id,
        event_id=event.id,
        position=fact.position,
        chain_id=target.chain_id if target else id_,
        operation=operation,
        content=fact.content,
        category=fact.category,
        subject=fact.subject,
        slot=fact.slot or (target.slot if target else None),
        language=fact.language,
        scope=message.scope,
        context_id=message.context_id,
        agent_id=message.agent_id,
        speaker=fact.speaker,
        timestamp=message.timestamp,
        event_time=fact.event_time,
        event_end=fact.event_end,
        valid_from=message.timestamp,
        metadata=message.metadata,
        source_messages=(message.id,),
        created_at=event.created_at,
        updated_at=now,
        expires_at=message.expires_at,
        embedding_model=model,
    )
