"""The engines under test. Another engine is one more fixture `open_<name>` and its name in `ENGINES`."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from cognis_memory.adapters.opensearch import (
    IndexNames,
    IndexSettings,
    OpenSearchConnection,
    OpenSearchIndex,
)
from cognis_memory.adapters.opensearch.catalog import IndexCatalog
from cognis_memory.adapters.shards import FolderShardStore, UserShards
from cognis_memory.adapters.shards.file_cache import FileCache
from cognis_memory.adapters.shards.s3 import S3ShardStore

from .builders import MODEL, OpenIndex, SearchIndex

ENGINES = ("folder_shards", "split_shards", "s3_shards", "opensearch")


@pytest.fixture(params=ENGINES)
def open_index(request: pytest.FixtureRequest) -> OpenIndex:
    """A new and empty index, to be opened as often as a test needs."""
    opener: OpenIndex = request.getfixturevalue(f"open_{request.param}")
    return opener


@pytest.fixture
def index(open_index: OpenIndex) -> SearchIndex:
    return open_index()


@pytest.fixture
def open_folder_shards(tmp_path: Path) -> OpenIndex:
    def opened(model_id: str = MODEL) -> SearchIndex:
        return UserShards(FolderShardStore(tmp_path), model_id)

    return opened


@pytest.fixture
def open_split_shards(tmp_path: Path) -> OpenIndex:
    """Shards that part into base and head from a few documents on."""

    def opened(model_id: str = MODEL) -> SearchIndex:
        return UserShards(FolderShardStore(tmp_path), model_id, split_at=3, compact_after=4)

    return opened


class OneCallAtATime:
    """A client whose calls do not overlap: moto does not compare and write in one step, as S3 does."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)

        def call(*arguments: Any, **keywords: Any) -> Any:
            with self._lock:
                return method(*arguments, **keywords)

        return call


@pytest.fixture(scope="module")
def s3_client() -> Iterator[Any]:
    with mock_aws():
        yield OneCallAtATime(
            boto3.client(
                "s3",
                region_name="us-east-1",
                aws_access_key_id="testing",
                aws_secret_access_key="testing",
            )
        )


@pytest.fixture
def open_s3_shards(s3_client: Any, tmp_path: Path) -> OpenIndex:
    """Every opening has a cache of its own, as every machine has."""
    bucket = f"shards-{uuid.uuid4()}"
    s3_client.create_bucket(Bucket=bucket)

    def opened(model_id: str = MODEL) -> SearchIndex:
        cache = FileCache(tmp_path / uuid.uuid4().hex, max_bytes=50_000_000)
        return UserShards(S3ShardStore(s3_client, bucket, cache, prefix="shards/"), model_id)

    return opened


@pytest.fixture
def open_opensearch(opensearch_node: str) -> Iterator[OpenIndex]:
    """An index of its own on a running node."""
    connection = OpenSearchConnection(opensearch_node)
    names = IndexNames(f"contract-{uuid.uuid4().hex}")
    catalog = IndexCatalog(connection, names)
    catalog.lead_to(catalog.create(IndexSettings(shards=1, refresh_seconds=0.02), MODEL))

    def opened(model_id: str = MODEL) -> SearchIndex:
        return OpenSearchIndex(connection, model_id, names=names)

    yield opened
    for version in catalog.versions():
        catalog.delete(version.name)
    connection.close()
