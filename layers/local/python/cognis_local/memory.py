"""Cognis in one process, on one folder: `Memory("folder")`."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from cognis_local.calibrations import LOCAL_CALIBRATIONS
from cognis_local.extraction import RulesExtractor
from cognis_local.models.clients import LocalEmbedder, LocalReranker
from cognis_local.pipeline import run_ingestion
from cognis_memory.adapters.files import FolderPayloadStore
from cognis_memory.adapters.shards import FolderShardStore, UserShards
from cognis_memory.adapters.sqlite import SqliteLedger
from cognis_memory.domain.ids import RANDOM_BYTES, event_id
from cognis_memory.domain.ids import memory_id as memory_version_id
from cognis_memory.domain.settings import DEFAULT, RetrievalSettings
from cognis_memory.errors import CognisError
from cognis_memory.models.answers import (
    ContextAnswer,
    EventAnswer,
    HistoryAnswer,
    ListAnswer,
    MemoryAnswer,
    SearchAnswer,
)
from cognis_memory.models.event import Event, EventKind, EventStatus
from cognis_memory.models.requests import (
    IngestRequest,
    PatchRequest,
    RequestMessage,
    SearchRequest,
    read_request,
)
from cognis_memory.models.values import Category, Owner, Scope
from cognis_memory.ports import Embedder, Extractor, Reranker
from cognis_memory.services.events import describe_event, read_event
from cognis_memory.services.ingestion.accept import accept
from cognis_memory.services.ingestion.state import IngestionPorts, IngestionState
from cognis_memory.services.memories.changing import change_memory
from cognis_memory.services.memories.deleting import delete_memory
from cognis_memory.services.memories.erasing import erase_user, request_erasure
from cognis_memory.services.memories.ports import MemoryPorts
from cognis_memory.services.memories.reading import get_history, get_memory, list_memories
from cognis_memory.services.projection import Projector
from cognis_memory.services.retrieval.context import build_context
from cognis_memory.services.retrieval.search import search
from cognis_memory.services.retrieval.state import RetrievalPorts
from cognis_memory.services.sweep import idle_events, owners_behind

TENANT = "local"
"""In process there is one tenant: the folder."""

IDEMPOTENCY_PERIOD = timedelta(days=36_500)
"""A folder remembers its keys for good: the same file, ingested again next week, adds nothing."""

MessageInput = str | Mapping[str, Any] | RequestMessage


class Memory:
    """Long-term memory in a folder: ledger, user shards and payloads, models in a process beside it.

    Several processes and threads may use one folder at once. Every method raises CognisError: InvalidInput
    names what to change, NotFound what is not there.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        settings: RetrievalSettings = DEFAULT,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        extractor: Extractor | None = None,
        models_folder: Path | None = None,
    ) -> None:
        """Opens or creates the folder. Models come from the local model process unless given."""
        root = Path(folder)
        root.mkdir(parents=True, exist_ok=True)
        if embedder is None:
            embedder, reranker = LocalEmbedder(models_folder), reranker or LocalReranker(models_folder)
        shards = UserShards(FolderShardStore(root / "shards"), embedder.model_id)
        self._ledger = SqliteLedger(root / "ledger.sqlite3")
        self._payloads = FolderPayloadStore(root / "payloads")
        self._projector = Projector(self._ledger, [shards])
        self._executor = ThreadPoolExecutor(max_workers=2, thread_name_prefix="cognis-search")
        self.ingestion = IngestionPorts(
            ledger=self._ledger,
            payloads=self._payloads,
            embedder=embedder,
            extractor=extractor or RulesExtractor(),
            vectors=shards,
            keywords=shards,
            projector=self._projector,
            clock=_now,
        )
        self.retrieval = RetrievalPorts(
            ledger=self._ledger,
            vectors=shards,
            keywords=shards,
            embedder=embedder,
            reranker=reranker,
            projector=self._projector,
            executor=self._executor,
            clock=_now,
            settings=settings,
            calibrations=LOCAL_CALIBRATIONS,
        )

        self._single = MemoryPorts(
            ledger=self._ledger,
            payloads=self._payloads,
            embedder=embedder,
            projector=self._projector,
            clock=_now,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes files and threads; the model process goes by itself when idle."""
        self._executor.shutdown()
        self._ledger.close()

    def add(
        self,
        user_id: str,
        messages: MessageInput | Sequence[MessageInput],
        *,
        context_id: str | None = None,
        agent_id: str | None = None,
        scope: Scope | str = Scope.USER,
        timezone: str = "UTC",
        metadata: Mapping[str, Any] | None = None,
        infer: bool = True,
        instructions: str | None = None,
        expires_at: datetime | str | None = None,
        idempotency_key: str | None = None,
    ) -> EventAnswer:
        """Ingests messages through all four stages and returns the event at its end.

        A text alone is a user's message. With `idempotency_key` a repeat for the same user, however late,
        returns the first event, after running it again where it did not succeed.
        """
        several = [messages] if isinstance(messages, str | Mapping | RequestMessage) else list(messages)
        request = read_request(
            IngestRequest,
            {
                "user_id": user_id,
                "messages": [{"role": "user", "content": m} if isinstance(m, str) else m for m in several],
                "context_id": context_id,
                "agent_id": agent_id,
                "scope": scope,
                "timezone": timezone,
                "metadata": dict(metadata or {}),
                "infer": infer,
                "instructions": instructions,
                "expires_at": expires_at,
            },
        )
        event, _ = accept(
            request,
            tenant_id=TENANT,
            ledger=self._ledger,
            payloads=self._payloads,
            clock=_now,
            new_event_id=new_event_id,
            idempotency_key=idempotency_key,
            idempotency_period=IDEMPOTENCY_PERIOD,
        )
        if event.status is not EventStatus.SUCCEEDED:
            run_ingestion(self.ingestion, IngestionState(tenant_id=TENANT, event_id=event.id))
        return self.event(event.id)

    def event(self, event_id: str) -> EventAnswer:
        """What became of an ingestion, with the texts of its operations as they are held now."""
        return read_event(self._ledger, TENANT, event_id)

    def search(self, user_id: str, query: str, **options: Any) -> SearchAnswer:
        """Answers a query with the options of `SearchRequest`: top_k, filters, history, as_of, ..."""
        request = read_request(SearchRequest, {"user_id": user_id, "query": query, **options})
        return search(self.retrieval, Owner(TENANT, user_id), request, request_id=secrets.token_hex(8))

    def context(self, user_id: str, query: str, *, max_tokens: int = 1_000, **options: Any) -> ContextAnswer:
        """Dated, prompt-ready lines of at most `max_tokens`, best first."""
        body = {"user_id": user_id, "query": query, "max_tokens": max_tokens, **options}
        request = read_request(SearchRequest, body)
        return build_context(self.retrieval, Owner(TENANT, user_id), request, request_id=secrets.token_hex(8))

    def list(
        self,
        user_id: str,
        *,
        limit: int = 50,
        cursor: str | None = None,
        category: Category | None = None,
        scope: Scope | None = None,
        context_id: str | None = None,
        include_history: bool = False,
    ) -> ListAnswer:
        """One page of memories, newest first."""
        return list_memories(
            self._ledger,
            Owner(TENANT, user_id),
            now=_now(),
            limit=limit,
            cursor=cursor,
            category=category,
            scope=scope,
            context_id=context_id,
            include_history=include_history,
        )

    def get(self, user_id: str, memory_id: str) -> MemoryAnswer:
        return get_memory(self._ledger, Owner(TENANT, user_id), memory_id, _now())

    def history(self, user_id: str, memory_id: str) -> HistoryAnswer:
        """The whole version chain, oldest first."""
        return get_history(self._ledger, Owner(TENANT, user_id), memory_id, _now())

    def change(self, user_id: str, memory_id: str, **changes: Any) -> MemoryAnswer:
        """Changes content (a new version), category, metadata or expires_at; `if_version` guards against
        another writer's change (RevisionConflict)."""
        patch = read_request(PatchRequest, {"user_id": user_id, **changes})
        made_by = new_event_id()
        return change_memory(
            self._single,
            Owner(TENANT, user_id),
            memory_id,
            patch,
            version_id=memory_version_id(made_by, 0),
            event_id=made_by,
        )

    def delete(self, user_id: str, memory_id: str) -> None:
        """Erases a memory with its versions and the words of the messages linked to them."""
        delete_memory(self._single, Owner(TENANT, user_id), memory_id)

    def erase(self, user_id: str) -> EventAnswer:
        """Erases everything of a user; the event counts what went."""
        asked = request_erasure(self._ledger, Owner(TENANT, user_id), new_event_id(), _now)
        return describe_event(self._ledger, erase_user(self._single, asked.reference))

    def rebuild(self, user_id: str) -> None:
        """Writes the user's shard anew from the ledger."""
        self._projector.rebuild(Owner(TENANT, user_id))

    def resume(self, idle: timedelta = timedelta(0)) -> Sequence[EventAnswer]:
        """Finishes what a crash left: work that was accepted, documents that miss in an index.

        With `idle`, only work that nothing has moved for so long: another process may be at the younger
        pieces. Raises the first fault once all others are finished.
        """
        now = _now()
        waiting = idle_events(self._ledger, now, idle=idle)
        steps: list[Callable[[], object]] = [partial(self._resume, event) for event in waiting]
        steps += [
            partial(self._projector.catch_up, owner)
            for owner in owners_behind(self._ledger, now, idle=timedelta(0))
        ]
        faults = [fault for step in steps if (fault := _fault_of(step))]
        if faults:
            raise faults[0]
        return [self.event(event.id) for event in waiting]

    def _resume(self, event: Event) -> object:
        if event.kind is EventKind.ERASURE:
            return erase_user(self._single, event.reference)
        return run_ingestion(self.ingestion, IngestionState(tenant_id=TENANT, event_id=event.id))


def _fault_of(step: Callable[[], object]) -> CognisError | None:
    """What kept a piece of work from its end, so that the others still come to theirs."""
    try:
        step()
    except CognisError as error:
        return error
    return None


def _now() -> datetime:
    """In whole milliseconds, as times are stored."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def new_event_id() -> str:
    return event_id(time.time_ns() // 1_000_000, secrets.token_bytes(RANDOM_BYTES))
