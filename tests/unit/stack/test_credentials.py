"""The key of the stack's own tenant: kept while it is good, replaced when it is not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import boto3
import pytest
from moto import mock_aws

from cognis_local.stack.credentials import TENANT, working_key
from cognis_memory.adapters.dynamodb.credentials import DynamoCredentialStore, credential_table_definition
from cognis_memory.services.credentials import authenticate

NOW = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture
def store() -> Iterator[DynamoCredentialStore]:
    with mock_aws():
        client = boto3.client("dynamodb", region_name="us-east-1")
        client.create_table(**credential_table_definition("credentials"))
        yield DynamoCredentialStore("credentials", client)


def test_a_key_is_kept_while_it_is_good(store: DynamoCredentialStore, tmp_path: Path) -> None:
    file = tmp_path / "credentials.json"
    key = working_key(store, file, NOW)
    credential = authenticate(store, key)
    assert credential is not None
    assert (credential.tenant_id, credential.user_id) == (TENANT, None)
    assert working_key(store, file, NOW) == key


def test_a_revoked_or_lost_key_is_replaced(store: DynamoCredentialStore, tmp_path: Path) -> None:
    file = tmp_path / "credentials.json"
    first = working_key(store, file, NOW)
    credential = authenticate(store, first)
    assert credential is not None
    store.revoke_key(credential.key_id)
    second = working_key(store, file, NOW)
    file.unlink()
    third = working_key(store, file, NOW)
    assert len({first, second, third}) == 3
    assert working_key(store, file, NOW) == third


def test_the_stacks_own_tenant_is_let_in_again(store: DynamoCredentialStore, tmp_path: Path) -> None:
    file = tmp_path / "credentials.json"
    working_key(store, file, NOW)
    store.set_tenant_disabled(TENANT, True)
    assert authenticate(store, working_key(store, file, NOW)) is not None
