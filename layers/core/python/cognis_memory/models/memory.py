"""A memory: one version of one thing worth knowing."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from cognis_memory.models.values import Category, Metadata, Operation, Owner, Scope, UtcTime


class Repeat(BaseModel):
    """That a version was stated again, by which fact and when.

    `id` is that of the version which the statement becomes when something else turns out to have been so in
    between.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    message_id: str
    event_id: str
    position: int
    timestamp: UtcTime
    event_time: UtcTime | None = None
    event_end: UtcTime | None = None

    @property
    def order(self) -> tuple[datetime, str, int]:
        """As `Memory.order`."""
        return (self.timestamp, self.event_id, self.position)


class Memory(BaseModel):
    """One version in a chain. Content never changes in place (invariant 2).

    `chain_id` is the id of the version that began the chain; `version` counts from 1 in order of time.
    A version is true from `valid_from` until `valid_until` (exclusive; None while it lasts).
    A retraction is a version whose `operation` is DELETE: never current, never a search result. `retracts` is
    set where the words tell that something is no longer so: a retraction once a version stands before it, a
    fact of its own until then. `lapses` is set where they tell until when something was so: it holds until
    `event_end` and no longer. `repeats` are the other statements of the same, in order of time.
    `redacted` is set where the words have expired and only the place in the chain is left, as a retraction.
    `slot` names the single-valued attribute that the fact fills ("home", "job"), where one is known.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    tenant_id: str
    user_id: str
    event_id: str
    position: int
    chain_id: str
    version: int = 1
    operation: Operation = Operation.ADD
    content: str
    category: Category
    subject: str = ""
    slot: str | None = None
    language: str = "en"
    scope: Scope = Scope.USER
    context_id: str | None = None
    agent_id: str | None = None
    speaker: str | None = None
    timestamp: UtcTime
    event_time: UtcTime | None = None
    event_end: UtcTime | None = None
    retracts: bool = False
    lapses: bool = False
    valid_from: UtcTime
    valid_until: UtcTime | None = None
    is_current: bool = True
    replaces_id: str | None = None
    metadata: Metadata = {}
    source_messages: tuple[str, ...] = ()
    repeats: tuple[Repeat, ...] = ()
    created_at: UtcTime
    updated_at: UtcTime
    expires_at: UtcTime | None = None
    redacted: bool = False
    embedding_model: str = ""
    revision: int = 0

    @property
    def owner(self) -> Owner:
        return Owner(self.tenant_id, self.user_id)

    def has_expired(self, now: datetime) -> bool:
        """Whether nobody may read it any more."""
        return self.redacted or (self.expires_at is not None and self.expires_at <= now)

    @property
    def order(self) -> tuple[datetime, str, int]:
        """Time order of versions; ties break by event and position (invariant 6)."""
        return (self.timestamp, self.event_id, self.position)

    @property
    def first_stated(self) -> datetime:
        """The time of the first statement of it, which may have arrived later than its own."""
        return min([self.timestamp, *(repeat.timestamp for repeat in self.repeats)])

    @property
    def last_stated(self) -> datetime:
        """The time of the last statement of it."""
        return max([self.timestamp, *(repeat.timestamp for repeat in self.repeats)])
