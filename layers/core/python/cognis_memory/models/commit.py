"""The one unit of writing: everything in a commit becomes true together, or nothing does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from cognis_memory.models.event import Event
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import FloatVector, Owner

MAX_COMMIT_ITEMS = 90
"""DynamoDB allows 100 items in a transaction."""

MAX_COMMIT_BYTES = 3_000_000
"""DynamoDB allows 4 MB in a transaction."""

CHAIN_BYTES = 100
"""What a chain or a deletion adds to a commit at most."""


@dataclass(frozen=True, slots=True)
class DocumentWrite:
    """Puts a memory or a message in place of the one at `document.revision - 1` (0: none may exist).

    `vector`, of shape (768,), is written where given and left as it is where None.
    """

    document: Memory | Message
    vector: FloatVector | None = None

    @property
    def item_count(self) -> int:
        """The document, and its vector where it has one."""
        return 1 + (self.vector is not None)

    @property
    def size_bytes(self) -> int:
        """An upper estimate of what is sent: text in UTF-8, the vector as float32."""
        text = len(self.document.model_dump_json().encode())
        return text + (self.vector.nbytes if self.vector is not None else 0) + 200


@dataclass(frozen=True, slots=True)
class ChainWrite:
    """The ids of a chain's versions, oldest first, in place of the chain at `revision - 1`.

    Without ids the chain is removed.
    """

    chain_id: str
    version_ids: tuple[str, ...]
    revision: int


@dataclass(frozen=True, slots=True)
class Commit:
    """A transaction on one user's part of the ledger.

    `id` makes a pending mark that names all touched documents until the indexes have them.
    `epoch` is refused (UserErased) when the user's erasure epoch is another; `fence` (StaleLease) when it
    is not the token of the user's lease; `event` replaces the event at `event.revision - 1` (StaleEvent);
    documents and chains are refused (RevisionConflict) when their revisions moved.
    `deleted` names memories and messages to remove with their vectors, `deleted_revisions` the revisions that
    some of them must be at (RevisionConflict). No id and no chain comes twice.
    """

    id: str
    owner: Owner
    epoch: int
    created_at: datetime
    fence: int | None = None
    event: Event | None = None
    documents: tuple[DocumentWrite, ...] = ()
    chains: tuple[ChainWrite, ...] = ()
    deleted: tuple[str, ...] = ()
    deleted_revisions: Mapping[str, int] = field(default_factory=dict)

    @property
    def touched(self) -> tuple[str, ...]:
        """Ids of all documents that the indexes must follow."""
        return (*(write.document.id for write in self.documents), *self.deleted)

    @property
    def removes_text(self) -> bool:
        """Whether something that was said or remembered is no longer so held afterwards."""
        return bool(self.deleted) or any(write.document.redacted for write in self.documents)

    @property
    def item_count(self) -> int:
        """Items of the largest ledger: epoch, lease, event and pending mark, then documents and vectors."""
        documents = sum(write.item_count for write in self.documents)
        return 4 + documents + len(self.chains) + 2 * len(self.deleted)

    @property
    def size_bytes(self) -> int:
        """An upper estimate of what is sent: texts in UTF-8, vectors as float32."""
        documents = sum(write.size_bytes for write in self.documents)
        event = len(self.event.model_dump_json().encode()) if self.event else 0
        return documents + event + CHAIN_BYTES * (len(self.chains) + len(self.deleted))


@dataclass(frozen=True, slots=True)
class PendingMark:
    """Documents that are committed and perhaps not yet in every index (invariant 5)."""

    owner: Owner
    commit_id: str
    document_ids: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Chain:
    """A version chain as the ledger holds it, versions oldest first."""

    chain_id: str
    versions: tuple[Memory, ...]
    revision: int
