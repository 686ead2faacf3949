"""A whole deployment on engines of the test's choice, behind the doors that its users have."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from fakes import HASH_CALIBRATIONS, HashEmbedder, ManualClock, SentenceExtractor

from cognis_local.pipeline import RetryPolicy, run_ingestion
from cognis_memory.adapters.sqlite import SqliteLedger
from cognis_memory.domain.calibration import Calibrations
from cognis_memory.domain.ids import RANDOM_BYTES, event_id, memory_id
from cognis_memory.domain.pricing import FREE, Prices
from cognis_memory.domain.settings import DEFAULT, RetrievalSettings
from cognis_memory.models.answers import (
    ContextAnswer,
    EventAnswer,
    HistoryAnswer,
    ListAnswer,
    MemoryAnswer,
    SearchAnswer,
)
from cognis_memory.models.event import EventReference
from cognis_memory.models.requests import (
    IngestRequest,
    ListRequest,
    PatchRequest,
    SearchRequest,
    read_request,
)
from cognis_memory.models.values import Owner
from cognis_memory.ports import Embedder, Extractor, Ledger, PayloadStore, Reranker, TransferFiles
from cognis_memory.services.events import describe_event, read_event
from cognis_memory.services.ingestion.accept import accept
from cognis_memory.services.ingestion.state import IngestionPorts, IngestionState
from cognis_memory.services.memories.changing import change_memory
from cognis_memory.services.memories.deleting import delete_memory
from cognis_memory.services.memories.erasing import erase_user, request_erasure
from cognis_memory.services.memories.ports import MemoryPorts
from cognis_memory.services.memories.reading import get_history, get_memory, list_memories
from cognis_memory.services.projection import Projector
from cognis_memory.services.retrieval.budget import ModelBudget
from cognis_memory.services.retrieval.context import build_context
from cognis_memory.services.retrieval.search import search
from cognis_memory.services.retrieval.state import RetrievalPorts

TENANT = "acme"

QUICK = RetryPolicy(first_delay=0.001, lease_polls=4_000, lease_poll_seconds=0.005)
"""The pipeline's bounds with waits of milliseconds."""

MessageInput = str | Mapping[str, Any]


def owner_of(user_id: str) -> Owner:
    return Owner(TENANT, user_id)


