"""Carries TEI's JSON to a SageMaker endpoint.

Shapes: InvokeEndpointInput, InvokeEndpointOutput and ModelError in botocore's
`sagemaker-runtime/2017-05-13/service-2.json`.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

from botocore.exceptions import ClientError

from cognis_memory.adapters.aws.errors import error_code, translated_model_errors
from cognis_memory.adapters.model_server import Refused, Unavailable
from cognis_memory.errors import PermanentError, TransientError

_OPERATION: Final = "InvokeEndpoint"
_MODEL_REFUSED: Final = range(400, 500)
_MODEL_PASSING: Final = frozenset({408, 424, 425, 429})
"""Of the model's own statuses between 400 and 499: those after which the same request may succeed."""


class SageMakerTransport:
    """`adapters.model_server.Transport` through InvokeEndpoint; safe to share between threads.

    An endpoint serves one model, and TEI's route for endpoints, `/invocations`, is that model's own: so the
    route of a request does not travel. `client` is a `sagemaker-runtime` client.
    """

    def __init__(self, client: Any, endpoint_name: str) -> None:
        self._client = client
        self._endpoint_name = endpoint_name

    def post(self, route: str, body: bytes) -> bytes:
        """As `Transport.post`. Raises ConfigurationError, too, where the role may not call the endpoint."""
        try:
            with translated_model_errors(_OPERATION, TransientError, PermanentError):
                return self._invoke(body)
        except TransientError as error:
            raise Unavailable(str(error)) from error
        except PermanentError as error:
            if type(error) is not PermanentError:
                raise
            raise Refused(str(error)) from error

    def _invoke(self, body: bytes) -> bytes:
        try:
            response = self._client.invoke_endpoint(
                EndpointName=self._endpoint_name,
                Body=body,
                ContentType="application/json",
                Accept="application/json",
            )
        except ClientError as error:
            if error_code(error) == "ModelError":
                _raise_of_model(error)
            raise
        answer: bytes = response["Body"].read()
        return answer


def _raise_of_model(error: ClientError) -> NoReturn:
    """By the status that the model answered; its message may quote the request and is left out."""
    response: dict[str, Any] = {**error.response}
    status: int = response.get("OriginalStatusCode", 500)
    reason = f"{_OPERATION}: the model answered {status}"
    if status in _MODEL_REFUSED and status not in _MODEL_PASSING:
        raise Refused(reason) from None
    raise Unavailable(reason) from None
