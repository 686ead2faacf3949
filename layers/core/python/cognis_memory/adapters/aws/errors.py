"""Turns botocore's errors into those of `cognis_memory.errors`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from botocore import exceptions as botocore_errors
from botocore.exceptions import BotoCoreError, ClientError

from cognis_memory.errors import PermanentError, TransientError

_UNREACHABLE: Final = (
    botocore_errors.ConnectionError,
    botocore_errors.HTTPClientError,
    botocore_errors.IncompleteReadError,
)
TRANSIENT_CODES: Final = frozenset(
    {
        "InternalError",
        "InternalServerError",
        "LimitExceededException",
        "OperationAborted",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "RequestTimeout",
        "RequestTimeoutException",
        "ServiceUnavailable",
        "SlowDown",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)


def error_code(error: ClientError) -> str:
    return error.response.get("Error", {}).get("Code", "Unknown")


def is_transient(error: ClientError) -> bool:
    """Whether the same request may succeed later: throttled, in conflict, or a fault of the service."""
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return error_code(error) in TRANSIENT_CODES or status == 429 or status >= 500


@contextmanager
def translated_errors(operation: str, unavailable: type[TransientError]) -> Iterator[None]:
    """Raises `unavailable` for what may pass and PermanentError for the rest.

    The new errors name the operation and the service's code only: botocore's own messages can quote
    parameters, and those are users' texts. For the same reason permanent ones drop their cause.
    """
    try:
        yield
    except ClientError as error:
        if is_transient(error):
            raise unavailable(f"{operation}: {error_code(error)}") from error
        raise PermanentError(f"{operation} was refused: {error_code(error)}") from None
    except _UNREACHABLE as error:
        raise unavailable(f"{operation}: {type(error).__name__}") from error
    except BotoCoreError as error:
        raise PermanentError(f"{operation} could not be sent: {type(error).__name__}") from None
