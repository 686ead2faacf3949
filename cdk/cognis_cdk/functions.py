"""Every Lambda function: its folder, its size and what it may use. Nothing else is granted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final


class Use(Enum):
    """What a function does with the rest of the deployment."""

    READ_LEDGER = auto()
    WRITE_LEDGER = auto()
    FIND_UNFINISHED = auto()
    READ_PAYLOADS = auto()
    WRITE_PAYLOADS = auto()
    DELETE_PAYLOADS = auto()
    LIST_PAYLOADS = auto()
    READ_EXPORTS = auto()
    WRITE_EXPORTS = auto()
    DELETE_EXPORTS = auto()
    READ_UPLOADS = auto()
    WRITE_UPLOADS = auto()
    DELETE_UPLOADS = auto()
    LIST_TRANSFERS = auto()
    READ_INDEX = auto()
    WRITE_INDEX = auto()
    EMBED = auto()
    EXTRACT = auto()
    RERANK = auto()
    START_EXECUTIONS = auto()
    DESCRIBE_EXECUTIONS = auto()
    READ_CREDENTIALS = auto()
    HASH_USERS = auto()
    TAKE_SNAPSHOTS = auto()


@dataclass(frozen=True, slots=True)
class FunctionSpec:
    """`folder` lies under `functions/`; `memory` is in MB and decides the share of a processor, too.

    `description` is read in the console, as the comment of the function's state as well.
    """

    folder: str
    description: str
    uses: frozenset[Use]
    timeout_seconds: int
    memory: int = 512

    @property
    def id(self) -> str:
        """Of construct and state: `store_messages` is StoreMessages."""
        return "".join(word.capitalize() for word in self.folder.split("_"))


LIBRARY_VARIABLES: Final = {
    "OPENBLAS_NUM_THREADS": "1",  # a function has a part of a processor, which waiting threads would use up
    "PYDANTIC_DISABLE_PLUGINS": "__all__",  # there are none; looking would read every package's metadata
}
"""What the libraries of every function are told, so that a new process is ready sooner."""

_HTTP_SECONDS: Final = 29
"""As long as API Gateway waits."""
_AUTHORIZER_SECONDS: Final = 5
_STATE_SECONDS: Final = 300
_EXTRACTION_SECONDS: Final = 900
"""A run begins its last chunk after a minute; one of a message of 100,000 characters takes many calls."""
_SWEEP_SECONDS: Final = 120
_SNAPSHOT_SECONDS: Final = 900
_TRANSFER_SECONDS: Final = 900
"""The longest that Lambda lets a function run."""

_EVENTS: Final = frozenset({Use.READ_LEDGER, Use.WRITE_LEDGER, Use.HASH_USERS})
_INDEX: Final = frozenset({Use.READ_INDEX, Use.WRITE_INDEX})
_UPLOAD: Final = _EVENTS | {Use.READ_UPLOADS}

AUTHORIZER: Final = FunctionSpec(
    "authorizer",
    "Says which tenant an API key stands for",
    frozenset({Use.READ_CREDENTIALS}),
    _AUTHORIZER_SECONDS,
)
INGEST: Final = FunctionSpec(
    "ingest",
    "Accepts messages, changes and deletes memories, begins erasures, exports and imports",
    _EVENTS
    | _INDEX
    | {Use.READ_PAYLOADS, Use.WRITE_PAYLOADS, Use.DELETE_PAYLOADS, Use.WRITE_UPLOADS, Use.DELETE_EXPORTS}
    | {Use.EMBED, Use.START_EXECUTIONS},
    _HTTP_SECONDS,
)
RETRIEVE: Final = FunctionSpec(
    "retrieve",
    "Searches, lists and shows; writes only an index that it found missing",
    _INDEX | {Use.READ_LEDGER, Use.READ_EXPORTS, Use.HASH_USERS, Use.EMBED, Use.RERANK},
    _HTTP_SECONDS,
)
STORE_MESSAGES: Final = FunctionSpec(
    "store_messages",
    "Stores each message with its embedding: from here on it can be found",
    _EVENTS | _INDEX | {Use.READ_PAYLOADS, Use.EMBED},
    _STATE_SECONDS,
    memory=1024,
)
RESOLVE_SPEAKERS_AND_DATES: Final = FunctionSpec(
    "resolve_speakers_and_dates",
    "Finds out who speaks of whom, and which days are meant by words such as 'last week'",
    _EVENTS | {Use.READ_PAYLOADS},
    _STATE_SECONDS,
)
ACQUIRE_USER_LEASE: Final = FunctionSpec(
    "acquire_user_lease",
    "Asks for the user's lease: one ingestion of a user at a time",
    _EVENTS,
    _STATE_SECONDS,
)
EXTRACT_MEMORIES: Final = FunctionSpec(
    "extract_memories",
    "Has a model propose memories, beside the similar ones that are held",
    _EVENTS | _INDEX | {Use.READ_PAYLOADS, Use.WRITE_PAYLOADS, Use.DELETE_PAYLOADS, Use.EXTRACT},
    _EXTRACTION_SECONDS,
    memory=1024,
)
EMBED_AND_COMMIT_MEMORIES: Final = FunctionSpec(
    "embed_and_commit_memories",
    "Writes the memories' versions, then the search indexes",
    _EVENTS | _INDEX | {Use.READ_PAYLOADS, Use.DELETE_PAYLOADS, Use.EMBED},
    _STATE_SECONDS,
    memory=1024,
)
RELEASE_USER_LEASE: Final = FunctionSpec(
    "release_user_lease", "Lets the user's next ingestion go on", _EVENTS, _STATE_SECONDS
)
RECORD_FAILURE: Final = FunctionSpec(
    "record_failure", "Writes on the event why it cannot go on, and frees the lease", _EVENTS, _STATE_SECONDS
)
ERASE_LEDGER: Final = FunctionSpec(
    "erase_ledger",
    "Removes what the ledger holds of the user, a minute's worth at a time",
    _EVENTS,
    _STATE_SECONDS,
)
ERASE_PAYLOADS: Final = FunctionSpec(
    "erase_payloads",
    "Removes what unfinished and failed events of the user kept, and files of exports and imports",
    _EVENTS | {Use.DELETE_PAYLOADS, Use.DELETE_EXPORTS, Use.DELETE_UPLOADS},
    _STATE_SECONDS,
)
DROP_INDEXES: Final = FunctionSpec(
    "drop_indexes",
    "Removes the user from every search engine",
    _EVENTS | _INDEX,
    _STATE_SECONDS,
)
VERIFY_ERASURE: Final = FunctionSpec(
    "verify_erasure",
    "Reads every store again; where nothing is found, the user may begin anew",
    _EVENTS | {Use.LIST_PAYLOADS, Use.LIST_TRANSFERS, Use.READ_INDEX},
    _STATE_SECONDS,
)
EXPORT_USER: Final = FunctionSpec(
    "export_user",
    "Writes everything that is held of the user to a file, as it was at one moment",
    _EVENTS | {Use.WRITE_EXPORTS, Use.DELETE_EXPORTS},
    _TRANSFER_SECONDS,
    memory=1024,
)
FIND_UPLOAD: Final = FunctionSpec(
    "find_upload", "Looks whether the file is there that the caller has a link for", _UPLOAD, _STATE_SECONDS
)
CHECK_UPLOAD: Final = FunctionSpec(
    "check_upload",
    "Checks every line of the file before anything is written",
    _UPLOAD,
    _TRANSFER_SECONDS,
    memory=1024,
)
IMPORT_USER: Final = FunctionSpec(
    "import_user",
    "Makes the file's next lines the user's memories and messages, then the search indexes",
    _UPLOAD | _INDEX | {Use.DELETE_UPLOADS, Use.EMBED},
    _TRANSFER_SECONDS,
    memory=1024,
)
UNDO_IMPORT: Final = FunctionSpec(
    "undo_import",
    "Takes back what an import wrote that cannot be finished, and removes its file",
    _UPLOAD | _INDEX | {Use.DELETE_UPLOADS},
    _TRANSFER_SECONDS,
    memory=1024,
)
RECORD_ENDED_EXECUTION: Final = FunctionSpec(
    "record_ended_execution",
    "Marks the event of an execution that failed, timed out or was stopped",
    _EVENTS,
    _STATE_SECONDS,
)
SWEEP: Final = FunctionSpec(
    "sweep",
    "Starts what a crash left waiting, finishes what is not in an index yet, removes what has expired",
    _EVENTS
    | _INDEX
    | {Use.FIND_UNFINISHED, Use.START_EXECUTIONS, Use.DESCRIBE_EXECUTIONS}
    | {Use.READ_PAYLOADS, Use.WRITE_PAYLOADS, Use.DELETE_PAYLOADS, Use.DELETE_EXPORTS},
    _SWEEP_SECONDS,
)

SNAPSHOT_INDEX: Final = FunctionSpec(
    "snapshot_index",
    "Takes a snapshot of the search index and removes those that are too old",
    frozenset({Use.TAKE_SNAPSHOTS}),
    _SNAPSHOT_SECONDS,
)
"""Of stages with a search domain only."""

INGESTION_STATES: Final = (
    STORE_MESSAGES,
    RESOLVE_SPEAKERS_AND_DATES,
    ACQUIRE_USER_LEASE,
    EXTRACT_MEMORIES,
    EMBED_AND_COMMIT_MEMORIES,
    RELEASE_USER_LEASE,
    RECORD_FAILURE,
)
"""The functions behind the states of the ingestion machine."""

ERASURE_STATES: Final = (ERASE_LEDGER, ERASE_PAYLOADS, DROP_INDEXES, VERIFY_ERASURE)
"""Those behind the states of the erasure machine, in their order."""

TRANSFER_STATES: Final = (EXPORT_USER, FIND_UPLOAD, CHECK_UPLOAD, IMPORT_USER, UNDO_IMPORT)
"""Those behind the states that the machines of exports and imports have for themselves."""

ALL_FUNCTIONS: Final = (
    AUTHORIZER,
    INGEST,
    RETRIEVE,
    *INGESTION_STATES,
    *ERASURE_STATES,
    *TRANSFER_STATES,
    RECORD_ENDED_EXECUTION,
    SWEEP,
)
"""The functions of every stage."""
