"""An event: one piece of accepted work, followed from PENDING to its end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from cognis_memory.errors import Consumption
from cognis_memory.models.spending import Usd
from cognis_memory.models.values import Operation, Owner, UtcTime


class EventStatus(StrEnum):
    PENDING = "PENDING"
    RUNNING = "RUNNING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"


class EventKind(StrEnum):
    INGESTION = "ingestion"
    ERASURE = "erasure"
    EXPORT = "export"
    IMPORT = "import"


class EventReference(BaseModel):
    """Names an event: what its execution is started with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tenant_id: str
    event_id: str


class EventOperation(BaseModel):
    """What one fact did, by ids only: texts are resolved when the event is read (invariant 8)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    operation: Operation
    memory_id: str
    replaces_id: str | None = None
    message_id: str | None = None


class Notice(BaseModel):
    """Something the caller should know about a message that was taken in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: str
    message_id: str | None = None


class Usage(BaseModel):
    """What calls of models consumed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    llm_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    embedding_tokens: int = 0
    estimated_cost_usd: Usd = Field(Decimal(0), json_schema_extra={"default": 0})

    @classmethod
    def of_calls(cls, consumed: Consumption) -> Usage:
        """As an error says it of the calls before it."""
        return cls(
            llm_calls=consumed.calls,
            input_tokens=consumed.input_tokens,
            output_tokens=consumed.output_tokens,
        )

    @property
    def calls(self) -> Consumption:
        """The part of it that `of_calls` takes."""
        return Consumption(self.llm_calls, self.input_tokens, self.output_tokens)

    def __add__(self, other: Usage) -> Usage:
        return Usage(**{name: getattr(self, name) + getattr(other, name) for name in Usage.model_fields})


class EventFailure(BaseModel):
    """Why an event failed: the error's name and a sentence without any memory text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: str
    detail: str


class LineFault(BaseModel):
    """What is wrong with one line of an uploaded file, counted from 1, without any of its text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    line: int
    field: str
    message: str


class Event(BaseModel):
    """`cursor` is the position of the first fact that is not committed yet, or how many lines are imported.

    `erasure_epoch` is the user's epoch at acceptance. `attempt` counts from 1 how often it was begun anew
    after it had failed. `errors` are the faults of the first lines at fault of an upload, `upload_tag` is
    that of the file in which every line was found good. `counted_to` names the last item of the user that an
    erasure has taken into `counts`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    tenant_id: str
    user_id: str
    kind: EventKind = EventKind.INGESTION
    status: EventStatus = EventStatus.PENDING
    stage: str | None = None
    payload_key: str | None = None
    message_ids: tuple[str, ...] = ()
    operations: tuple[EventOperation, ...] = ()
    notices: tuple[Notice, ...] = ()
    usage: Usage = Usage()
    counts: dict[str, int] = {}
    counted_to: str | None = None
    error: EventFailure | None = None
    errors: tuple[LineFault, ...] = ()
    upload_tag: str | None = None
    cursor: int = 0
    attempt: int = 1
    erasure_epoch: int = 0
    created_at: UtcTime
    updated_at: UtcTime
    completed_at: UtcTime | None = None
    revision: int = 0

    @property
    def owner(self) -> Owner:
        return Owner(self.tenant_id, self.user_id)

    @property
    def reference(self) -> EventReference:
        return EventReference(tenant_id=self.tenant_id, event_id=self.id)

    @property
    def execution_name(self) -> str:
        """Of the execution that carries it out: its id, and after a replay the attempt as well, for Step
        Functions keeps a name for 90 days."""
        return self.id if self.attempt == 1 else f"{self.id}-{self.attempt}"

    @property
    def finished(self) -> bool:
        return self.status in (EventStatus.SUCCEEDED, EventStatus.FAILED)

    @property
    def failed(self) -> bool:
        return self.status is EventStatus.FAILED


@dataclass(frozen=True, slots=True)
class IdempotencyRecord:
    """Binds a caller's key to the first event it made and to a hash of the body."""

    tenant_id: str
    key: str
    body_hash: str
    event_id: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to change one user's memories. `token` grows with every acquisition (fencing)."""

    owner: Owner
    holder: str
    token: int
    expires_at: datetime
