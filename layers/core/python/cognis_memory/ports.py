"""What the services need from the outside, as small protocols. Adapters implement them; one contract suite
each is run against every adapter. All calls may raise the transient errors of `cognis_memory.errors`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from cognis_memory.domain.filters import Filter
    from cognis_memory.models.commit import Chain, Commit, PendingMark
    from cognis_memory.models.credential import ApiKey, Tenant
    from cognis_memory.models.document import CandidateHits, Hit, IndexDocument, VectorHit
    from cognis_memory.models.erasure import ExpiredDocument, HeldItem
    from cognis_memory.models.event import Event, IdempotencyRecord, Lease
    from cognis_memory.models.extraction import Extraction, ExtractionRequest
    from cognis_memory.models.memory import Memory
    from cognis_memory.models.message import Message
    from cognis_memory.models.spending import Charge, Spending
    from cognis_memory.models.values import Category, FloatMatrix, FloatVector, Owner, Scope

Clock = Callable[[], datetime]
"""The present, as an aware time."""


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """One page of a list; `next_cursor` is None on the last."""

    memories: tuple[Memory, ...]
    next_cursor: str | None


class Ledger(Protocol):
    """The truth (invariant 1). Every read sees the last write. Vectors are kept apart from documents."""

    def create_event(self, event: Event, idempotency: IdempotencyRecord | None = None) -> Event:
        """Stores a new event and its idempotency record together, and returns it.

        When the key is bound already and has not expired, returns the event it is bound to; raises
        IdempotencyKeyReused when it is bound to another body hash, UserErased when that event was erased, or
        when the user's epoch is no longer that of the new one. An event whose id exists is returned as it is.
        """

    def bound_event(self, idempotency: IdempotencyRecord, now: datetime) -> Event | None:
        """The event that the record's key is bound to, None for a free key. Raises as `create_event`."""

    def get_event(self, tenant_id: str, event_id: str) -> Event | None: ...

    def update_event(self, event: Event, charge: Charge | None = None) -> None:
        """Replaces the event at `event.revision - 1`; raises StaleEvent when it is at another revision.

        The charge is added to what its tenant has spent in the same transaction: both or neither.
        """

    def add_charge(self, charge: Charge) -> None:
        """Adds to what a tenant has spent, for what no event stands for, or none any more."""

    def get_spending(self, tenant_id: str, month: str) -> Spending:
        """What the tenant may spend, and has spent in that month."""

    def set_budget(self, tenant_id: str, budget_usd: Decimal | None) -> None:
        """What the tenant may spend in each month from now on; None: as much as it likes."""

    def unfinished_events(self, before: datetime, limit: int) -> list[Event]:
        """Events of all tenants, PENDING or RUNNING, last updated before that time, oldest first."""

    def failed_events(self, since: datetime, limit: int) -> list[Event]:
        """Events of all tenants that are FAILED, last updated at that time or later, newest first."""

    def erasure_epoch(self, owner: Owner) -> int:
        """0 for a user who was never erased."""

    def raise_erasure_epoch(self, owner: Owner, to: int) -> None:
        """Commits of earlier epochs are refused from now on, the lease is gone; does nothing where the epoch
        is at `to` or beyond already."""

    def commit(self, commit: Commit) -> None:
        """Applies the commit whole or not at all; see `Commit` for the errors.

        Raises InputTooLarge beyond MAX_COMMIT_ITEMS or MAX_COMMIT_BYTES, and ValueError for a commit that
        contradicts itself.
        """

    def get_memories(self, owner: Owner, ids: Sequence[str]) -> dict[str, Memory]:
        """Those that are there, in the order asked, as all `get_` methods."""

    def get_messages(self, owner: Owner, ids: Sequence[str]) -> dict[str, Message]: ...

    def get_chains(self, owner: Owner, chain_ids: Sequence[str]) -> dict[str, Chain]: ...

    def get_vectors(self, owner: Owner, ids: Sequence[str]) -> dict[str, FloatVector]: ...

    def list_memories(
        self,
        owner: Owner,
        *,
        limit: int,
        cursor: str | None = None,
        category: Category | None = None,
        scope: Scope | None = None,
        context_id: str | None = None,
        include_history: bool = False,
        now: datetime,
    ) -> MemoryPage:
        """Newest first (by descending id, which grows with the time of acceptance), without expired ones
        and retractions. Stable under writes: paging neither repeats nor skips what was there throughout.

        Raises InvalidInput for a cursor that this ledger did not make for this owner.
        """

    def recent_messages(
        self, owner: Owner, context_id: str | None, *, before_id: str, limit: int
    ) -> list[Message]:
        """The last messages of that context (None: messages without one) whose id is lower, oldest first."""

    def iterate_memories(self, owner: Owner) -> Iterator[Memory]:
        """All versions, in order of id, in bounded memory."""

    def iterate_messages(self, owner: Owner) -> Iterator[Message]:
        """All messages, in order of id, in bounded memory."""

    def acquire_lease(self, owner: Owner, holder: str, *, now: datetime, duration: timedelta) -> Lease:
        """A lease with a token above all earlier ones; the same holder gets a new token too.

        Raises LeaseHeld while another holder's lease has not expired.
        """

    def renew_lease(self, lease: Lease, *, now: datetime, duration: timedelta) -> Lease:
        """The same token with a later expiry. Raises StaleLease for a newer token or a released lease."""

    def release_lease(self, lease: Lease) -> None:
        """Frees the lease if it is still this one's; the token's count goes on."""

    def pending_marks(self, owner: Owner) -> list[PendingMark]: ...

    def all_pending_marks(self, before: datetime, limit: int) -> list[PendingMark]:
        """Marks of every owner made before that time, oldest first, for the sweep."""

    def clear_pending(self, owner: Owner, commit_ids: Sequence[str]) -> None: ...

    def expired_documents(self, before: datetime, limit: int) -> list[ExpiredDocument]:
        """Memories and messages of all tenants that expired before that time, oldest first."""

    def held_items(self, owner: Owner, *, limit: int) -> list[HeldItem]:
        """The first `limit` of everything held of the user, in order, but for the epoch, the lease and events
        of erasures, which outlive an erasure."""

    def erase(self, owner: Owner, items: Sequence[HeldItem], *, epoch: int) -> None:
        """Removes those of the items that are there. Raises UserErased when the user's epoch is another, so
        that nothing goes which came after what was listed."""

    def owners(self) -> Iterator[Owner]:
        """Every owner who holds anything, for rebuilds and checks."""


