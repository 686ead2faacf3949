"""Turns botocore's errors into those of `cognis_memory.errors`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from botocore import exceptions as botocore_errors
from botocore.exceptions import BotoCoreError, ClientError
from botocore.parsers import ResponseParserError

from cognis_memory.errors import CognisError, ConfigurationError, PermanentError, TransientError

_UNREACHABLE: Final = (
    botocore_errors.ConnectionError,
    botocore_errors.HTTPClientError,
    botocore_errors.IncompleteReadError,
    ResponseParserError,
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

TRANSIENT_CODES_OF_MODELS: Final = frozenset(
    {
        "ConflictException",
        "DependencyFailedException",
        "ModelErrorException",
        "ModelTimeoutException",
        "ServiceQuotaExceededException",
    }
)
"""Of Bedrock and SageMaker, by what their API References say of them: the model or what it stands on failed,
or a quota is used up for the moment. Their statuses are those of a caller's fault."""

_OF_THE_DEPLOYMENT: Final = frozenset({"AccessDeniedException", "ResourceNotFoundException"})


def error_code(error: ClientError) -> str:
    return error.response.get("Error", {}).get("Code", "Unknown")


def is_transient(error: ClientError) -> bool:
    """Whether the same request may succeed later: throttled, in conflict, or a fault of the service."""
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return error_code(error) in TRANSIENT_CODES or status == 429 or status >= 500


@contextmanager
def translated_errors(
    operation: str, unavailable: type[TransientError], refused: type[CognisError] = PermanentError
) -> Iterator[None]:
    """Raises `unavailable` for what may pass and `refused` for the rest.

    The new errors name the operation and the service's code only: botocore's own messages can quote
    parameters, and those are users' texts. For the same reason permanent ones drop their cause.
    """
    try:
        yield
    except ClientError as error:
        if is_transient(error):
            raise unavailable(f"{operation}: {error_code(error)}") from error
        raise refused(f"{operation} was refused: {error_code(error)}") from None
    except _UNREACHABLE as error:
        raise unavailable(f"{operation}: {type(error).__name__}") from error
    except BotoCoreError as error:
        raise refused(f"{operation} could not be sent: {type(error).__name__}") from None


@contextmanager
def translated_model_errors(
    operation: str, unavailable: type[TransientError], refused: type[CognisError]
) -> Iterator[None]:
    """As `translated_errors`, for models of Bedrock and SageMaker: `refused` is raised for what cannot pass.

    A model that is not there, or that this role may not call, is a ConfigurationError.
    """
    with translated_errors(operation, unavailable, refused):
        try:
            yield
        except ClientError as error:
            code = error_code(error)
            if code in TRANSIENT_CODES_OF_MODELS:
                raise unavailable(f"{operation}: {code}") from None
            if code in _OF_THE_DEPLOYMENT:
                raise ConfigurationError(f"{operation} was refused: {code}") from None
            raise
