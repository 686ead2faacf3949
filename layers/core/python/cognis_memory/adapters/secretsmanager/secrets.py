"""Reads secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cognis_memory.adapters.aws.errors import translated_errors
from cognis_memory.errors import SecretUnavailable

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager import SecretsManagerClient


def read_secret(client: SecretsManagerClient, arn: str) -> bytes:
    """The secret's text, in UTF-8. Raises SecretUnavailable, or PermanentError for what is refused."""
    with translated_errors("GetSecretValue", SecretUnavailable):
        return client.get_secret_value(SecretId=arn)["SecretString"].encode()
