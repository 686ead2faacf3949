"""Cognis in one process, on one folder: `Memory("folder")`."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from pydantic import BaseModel

from cognis_local.calibrations import LOCAL_CALIBRATIONS
from cognis_local.events import carry_out, resume
from cognis_local.extraction import RulesExtractor
from cognis_local.models.clients import LocalEmbedder, LocalReranker
from cognis_local.transfer_files import export_to_file, import_from_file
from cognis_memory.adapters.files import FolderPayloadStore, FolderTransferFiles
from cognis_memory.adapters.shards import FolderShardStore, UserShards
from cognis_memory.adapters.sqlite import SqliteLedger
from cognis_memory.adapters.system import new_event_id, now
from cognis_memory.domain.ids import memory_id as memory_version_id
from cognis_memory.domain.settings import DEFAULT, RetrievalSettings
from cognis_memory.errors import CognisError, InvalidInput, PermanentError
from cognis_memory.models.answers import (
    ContextAnswer,
    EventAnswer,
    HistoryAnswer,
    ListAnswer,
    MemoryAnswer,
    SearchAnswer,
)
from cognis_memory.models.event import Event, EventStatus
from cognis_memory.models.requests import (
    EventRequest,
    IdempotentRequest,
    IngestRequest,
    ListRequest,
    MemoryRequest,
    PatchRequest,
    RequestMessage,
    SearchRequest,
    UserRequest,
    read_request,
)
from cognis_memory.models.values import Category, Owner, Scope
from cognis_memory.ports import Embedder, Extractor, Reranker
from cognis_memory.services.events import describe_event, read_event
from cognis_memory.services.expiry import expired_documents, remove_expired
from cognis_memory.services.ingestion.accept import accept
from cognis_memory.services.ingestion.state import IngestionPorts
from cognis_memory.services.memories.changing import change_memory
from cognis_memory.services.memories.deleting import delete_memory
from cognis_memory.services.memories.erasing import erase_user, request_erasure
from cognis_memory.services.memories.ports import MemoryPorts
from cognis_memory.services.memories.reading import get_history, get_memory, list_memories
from cognis_memory.services.projection import Projector
from cognis_memory.services.retrieval.context import build_context
from cognis_memory.services.retrieval.search import search
from cognis_memory.services.retrieval.state import RetrievalPorts
from cognis_memory.services.transfer.state import TransferPorts

TENANT = "local"
"""In process there is one tenant: the folder."""

IDEMPOTENCY_PERIOD = timedelta(days=36_500)
"""A folder remembers its keys for good: the same file, ingested again next week, adds nothing."""

PAYLOAD_AGE = timedelta(days=30)
"""As long as a deployment's bucket keeps them."""

