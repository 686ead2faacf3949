"""What the API answers; every model writes times as RFC 3339 in UTC."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from cognis_memory.models.event import EventFailure, EventStatus, LineFault, Notice, Usage
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Category, Kind, Metadata, Operation, Scope, UtcTime


class _Answer(BaseModel):
    """Its validator is built with the first answer of its kind: no function gives them all."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class OperationAnswer(_Answer):
    """One operation with its texts as the ledger holds them now; None where they are gone or expired."""

    operation: Operation
    memory_id: str
    memory: str | None = None
    replaces_id: str | None = None
    previous_memory: str | None = None
    message_id: str | None = None


class EventAnswer(_Answer):
    """`errors` are faults of an import's file. `download_url` leads to an export's file, for a short time."""

    event_id: str
    user_id: str
    status: EventStatus
    stage: str | None
    messages: list[str]
    operations: list[OperationAnswer]
    notices: list[Notice]
    usage: Usage
    counts: dict[str, int]
    error: EventFailure | None
    errors: list[LineFault] = []
    download_url: str | None = None
    created_at: UtcTime
    completed_at: UtcTime | None


class HistoryEntry(_Answer):
    """One version of a chain; `valid_until` is exclusive and None while it lasts."""

    id: str
    memory: str
    operation: Operation
    valid_from: UtcTime
    valid_until: UtcTime | None
    source_messages: list[str]

    @classmethod
    def of(cls, memory: Memory) -> HistoryEntry:
        return cls(
            id=memory.id,
            memory=memory.content,
            operation=memory.operation,
            valid_from=memory.valid_from,
            valid_until=memory.valid_until,
            source_messages=list(memory.source_messages),
        )


class ScoreBreakdown(_Answer):
    """How a result came to its place; None where a stage did not see it."""

    vector_rank: int | None = None
    bm25_rank: int | None = None
    fused: float | None = None
    temporal: float | None = None
    rerank: float | None = None
    cosine: float | None = None
    lexical: float | None = None


class MemoryAnswer(_Answer):
    """A memory, or a raw message in the same shape."""

    id: str
    kind: Kind
    memory: str
    category: Category | None
    scope: Scope
    context_id: str | None
    agent_id: str | None
    speaker: str | None
    timestamp: UtcTime
    event_time: UtcTime | None
    event_end: UtcTime | None
    is_current: bool
    replaces_id: str | None
    version: int | None
    metadata: Metadata
    created_at: UtcTime
    updated_at: UtcTime
    expires_at: UtcTime | None
    source_messages: list[str]

    @classmethod
    def of(cls, document: Memory | Message) -> MemoryAnswer:
        if isinstance(document, Memory):
            own = {
                "kind": Kind.MEMORY,
                "category": document.category,
                "is_current": document.is_current,
                "replaces_id": document.replaces_id,
                "version": document.version,
                "updated_at": document.updated_at,
                "source_messages": list(document.source_messages),
            }
        else:
            own = {
                "kind": Kind.MESSAGE,
                "category": None,
                "is_current": True,
                "replaces_id": None,
                "version": None,
                "updated_at": document.created_at,
                "source_messages": [document.id],
            }
        shared = ("id", "scope", "context_id", "agent_id", "speaker", "timestamp", "event_time", "event_end",
                  "metadata", "created_at", "expires_at")  # fmt: skip
        return cls(memory=document.content, **{name: getattr(document, name) for name in shared}, **own)


class SearchResult(MemoryAnswer):
    """`score` is the result's own calibrated probability of being relevant, 0 to 1.

    Where a result before it is less probable, `score` is the least of those, so that scores fall with rank;
    it is never above the result's own probability. `history` holds the other versions, oldest first; of a
    result that is no longer so (`is_current` false) also itself, with the time in which it was.
    """

    score: float
    history: list[HistoryEntry] | None = None
    score_breakdown: ScoreBreakdown | None = None


class QueryAnswer(_Answer):
    """What the query analysis understood; `window` is the time asked about, its end exclusive."""

    temporal: bool
    window: tuple[UtcTime, UtcTime] | None
    history: bool
    language: str


class SearchAnswer(_Answer):
    results: list[SearchResult]
    query: QueryAnswer
    degraded: list[str] = []
    stage_durations: dict[str, float] | None = None
    request_id: str


class ContextAnswer(_Answer):
    """Prompt-ready lines, best first, of at most the asked number of tokens."""

    text: str
    memory_ids: list[str]
    tokens: int


class ListAnswer(_Answer):
    memories: list[MemoryAnswer]
    next_cursor: str | None


class HistoryAnswer(_Answer):
    history: list[HistoryEntry]
