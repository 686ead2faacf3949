"""What one fact does to chains and links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from cognis_memory.domain.operations import Outcome, carry_out
from cognis_memory.models.event import Event, EventOperation
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import FloatVector, Operation
from cognis_memory.services.ingestion.proposals import Proposal
from cognis_memory.services.ingestion.staging import Staging


def apply_fact(
    staging: Staging,
    event: Event,
    fact: Proposal,
    vector: FloatVector | None,
    *,
    embed: Callable[[str], FloatVector],
    model: str,
    now: datetime,
) -> EventOperation:
    """Stages the fact's changes and says what it did.

    A fact of a message that was redacted meanwhile changes nothing. `vector` is None for a fact that was
    expected to be a repeat: where it is a version after all, `embed` makes its vector.
    """
    message = staging.message(fact.message_id)
    if message is None or message.redacted:
        return EventOperation(
            operation=Operation.NONE,
            memory_id=fact.target_id or fact.new_id(event.id),
            message_id=fact.message_id,
        )
    before = staging.chain_with(fact.target_id) if fact.target_id else ()
    statement = _statement(event, fact, message, before, model=model, now=now)
    outcome = carry_out(fact.operation, statement, before, fact.target_id, now=now)

    def vector_of(version: Memory) -> FloatVector:
        if vector is not None and version.id == statement.id:
            return vector
        alike = _vector_like(staging, version, before)
        return embed(version.content) if alike is None else alike

    if outcome.chain:
        _stage(staging, before, outcome, statement.id, vector_of)
        staging.link(message.id, outcome.memory_id, *([outcome.replaces_id] if outcome.replaces_id else []))
    return EventOperation(
        operation=outcome.operation,
        memory_id=outcome.memory_id,
        replaces_id=outcome.replaces_id if outcome.operation is Operation.UPDATE else None,
        message_id=message.id,
    )


def _stage(
    staging: Staging,
    before: Sequence[Memory],
    outcome: Outcome,
    made_id: str,
    vector_of: Callable[[Memory], FloatVector],
) -> None:
    """Stages the chain, the vectors of its new versions, and the links of their messages.

    A repeat after a crash half-way through a long chain finds the version in place and sets all links again.
    """
    known = {version.id for version in before}
    new = [version for version in outcome.chain if version.id not in known]
    staging.put_chain(outcome.chain, {version.id: vector_of(version) for version in new})
    for version in outcome.chain if made_id in known else new:
        for message_id in version.source_messages:
            staging.link(message_id, version.id)


def _vector_like(staging: Staging, version: Memory, among: Sequence[Memory]) -> FloatVector | None:
    """The vector of a version in the same words, of the same embedding model."""
    words = (version.content, version.embedding_model)
    like = next((other for other in among if (other.content, other.embedding_model) == words), None)
    return staging.vector_of(like.id) if like else None


def _statement(
    event: Event,
    fact: Proposal,
    message: Message,
    chain: Sequence[Memory],
    *,
    model: str,
    now: datetime,
) -> Memory:
    """The version that comes of the fact, unless it only repeats one."""
    id_ = fact.new_id(event.id)
    target = next((memory for memory in chain if memory.id == fact.target_id), None)
    return Memory(
        id=id_,
        tenant_id=event.tenant_id,
        user_id=event.user_id,
        event_id=event.id,
        position=fact.position,
        chain_id=chain[0].chain_id if chain else id_,
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
        retracts=fact.retracts,
        lapses=fact.lapses,
        valid_from=message.timestamp,
        metadata=message.metadata,
        source_messages=(message.id,),
        created_at=event.created_at,
        updated_at=now,
        expires_at=message.expires_at,
        embedding_model=model,
    )