@dataclass(slots=True)
class Deployment:
    """Stores, models and a clock, and the doors over them.

    `with_` answers a second deployment on the same stores, as another process has one, with other models.
    """

    ledger: Ledger
    payloads: PayloadStore
    files: TransferFiles
    index: Any
    embedder: Embedder = field(default_factory=HashEmbedder)
    extractor: Extractor = field(default_factory=SentenceExtractor)
    reranker: Reranker | None = None
    clock: ManualClock = field(default_factory=ManualClock)
    settings: RetrievalSettings = DEFAULT
    calibrations: Calibrations = HASH_CALIBRATIONS
    budget: ModelBudget | None = None
    prices: Prices = FREE
    retries: RetryPolicy = QUICK
    executor: Executor = field(default_factory=lambda: ThreadPoolExecutor(max_workers=2))
    event_numbers: Iterator[int] = field(default_factory=count)

    def with_(self, **changes: Any) -> Deployment:
        return dataclasses.replace(self, **changes)

    def close(self) -> None:
        self.executor.shutdown()
        if isinstance(self.ledger, SqliteLedger):
            self.ledger.close()

    @property
    def projector(self) -> Projector:
        return Projector(self.ledger, [self.index])

    @property
    def ingestion(self) -> IngestionPorts:
        return IngestionPorts(
            ledger=self.ledger,
            payloads=self.payloads,
            embedder=self.embedder,
            extractor=self.extractor,
            vectors=self.index,
            keywords=self.index,
            projector=self.projector,
            clock=self.clock,
            prices=self.prices,
        )

    @property
    def retrieval(self) -> RetrievalPorts:
        return RetrievalPorts(
            ledger=self.ledger,
            vectors=self.index,
            keywords=self.index,
            embedder=self.embedder,
            reranker=self.reranker,
            projector=self.projector,
            executor=self.executor,
            clock=self.clock,
            settings=self.settings,
            calibrations=self.calibrations,
            combined=self.index if hasattr(self.index, "candidates") else None,
            budget=self.budget,
        )

    @property
    def memories(self) -> MemoryPorts:
        return MemoryPorts(
            ledger=self.ledger,
            payloads=self.payloads,
            files=self.files,
            embedder=self.embedder,
            projector=self.projector,
            clock=self.clock,
            prices=self.prices,
        )

    def new_event_id(self) -> str:
        """Ids that grow with the clock and the number of the call: the same in every run of a test."""
        milliseconds = int(self.clock().timestamp() * 1_000)
        return event_id(milliseconds, next(self.event_numbers).to_bytes(RANDOM_BYTES))

    def accept(
        self,
        user_id: str,
        messages: MessageInput | Sequence[MessageInput],
        *,
        idempotency_key: str | None = None,
        **options: Any,
    ) -> IngestionState:
        """Takes a request in and answers the first state of its ingestion; a text is a user's message."""
        several = [messages] if isinstance(messages, str | Mapping) else list(messages)
        body = [{"role": "user", "content": m} if isinstance(m, str) else m for m in several]
        event, _ = accept(
            read_request(IngestRequest, {"user_id": user_id, "messages": body, **options}),
            tenant_id=TENANT,
            ledger=self.ledger,
            payloads=self.payloads,
            clock=self.clock,
            new_event_id=self.new_event_id,
            idempotency_key=idempotency_key,
            prices=self.prices,
        )
        return IngestionState(tenant_id=TENANT, event_id=event.id)

    def run(self, state: IngestionState) -> EventAnswer:
        """Runs an accepted ingestion through all its states."""
        run_ingestion(self.ingestion, state, self.retries)
        return self.event(state.event_id)

    def add(
        self, user_id: str, messages: MessageInput | Sequence[MessageInput], **options: Any
    ) -> EventAnswer:
        return self.run(self.accept(user_id, messages, **options))

    def event(self, event_id: str) -> EventAnswer:
        return read_event(self.ledger, TENANT, event_id, now=self.clock())

    def search(self, user_id: str, query: str, **options: Any) -> SearchAnswer:
        request = read_request(SearchRequest, {"user_id": user_id, "query": query, **options})
        return search(self.retrieval, owner_of(user_id), request, request_id="req_1")

    def found(self, user_id: str, query: str, **options: Any) -> list[str]:
        """The texts of the results, best first."""
        return [result.memory for result in self.search(user_id, query, **options).results]

    def context(self, user_id: str, query: str, **options: Any) -> ContextAnswer:
        request = read_request(SearchRequest, {"user_id": user_id, "query": query, **options})
        return build_context(self.retrieval, owner_of(user_id), request, request_id="req_1")

    def get(self, user_id: str, memory_id: str) -> MemoryAnswer:
        return get_memory(self.ledger, owner_of(user_id), memory_id, self.clock())

    def history(self, user_id: str, memory_id: str) -> HistoryAnswer:
        return get_history(self.ledger, owner_of(user_id), memory_id, self.clock())

    def list(self, user_id: str, **options: Any) -> ListAnswer:
        request = read_request(ListRequest, {"user_id": user_id, **options})
        return list_memories(self.ledger, owner_of(user_id), request, self.clock())

    def texts(self, user_id: str, **options: Any) -> Sequence[str]:
        """The texts of the first page of the list, newest first."""
        return [memory.memory for memory in self.list(user_id, limit=100, **options).memories]

    def change(self, user_id: str, id_: str, **patch: Any) -> MemoryAnswer:
        event = self.new_event_id()
        return change_memory(
            self.memories,
            owner_of(user_id),
            id_,
            read_request(PatchRequest, {"user_id": user_id, **patch}),
            version_id=memory_id(event, 0),
            event_id=event,
        )

    def delete(self, user_id: str, id_: str) -> None:
        delete_memory(self.memories, owner_of(user_id), id_)

    def erase(self, user_id: str) -> EventAnswer:
        erased = erase_user(self.memories, self.request_erasure(user_id))
        return describe_event(self.ledger, erased, self.clock())

    def request_erasure(self, user_id: str) -> EventReference:
        """Closes the user; `erase` carries it out as well."""
        event = request_erasure(self.ledger, owner_of(user_id), self.new_event_id(), self.clock)
        return event.reference