_Request = TypeVar("_Request", bound=BaseModel)

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
        mask_secrets: bool = True,
    ) -> None:
        """Opens or creates the folder. Models come from the local model process unless given.

        Card numbers, keys, passwords and the like are masked before anything is kept, unless `mask_secrets`
        is false. What has expired since the folder was last open is removed from it.
        """
        root = _made(folder)
        self._closed = False
        self._masks_secrets = mask_secrets
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
            clock=now,
        )
        self.retrieval = RetrievalPorts(
            ledger=self._ledger,
            vectors=shards,
            keywords=shards,
            embedder=embedder,
            reranker=reranker,
            projector=self._projector,
            executor=self._executor,
            clock=now,
            settings=settings,
            calibrations=LOCAL_CALIBRATIONS,
        )

        self._transfers = TransferPorts(
            ledger=self._ledger,
            files=FolderTransferFiles(root / "transfers"),
            embedder=embedder,
            projector=self._projector,
            clock=now,
            masks_secrets=mask_secrets,
        )
        self._single = MemoryPorts(
            ledger=self._ledger,
            payloads=self._payloads,
            files=self._transfers.files,
            embedder=embedder,
            projector=self._projector,
            clock=now,
        )
        self._remove_expired()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes files and threads; the model process goes by itself when idle."""
        self._closed = True
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
        request = self._read(
            IngestRequest,
            user_id=user_id,
            messages=_messages(messages),
            context_id=context_id,
            agent_id=agent_id,
            scope=scope,
            timezone=timezone,
            metadata={} if metadata is None else metadata,
            infer=infer,
            instructions=instructions,
            expires_at=expires_at,
        )
        key = self._read(IdempotentRequest, idempotency_key=idempotency_key).idempotency_key
        event, _ = accept(
            request,
            tenant_id=TENANT,
            ledger=self._ledger,
            payloads=self._payloads,
            clock=now,
            new_event_id=lambda: new_event_id(now()),
            idempotency_key=key,
            idempotency_period=IDEMPOTENCY_PERIOD,
            masks_secrets=self._masks_secrets,
        )
        if event.status is not EventStatus.SUCCEEDED:
            self._carry_out(event)
        return self.event(event.id)

    def event(self, event_id: str) -> EventAnswer:
        """What became of an ingestion, with the texts of its operations as they are held now."""
        asked = self._read(EventRequest, event_id=event_id)
        return read_event(self._ledger, TENANT, asked.event_id, now=now())

    def search(self, user_id: str, query: str, **options: Any) -> SearchAnswer:
        """Answers a query with the options of `SearchRequest`: top_k, filters, history, as_of, ..."""
        request = self._read(SearchRequest, user_id=user_id, query=query, **options)
        owner = Owner(TENANT, request.user_id)
        return search(self.retrieval, owner, request, request_id=secrets.token_hex(8))

    def context(self, user_id: str, query: str, *, max_tokens: int = 1_000, **options: Any) -> ContextAnswer:
        """Dated, prompt-ready lines of at most `max_tokens`, best first."""
        request = self._read(SearchRequest, user_id=user_id, query=query, max_tokens=max_tokens, **options)
        owner = Owner(TENANT, request.user_id)
        return build_context(self.retrieval, owner, request, request_id=secrets.token_hex(8))

    def list(
        self,
        user_id: str,
        *,
        limit: int = 50,
        cursor: str | None = None,
        category: Category | str | None = None,
        scope: Scope | str | None = None,
        context_id: str | None = None,
        include_history: bool = False,
    ) -> ListAnswer:
        """One page of memories, newest first."""
        request = self._read(
            ListRequest,
            user_id=user_id,
            limit=limit,
            cursor=cursor,
            category=category,
            scope=scope,
            context_id=context_id,
            include_history=include_history,
        )
        return list_memories(self._ledger, Owner(TENANT, request.user_id), request, now())

    def get(self, user_id: str, memory_id: str) -> MemoryAnswer:
        return get_memory(self._ledger, *self._named(user_id, memory_id), now())

    def history(self, user_id: str, memory_id: str) -> HistoryAnswer:
        """The version chain, oldest first, without what has expired."""
        return get_history(self._ledger, *self._named(user_id, memory_id), now())

    def change(self, user_id: str, memory_id: str, **changes: Any) -> MemoryAnswer:
        """Changes content (a new version), category, metadata or expires_at; `if_version` guards against
        another writer's change (RevisionConflict)."""
        patch = self._read(PatchRequest, user_id=user_id, **changes)
        made_by = new_event_id(now())
        return change_memory(
            self._single,
            *self._named(user_id, memory_id),
            patch,
            version_id=memory_version_id(made_by, 0),
            event_id=made_by,
            masks_secrets=self._masks_secrets,
        )

    def delete(self, user_id: str, memory_id: str) -> None:
        """Erases a memory with its versions and the words of the messages linked to them."""
        delete_memory(self._single, *self._named(user_id, memory_id))

    def erase(self, user_id: str) -> EventAnswer:
        """Erases everything of a user; the event counts what went."""
        asked = request_erasure(self._ledger, self._owner(user_id), new_event_id(now()), now)
        return describe_event(self._ledger, erase_user(self._single, asked.reference), now())

    def export_user(self, user_id: str, file: str | Path) -> EventAnswer:
        """Writes everything held of a user to the file, as lines that `import_user` takes.

        The event counts what is in it.
        """
        event = export_to_file(self._transfers, self._owner(user_id), file, self._carry_out)
        return self.event(event.id)

    def import_user(self, user_id: str, file: str | Path) -> EventAnswer:
        """Makes the lines of an export this user's, who must hold nothing yet or just that.

        When the event says FAILED, nothing was imported; its `errors` name the lines at fault.
        """
        event = import_from_file(self._transfers, self._owner(user_id), file, self._carry_out)
        return self.event(event.id)

    def rebuild(self, user_id: str) -> None:
        """Writes the user's shard anew from the ledger."""
        self._projector.rebuild(self._owner(user_id))

    def resume(self, idle: timedelta = timedelta(0)) -> Sequence[EventAnswer]:
        """Finishes what a crash left: work that was accepted, documents that miss in an index.

        With `idle`, only work that nothing has moved for so long: another process may be at the younger
        pieces. Raises the first fault once all others are finished. Then requests go that are older than
        `PAYLOAD_AGE`: they were never accepted, or have failed and were not run again.
        """
        resumed = resume(self.ingestion, self._single, self._transfers, idle)
        self._payloads.expire(now() - PAYLOAD_AGE)
        return [self.event(event.id) for event in resumed]

    def _carry_out(self, event: Event) -> None:
        carry_out(self.ingestion, self._single, self._transfers, event)

    def _remove_expired(self) -> None:
        """Nobody can read it any more, so what another process is at now may wait until the next time."""
        for owner, ids in expired_documents(self._ledger, now()).items():
            with suppress(CognisError):
                remove_expired(self._single, owner, ids)

    def _read(self, model: type[_Request], /, **given: Any) -> _Request:
        """What was asked for, checked by the rules of every door; nobody may ask once this is closed."""
        if self._closed:
            raise PermanentError("this memory was closed; open its folder again")
        return read_request(model, given)

    def _owner(self, user_id: str) -> Owner:
        return Owner(TENANT, self._read(UserRequest, user_id=user_id).user_id)

    def _named(self, user_id: str, memory_id: str) -> tuple[Owner, str]:
        named = self._read(MemoryRequest, user_id=user_id, memory_id=memory_id)
        return Owner(TENANT, named.user_id), named.memory_id


def _made(folder: str | Path) -> Path:
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"{folder} cannot be used as a folder: {error.strerror}") from error
    return Path(folder)


def _messages(given: object) -> list[object]:
    """As a request has them, one alone, too; a text is a user's. What is no message is left to be refused."""
    if isinstance(given, str | bytes | Mapping | RequestMessage) or not isinstance(given, Iterable):
        given = [given]
    return [{"role": "user", "content": m} if isinstance(m, str) else m for m in given]
