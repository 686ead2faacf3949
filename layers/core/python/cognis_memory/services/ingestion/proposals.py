"""Facts on their way from extraction to commit, kept by reference between the two stages."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, TypeAdapter

from cognis_memory.domain.ids import memory_id
from cognis_memory.models.event import Notice
from cognis_memory.models.values import Category, Operation, UtcTime

FACTS_PER_MESSAGE = 1_000
"""Positions of facts: message position times this, plus the fact's number within its message."""


class Proposal(BaseModel):
    """One fact with the memory it concerns by real id; `target_id` is None for an ADD, and for a DELETE of
    what is not known."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    operation: Operation
    position: int
    message_id: str
    target_id: str | None = None
    content: str
    category: Category
    subject: str = ""
    slot: str | None = None
    speaker: str | None = None
    language: str = "en"
    event_time: UtcTime | None = None
    event_end: UtcTime | None = None
    retracts: bool = False
    lapses: bool = False

    def new_id(self, event_id: str) -> str:
        """The id of the version that this fact makes: the same in every run (invariant 4)."""
        return memory_id(event_id, self.position)


class Proposals(BaseModel):
    """All facts of an event in the order of their messages.

    A draft, of a run that had no time for more, lacks those of the messages from position `next_message` on.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    facts: tuple[Proposal, ...]
    notices: tuple[Notice, ...] = ()
    next_message: int | None = None


_ADAPTER = TypeAdapter(Proposals)


def dump(proposals: Proposals) -> bytes:
    return _ADAPTER.dump_json(proposals)


def load(data: bytes) -> Proposals:
    return _ADAPTER.validate_json(data)
