"""The engines under test: DynamoDB, and the one in memory that other tests stand on."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import boto3
import pytest
from credential_store import MemoryCredentialStore
from moto import mock_aws

from cognis_memory.adapters.dynamodb.credentials import DynamoCredentialStore, credential_table_definition
from cognis_memory.ports import CredentialStore


@pytest.fixture(params=["memory", "dynamodb"])
def store(request: pytest.FixtureRequest) -> CredentialStore:
    opened: CredentialStore = request.getfixturevalue(f"{request.param}_store")
    return opened


@pytest.fixture
def memory_store() -> MemoryCredentialStore:
    return MemoryCredentialStore()


@pytest.fixture
def dynamodb_store() -> Iterator[DynamoCredentialStore]:
    with mock_aws():
        client = boto3.client(
            "dynamodb",
            region_name="eu-central-1",
            aws_access_key_id="testing",
            aws_secret_access_key="testing",
        )
        name = f"credentials-{uuid.uuid4()}"
        client.create_table(**credential_table_definition(name))
        yield DynamoCredentialStore(name, client)
