"""The engines under test. Another engine is one more fixture `<name>_ledger` and its name in `ENGINES`."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from cognis_memory.adapters.dynamodb.ledger import DynamoLedger
from cognis_memory.adapters.dynamodb.schema import table_definition
from cognis_memory.adapters.sqlite import SqliteLedger
from cognis_memory.ports import Ledger

ENGINES = ("sqlite", "dynamodb")


@pytest.fixture(params=ENGINES)
def ledger(request: pytest.FixtureRequest) -> Ledger:
    opened: Ledger = request.getfixturevalue(f"{request.param}_ledger")
    return opened


@pytest.fixture
def sqlite_ledger(tmp_path: Path) -> Iterator[SqliteLedger]:
    with SqliteLedger(tmp_path / "ledger.sqlite") as opened:
        yield opened


class OneCallAtATime:
    """A client whose calls do not overlap: what DynamoDB does for each request, moto does not for threads.

    Between the calls of one thread those of another can still come, which is what the tests are after.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)

        def call(**arguments: Any) -> Any:
            with self._lock:
                return method(**arguments)

        return call


@pytest.fixture(scope="module")
def dynamodb_client() -> Iterator[Any]:
    with mock_aws():
        yield OneCallAtATime(
            boto3.client(
                "dynamodb",
                region_name="eu-central-1",
                aws_access_key_id="testing",
                aws_secret_access_key="testing",
            )
        )


@pytest.fixture
def dynamodb_table(dynamodb_client: Any) -> str:
    name = f"ledger-{uuid.uuid4()}"
    dynamodb_client.create_table(**table_definition(name))
    return name


@pytest.fixture
def dynamodb_ledger(dynamodb_client: Any, dynamodb_table: str) -> DynamoLedger:
    return DynamoLedger(dynamodb_table, dynamodb_client)
