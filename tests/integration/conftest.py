"""Deployments on the engines of one machine and on stand-ins for those of AWS."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from aws_engines import create_stores
from deployment import Deployment
from engines import describe, open_deployment
from moto import mock_aws


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    """SQLite and folders."""
    opened = open_deployment(describe(tmp_path))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def shared_deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """SQLite and folders, for modules whose tests only read what a fixture told once."""
    opened = open_deployment(describe(tmp_path_factory.mktemp("shared")))
    yield opened
    opened.close()


@pytest.fixture
def aws_deployment(tmp_path: Path) -> Iterator[Deployment]:
    """DynamoDB and S3."""
    with mock_aws():
        description = describe(tmp_path, ledger="dynamodb", shards="s3", payloads="s3")
        create_stores(description)
        opened = open_deployment(description)
        yield opened
        opened.close()


@pytest.fixture(params=["deployment", "aws_deployment"], ids=["local", "aws"])
def any_deployment(request: pytest.FixtureRequest) -> Deployment:
    """One after the other."""
    opened: Deployment = request.getfixturevalue(request.param)
    return opened
