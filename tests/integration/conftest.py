"""Deployments on the engines of one machine, on stand-ins for those of AWS, and on an OpenSearch node."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from aws_engines import create_stores
from deployment import Deployment
from engines import describe, open_deployment
from moto import mock_aws
from search_indexes import index_on


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


@pytest.fixture
def opensearch_deployment(tmp_path: Path, opensearch_node: str) -> Iterator[Deployment]:
    """SQLite, folders and an index of its own on the run's node."""
    with index_on(opensearch_node) as made:
        opened = open_deployment(describe(tmp_path, node=opensearch_node, index=made.names.base))
        yield opened
        opened.close()


@pytest.fixture(
    params=["deployment", "aws_deployment", "opensearch_deployment"], ids=["local", "aws", "opensearch"]
)
def any_deployment(request: pytest.FixtureRequest) -> Deployment:
    """One after the other."""
    opened: Deployment = request.getfixturevalue(request.param)
    return opened
