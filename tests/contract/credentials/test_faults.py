"""What becomes of DynamoDB's errors."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from cognis_memory.adapters.dynamodb.credentials import DynamoCredentialStore
from cognis_memory.errors import CredentialsUnavailable, PermanentError


class Failing:
    """A client whose every call raises the same."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __getattr__(self, _: str) -> Any:
        def call(**arguments: Any) -> Any:
            raise self._error

        return call


def refused(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "the secret"}}, "AnyOperation")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (refused("ThrottlingException"), CredentialsUnavailable),
        (EndpointConnectionError(endpoint_url="https://x"), CredentialsUnavailable),
        (refused("ResourceNotFoundException"), PermanentError),
        (refused("AccessDeniedException"), PermanentError),
    ],
)
def test_faults_are_told_apart_and_quote_nothing(error: Exception, expected: type[Exception]) -> None:
    client: Any = Failing(error)
    store = DynamoCredentialStore("credentials", client)

    for call in (
        lambda: store.get_key("d1"),
        lambda: store.get_tenant("acme"),
        lambda: list(store.tenants()),
        lambda: store.set_tenant_disabled("acme", True),
        lambda: store.revoke_key("key_1"),
    ):
        with pytest.raises(expected) as raised:
            call()
        assert "secret" not in str(raised.value)
