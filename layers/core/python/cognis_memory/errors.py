"""The exceptions of Cognis, drawn as a tree.

    CognisError
    ├── InvalidInput                the caller must change something (400)
    │   ├── InputTooLarge           413
    │   └── IdempotencyKeyReused    422
    ├── NotFound                    404, also for what belongs to somebody else
    ├── Conflict                    what the writer saw is no longer so (409)
    │   ├── AlreadyExists           what was to be made is there
    │   ├── RevisionConflict        a document or chain changed since it was read
    │   ├── StaleLease              the fencing token is no longer the newest: acquire and extract again
    │   ├── StaleEvent              another run of the same event is further on: read it again
    │   └── UserErased              an erasure began after this work was accepted: stop for good
    ├── LeaseHeld                   another ingestion of this user is under way: wait
    ├── BudgetExceeded              the tenant has spent what it may spend this month (429)
    ├── TransientError              a dependency is slow, down or throttling: retry with backoff (503)
    │   ├── LedgerUnavailable
    │   ├── PayloadUnavailable
    │   ├── IndexUnavailable
    │   ├── EmbeddingUnavailable
    │   ├── RerankUnavailable
    │   ├── ExtractionUnavailable
    │   ├── ExecutionUnavailable    state machines are throttled or out of reach
    │   ├── SecretUnavailable
    │   ├── CredentialsUnavailable
    │   └── DeadlineExceeded        the time of this invocation is used up before a dependency could be asked
    ├── PermanentError              a retry cannot help: record the reason and stop
    │   ├── ExtractionFailed        the extractor's output cannot be used, repair included
    │   │   └── ContentBlocked      a guardrail or a content filter refuses the messages
    │   ├── EmbeddingFailed         the model refuses the input
    │   ├── IndexRefused            a search index cannot take what it is given
    │   ├── ModelMismatch           an index was written by another embedding model
    │   ├── CorruptData             stored bytes are not what was written
    │   ├── ErasureIncomplete       a store still holds something of a user whose erasure was to end
    │   └── ConfigurationError      the deployment's settings lack something or contradict themselves
    └── UnexpectedError             a fault nobody foresaw: nothing handles it, so that it can be redriven

An adapter turns its library's errors into these; `retryable` says which a state machine retries. The lists at
the end are what the state machine's definition is made from.
"""

from __future__ import annotations

import traceback
from typing import Final, NamedTuple


class Consumption(NamedTuple):
    """What calls of a language model took: how many they were, and their tokens in and out."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


class CognisError(Exception):
    """Root of all errors raised on purpose. `str(error)` is safe to show: it holds no memory text.

    `consumed` is what was paid for before the work failed, as far as the model said it.
    """

    retryable = False
    consumed = Consumption()

    @property
    def code(self) -> str:
        """The error's name in events, problem documents and state machines."""
        return type(self).__name__


def places(error: BaseException) -> list[str]:
    """Where the exception came from, for logs: its message and its values may quote a user's text."""
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]


class FieldError:
    """One fault of an input: `field` as a path such as `messages[0].content`, `message` what to change."""

    __slots__ = ("field", "message")

    def __init__(self, field: str, message: str) -> None:
        self.field = field
        self.message = message

    def __repr__(self) -> str:
        return f"FieldError({self.field!r}, {self.message!r})"


class InvalidInput(CognisError):
    """The caller's input is wrong; `errors` names each field and what to change."""

    def __init__(self, detail: str, errors: list[FieldError] | None = None) -> None:
        super().__init__(detail)
        self.errors = errors or []


class InputTooLarge(InvalidInput):
    """The input exceeds a limit that the message names."""


class IdempotencyKeyReused(InvalidInput):
    """An idempotency key came again with another body."""


class NotFound(CognisError):
    """No such thing for this caller."""


class Conflict(CognisError):
    """The state that the writer relied on has changed."""


class AlreadyExists(Conflict):
    """What was to be made is there already."""


class RevisionConflict(Conflict):
    """A document or a chain was changed by another writer since it was read."""


class StaleLease(Conflict):
    """The lease was taken over; whoever holds the newer token writes now."""


class StaleEvent(Conflict):
    """The event's cursor has moved on: another run committed this part."""


class UserErased(Conflict):
    """The user's erasure epoch is newer than this work."""


class LeaseHeld(CognisError):
    """Another ingestion holds the user's lease."""

    retryable = True


class BudgetExceeded(CognisError):
    """The month's budget is spent; the message says how much it is and when the next month begins."""

    def __init__(self, detail: str, *, retry_after_seconds: int = 1) -> None:
        super().__init__(detail)
        self.retry_after_seconds = retry_after_seconds


class TransientError(CognisError):
    """A dependency did not answer in time or refused for the moment."""

    retryable = True


class LedgerUnavailable(TransientError):
    """The ledger is throttled or out of reach."""


class PayloadUnavailable(TransientError):
    """The store of payloads is throttled or out of reach."""


class IndexUnavailable(TransientError):
    """A search index is throttled or out of reach."""


class EmbeddingUnavailable(TransientError):
    """The embedding model is throttled, slow or out of reach."""


class RerankUnavailable(TransientError):
    """The reranker is throttled, slow or out of reach."""


class ExtractionUnavailable(TransientError):
    """The extractor's model is throttled, slow or out of reach."""


class ExecutionUnavailable(TransientError):
    """The state machines are throttled or out of reach."""


class SecretUnavailable(TransientError):
    """The store of secrets is throttled or out of reach."""


class CredentialsUnavailable(TransientError):
    """The store of tenants and API keys is throttled or out of reach."""


class DeadlineExceeded(TransientError):
    """What is left of the invocation's time does not suffice for another call."""


class PermanentError(CognisError):
    """Repeating the same work cannot succeed."""


class ExtractionFailed(PermanentError):
    """The extractor's output cannot be used."""


class ContentBlocked(ExtractionFailed):
    """A guardrail or the model's own filter refuses what was said; another wording or guardrail may pass."""


class EmbeddingFailed(PermanentError):
    """The embedding model refused the input or answered something else than vectors."""


class IndexRefused(PermanentError):
    """A search index refused a document or a query as such."""


class ModelMismatch(PermanentError):
    """Vectors of two models met in one index."""


class CorruptData(PermanentError):
    """Stored bytes cannot be read back."""


class ErasureIncomplete(PermanentError):
    """What was erased again and again is still there; the message says where and how much."""


class ConfigurationError(PermanentError):
    """A setting is missing or wrong; the message names its variable."""


class UnexpectedError(CognisError):
    """Stands for an exception of another kind, whose own message might quote a user's text."""


def _names(*roots: type[CognisError]) -> tuple[str, ...]:
    """The roots and everything below them, by name and without repeats."""
    found: dict[str, None] = {}
    for root in roots:
        found[root.__name__] = None
        found |= dict.fromkeys(_names(*root.__subclasses__()))
    return tuple(found)


KNOWN_ERRORS: Final = frozenset(_names(CognisError))
"""Names of all errors whose message is safe to show."""

RETRYABLE_ERRORS: Final = _names(TransientError)
"""Names of the errors that a state is repeated on, with backoff."""

SUPERSEDED_ERRORS: Final = _names(StaleLease, StaleEvent, RevisionConflict)
"""Names of the errors that lead from extraction and commit back to acquiring the lease."""

PERMANENT_ERRORS: Final = _names(InvalidInput, NotFound, UserErased, PermanentError)
"""Names of the errors that end an ingestion with their reason on the event."""
