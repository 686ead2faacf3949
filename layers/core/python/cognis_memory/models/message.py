"""A raw message as the ledger keeps it."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from cognis_memory.models.values import Metadata, Owner, Role, Scope, UtcTime


class Message(BaseModel):
    """One turn of a conversation: evidence for memories, searchable by itself.

    `links` names every memory that the message made, repeated, changed or retracted (invariant 8);
    `preceding` the turns before it, oldest first, whose texts are its indexed context.
    `event_time` and `event_end` bound what the message speaks of, `event_end` exclusive; for an instant
    `event_end` is None.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    tenant_id: str
    user_id: str
    event_id: str
    position: int
    role: Role
    speaker: str
    content: str
    language: str = "en"
    timestamp: UtcTime
    timezone: str = "UTC"
    event_time: UtcTime | None = None
    event_end: UtcTime | None = None
    scope: Scope = Scope.USER
    context_id: str | None = None
    agent_id: str | None = None
    metadata: Metadata = {}
    preceding: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    redacted: bool = False
    created_at: UtcTime
    expires_at: UtcTime | None = None
    embedding_model: str = ""
    revision: int = 0

    @property
    def owner(self) -> Owner:
        return Owner(self.tenant_id, self.user_id)

    def has_expired(self, now: datetime) -> bool:
        """Whether nobody may read it any more."""
        return self.expires_at is not None and self.expires_at <= now

    @property
    def searchable(self) -> bool:
        """Only what people and agents said is evidence; system and tool texts are not."""
        return self.role in (Role.USER, Role.ASSISTANT) and not self.redacted