class DocumentIndex(Protocol):
    """A projection of the ledger's documents of each user."""

    def apply(self, owner: Owner, upserts: Sequence[IndexDocument], deleted: Sequence[str]) -> None:
        """Makes the documents findable and the deleted ones gone, together, before it returns.

        Ignores upserts that are not newer and upserts of ids deleted before. Two writers lose nothing.
        Raises ModelMismatch when the index was written by another embedding model.
        """

    def replace(self, owner: Owner, documents: Iterator[IndexDocument]) -> None:
        """Writes the user's index anew from these documents (a rebuild), in one step for readers.

        Raises IndexUnavailable when another writer changed the index since: begin again, as the documents
        may be older than that change.
        """

    def exists(self, owner: Owner) -> bool:
        """Whether there is a readable index of that user; False when missing or corrupt."""

    def count(self, owner: Owner) -> int: ...

    def drop(self, owner: Owner) -> None:
        """Removes everything of that user, the memory of deletions included."""

    def holdings(self, owner: Owner) -> Mapping[str, int]:
        """How much lies here of the user, readable or not, by its name in the counts of an erasure; after
        `drop` nothing but zeros."""

    def discard(self, key: str) -> None:
        """`drop` for a user of whom only the `owner_key` is known."""

    def owner_keys(self) -> Iterator[str]:
        """The `owner_key` of every user of whom the index holds anything, each once."""

    def revisions(self, owner: Owner) -> Iterator[tuple[str, int]]:
        """Ids and revisions of the documents that searches find, each once."""

    def differing(self, owner: Owner, documents: Sequence[IndexDocument]) -> set[str]:
        """Ids of those documents which searches do not find just as they are here: missing, or with other
        fields or another vector, as far as the index stores these."""

    def leftovers(self, owner: Owner) -> int:
        """How many documents, or files, of the user no search reads: what a write left that was cut off."""


class VectorIndex(DocumentIndex, Protocol):
    """Nearest neighbours in two steps: 256 components for candidates, 768 for their order."""

    def nearest(self, owner: Owner, vector: FloatVector, *, filter: Filter, limit: int) -> list[Hit]:
        """The documents nearest to `vector`, of shape (256,) and unit length, by cosine, best first."""

    def rescore(self, owner: Owner, vector: FloatVector, ids: Sequence[str]) -> list[VectorHit]:
        """Exact cosine of each document to `vector`, of shape (768,), best first; unknown ids left out."""


class KeywordIndex(DocumentIndex, Protocol):
    """BM25 over `text` and `context`."""

    def match(self, owner: Owner, query: str, *, filter: Filter, limit: int) -> list[Hit]:
        """Best first. Any text is a safe query; one without a word to look for finds nothing."""


