"""Secrets, and what is said when they cannot be read."""

from __future__ import annotations

import boto3
import pytest
from botocore.stub import Stubber

from cognis_memory.adapters.secretsmanager import read_secret
from cognis_memory.errors import PermanentError, SecretUnavailable

ARN = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:log-key-a1b2c3"


@pytest.mark.parametrize(
    ("code", "status", "error"),
    [
        ("ThrottlingException", 400, SecretUnavailable),
        ("InternalServiceError", 500, SecretUnavailable),
        ("AccessDeniedException", 400, PermanentError),
        ("ResourceNotFoundException", 400, PermanentError),
    ],
)
def test_faults_become_errors_of_ours(code: str, status: int, error: type[Exception]) -> None:
    client = boto3.client(
        "secretsmanager", region_name="eu-central-1", aws_access_key_id="x", aws_secret_access_key="x"
    )
    with Stubber(client) as stub:
        stub.add_client_error("get_secret_value", code, http_status_code=status)
        with pytest.raises(error, match=f"GetSecretValue.*{code}"):
            read_secret(client, ARN)


def test_a_secret_is_its_text_in_utf_8() -> None:
    client = boto3.client(
        "secretsmanager", region_name="eu-central-1", aws_access_key_id="x", aws_secret_access_key="x"
    )
    with Stubber(client) as stub:
        stub.add_response("get_secret_value", {"SecretString": "鍵"}, {"SecretId": ARN})
        assert read_secret(client, ARN) == "鍵".encode()
