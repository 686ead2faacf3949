"""A bucket and its client, in a simulated S3."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from cognis_memory.adapters.shards import FolderShardStore, ShardStore
from cognis_memory.adapters.shards.file_cache import FileCache
from cognis_memory.adapters.shards.s3 import S3ShardStore


@pytest.fixture(scope="module")
def s3_client() -> Iterator[Any]:
    with mock_aws():
        yield boto3.client(
            "s3", region_name="us-east-1", aws_access_key_id="testing", aws_secret_access_key="testing"
        )


@pytest.fixture
def bucket(s3_client: Any) -> str:
    name = f"shards-{uuid.uuid4()}"
    s3_client.create_bucket(Bucket=name)
    return name


@pytest.fixture
def cache(tmp_path: Path) -> FileCache:
    return FileCache(tmp_path / "cache", max_bytes=10_000_000)


@pytest.fixture
def s3_store(s3_client: Any, bucket: str, cache: FileCache) -> S3ShardStore:
    return S3ShardStore(s3_client, bucket, cache, prefix="shards/")


@pytest.fixture
def folder_store(tmp_path: Path) -> FolderShardStore:
    return FolderShardStore(tmp_path / "shards")


@pytest.fixture(params=["folder_store", "s3_store"])
def store(request: pytest.FixtureRequest) -> ShardStore:
    opened: ShardStore = request.getfixturevalue(request.param)
    return opened