class SearchIndex(VectorIndex, KeywordIndex, Protocol):
    """An engine that is both indexes."""


class CandidateIndex(SearchIndex, Protocol):
    """One that finds the candidates of both sides in one request."""

    def candidates(
        self, owner: Owner, query: str, vector: FloatVector, *, filter: Filter, nearest: int, matching: int
    ) -> CandidateHits:
        """The `nearest` documents to `vector`, shape (768,), by its first 256 components, those `matching`
        the query, and the exact cosine of all."""


class Embedder(Protocol):
    """Turns texts into unit vectors of 768 components whose first 256 stand on their own."""

    @property
    def model_id(self) -> str:
        """Names everything that changes the vectors; stored with each of them."""

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Shape (n, 768), float32. Raises EmbeddingUnavailable or EmbeddingFailed."""


class Reranker(Protocol):
    """Scores texts against a query, reading both together."""

    @property
    def model_id(self) -> str: ...

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score in 0..1 for each text, in the order given. Raises RerankUnavailable."""


class Extractor(Protocol):
    """Decides what of a conversation is worth keeping and what it changes."""

    @property
    def chunk_messages(self) -> int:
        """How many messages one call takes at most."""

    def extract(self, request: ExtractionRequest) -> Extraction:
        """Raises ExtractionUnavailable (transient) or ExtractionFailed, with what was `consumed` before."""


class PayloadStore(Protocol):
    """Bytes that states hand to each other by reference; they go when the event ends."""

    def put(self, key: str, data: bytes) -> None: ...

    def get(self, key: str) -> bytes:
        """Raises NotFound."""

    def count(self, prefix: str) -> int:
        """How many keys lie under the prefix."""

    def delete(self, prefix: str, *, when: Callable[[], bool] | None = None) -> None:
        """Removes every key under the prefix, which ends with a slash; raises ValueError for an empty one.

        With `when`, only keys that were there before it said yes: it is asked once they are listed.
        """


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file as it lies in a store; `tag` is another whenever it is written anew."""

    size_bytes: int
    tag: str


class TransferFiles(PayloadStore, Protocol):
    """Files, perhaps too large for memory, that users take away or bring by links of their own."""

    def write(self, key: str, chunks: Iterable[bytes]) -> None:
        """Writes the chunks, one after the other, as one file: all of it or, when they break off, nothing."""

    def find(self, key: str) -> StoredFile | None: ...

    def read(self, key: str, tag: str) -> Iterator[bytes]:
        """The file of that tag in chunks. Raises NotFound, InvalidInput when it was replaced by another."""

    def download_url(self, key: str, lifetime: timedelta) -> str:
        """A link by which whoever has it may fetch the file, whether it is there or not."""

    def upload_url(self, key: str, lifetime: timedelta) -> str:
        """A link to which whoever has it may PUT the file, again, too."""


class ExecutionStatus(StrEnum):
    """By the names of Step Functions."""

    RUNNING = "RUNNING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    TIMED_OUT = "TIMED_OUT"
    ABORTED = "ABORTED"


@dataclass(frozen=True, slots=True)
class Execution:
    """One run of a state machine; `error` and `cause` as its last state left them, None unless it failed."""

    status: ExecutionStatus
    error: str | None = None
    cause: str | None = None


class ExecutionStarter(Protocol):
    """Runs the state machine of each kind of event; an execution is named `Event.execution_name`.

    Raises ExecutionUnavailable, or PermanentError for what is refused.
    """

    def start(self, event: Event) -> None:
        """Starts the execution of the event's present attempt; one that exists already is fine."""

    def execution_of(self, event: Event) -> Execution | None:
        """That of the event's present attempt; None when it was never started."""


class CredentialStore(Protocol):
    """Tenants and API keys. Every read sees the last write."""

    def create_tenant(self, tenant: Tenant) -> None:
        """Raises AlreadyExists when there is a tenant of that id."""

    def get_tenant(self, tenant_id: str) -> Tenant | None: ...

    def set_tenant_disabled(self, tenant_id: str, disabled: bool) -> None:
        """Raises NotFound for a tenant that is not there."""

    def tenants(self) -> Iterator[Tenant]:
        """Every tenant, in no order."""

    def create_key(self, key: ApiKey) -> None:
        """Raises AlreadyExists when there is a key of that digest."""

    def get_key(self, digest: str) -> ApiKey | None:
        """The key of that digest, revoked ones too."""

    def revoke_key(self, key_id: str) -> None:
        """Makes a key useless for good; a repeat changes nothing. Raises NotFound for an unknown id."""

    def keys(self, tenant_id: str) -> Iterator[ApiKey]:
        """The tenant's keys, revoked ones too, in no order."""
