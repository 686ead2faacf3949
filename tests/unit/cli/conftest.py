"""A memory in a dictionary: enough of `cognis_local.Memory` to see what the command line makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cognis_local.cli.app import cognis
from cognis_memory.errors import NotFound
from cognis_memory.models.answers import (
    EventAnswer,
    HistoryAnswer,
    HistoryEntry,
    ListAnswer,
    OperationAnswer,
    QueryAnswer,
    SearchAnswer,
    SearchResult,
)
from cognis_memory.models.event import EventFailure, EventStatus, Usage
from cognis_memory.models.values import Kind, Operation, Scope

LATER = datetime(2026, 6, 5, tzinfo=UTC)
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


class DictionaryMemory:
    """Keeps each message as one memory. A search finds what shares a word with the query, oldest first.

    "REFUSE" in a message makes its event fail; "A => B" makes B the second version of A.
    """

    def __init__(self) -> None:
        self.memories: dict[str, list[SearchResult]] = {}
        self.chains: dict[str, list[HistoryEntry]] = {}
        self.events: dict[str, EventAnswer] = {}
        self.asked: list[dict[str, Any]] = []
        self.interrupted: list[EventAnswer] = []
        self.closed = 0
        self.adds = 0

    def __enter__(self) -> DictionaryMemory:
        return self

    def __exit__(self, *exception: object) -> None:
        self.closed += 1

    def resume(self, idle: timedelta) -> list[EventAnswer]:
        finished, self.interrupted = self.interrupted, []
        return finished

    def add(
        self,
        user_id: str,
        messages: list[dict[str, Any]],
        *,
        context_id: str | None = None,
        timezone: str = "UTC",
        idempotency_key: str | None = None,
    ) -> EventAnswer:
        self.adds += 1
        if idempotency_key in self.events:
            return self.events[idempotency_key].model_copy(update={"completed_at": LONG_AGO})
        made = [self._remember(user_id, context_id, message) for message in messages]
        refused = any("REFUSE" in message["content"] for message in messages)
        event = self.event(
            user_id,
            [result.source_messages[0] for result in made],
            [OperationAnswer(operation=Operation.ADD, memory_id=result.id) for result in made],
            EventFailure(type="ExtractionFailed", detail="The extractor refused.") if refused else None,
        )
        self.events[idempotency_key or event.event_id] = event
        return event

    def event(
        self,
        user_id: str,
        messages: list[str],
        operations: list[OperationAnswer],
        error: EventFailure | None = None,
    ) -> EventAnswer:
        return EventAnswer(
            event_id=f"evt_{len(self.events)}",
            user_id=user_id,
            status=EventStatus.FAILED if error else EventStatus.SUCCEEDED,
            stage=None,
            messages=messages,
            operations=operations,
            notices=[],
            usage=Usage(),
            counts={},
            error=error,
            created_at=LATER,
            completed_at=datetime.now(UTC),
        )

    def search(self, user_id: str, query: str, **arguments: Any) -> SearchAnswer:
        self.asked.append({"user_id": user_id, "query": query, **arguments})
        words = set(query.lower().split())
        found = [held for held in self.memories.get(user_id, []) if words & set(held.memory.lower().split())]
        return SearchAnswer(
            results=found[: arguments.get("top_k", 10)],
            query=QueryAnswer(temporal=False, window=None, history=False, language="en"),
            stage_durations={"fusion_ms": 0.25} if arguments.get("explain") else None,
            request_id="req_1",
        )

    def history(self, user_id: str, memory_id: str) -> HistoryAnswer:
        if memory_id not in self.chains:
            raise NotFound(f"There is no memory {memory_id}.")
        return HistoryAnswer(history=self.chains[memory_id])

    def list(self, user_id: str, *, limit: int, cursor: str | None, **arguments: Any) -> ListAnswer:
        held = self.memories.get(user_id, [])[::-1]
        start = int(cursor or 0)
        rest = len(held) > start + limit
        return ListAnswer(
            memories=held[start : start + limit], next_cursor=str(start + limit) if rest else None
        )

    def _remember(self, user_id: str, context_id: str | None, message: dict[str, Any]) -> SearchResult:
        held = self.memories.setdefault(user_id, [])
        number = 1 + sum(len(results) for results in self.memories.values())
        first, _, second = message["content"].partition(" => ")
        said = datetime.fromisoformat(message["timestamp"])
        result = SearchResult(
            id=f"mem_{number}",
            kind=Kind.MEMORY,
            memory=second or first,
            category=None,
            scope=Scope.USER,
            context_id=context_id,
            agent_id=None,
            speaker=message["speaker"],
            timestamp=said,
            event_time=None,
            event_end=None,
            is_current=True,
            replaces_id=None,
            version=2 if second else 1,
            metadata={},
            created_at=said,
            updated_at=said,
            expires_at=None,
            source_messages=[f"msg_{number}"],
            score=0.5,
        )
        old = HistoryEntry(
            id=f"mem_{number}_old",
            memory=first,
            operation=Operation.ADD,
            valid_from=said,
            valid_until=LATER,
            source_messages=["msg_old"],
        )
        new = HistoryEntry(
            id=result.id,
            memory=result.memory,
            operation=Operation.UPDATE if second else Operation.ADD,
            valid_from=LATER if second else said,
            valid_until=None,
            source_messages=result.source_messages,
        )
        self.chains[result.id] = [old, new] if second else [new]
        held.append(result.model_copy(update={"history": [old]}) if second else result)
        return result


@pytest.fixture
def memory() -> DictionaryMemory:
    return DictionaryMemory()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "memories"
    made.mkdir()
    return made


@pytest.fixture
def cli(
    memory: DictionaryMemory, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Result]]:
    """Runs the command line on `memory`, which every folder opens; answers exit code, stdout and stderr."""
    monkeypatch.setenv("COGNIS_FOLDER", str(folder))
    monkeypatch.delenv("COGNIS_USER", raising=False)
    monkeypatch.setenv("COLUMNS", "100")

    def invoke(*arguments: str | Path) -> Result:
        return CliRunner().invoke(cognis, [str(argument) for argument in arguments], obj=lambda path: memory)

    return invoke
