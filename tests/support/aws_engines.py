"""DynamoDB and S3, or what stands in for them at the endpoint of a description."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import boto3

from cognis_memory.adapters.dynamodb.ledger import DynamoLedger
from cognis_memory.adapters.dynamodb.schema import table_definition
from cognis_memory.adapters.s3 import S3PayloadStore, S3TransferFiles
from cognis_memory.adapters.shards.file_cache import FileCache
from cognis_memory.adapters.shards.s3 import S3ShardStore


def aws_engines(description: dict[str, Any]) -> dict[str, Callable[[], Any]]:
    """What opens the ledger, the shards and the payloads of the description."""
    stores = description["stores"]
    cache = FileCache(Path(description["folder"], "shard-cache"), 10_000_000)
    return {
        "ledger": lambda: DynamoLedger(stores, _client("dynamodb", description)),
        "shards": lambda: S3ShardStore(_client("s3", description), stores, cache, prefix="shards/"),
        "payloads": lambda: S3PayloadStore(stores, _client("s3", description), prefix="payloads/"),
        "files": lambda: S3TransferFiles(stores, _client("s3", description), prefix="transfers/"),
    }


def create_stores(description: dict[str, Any]) -> None:
    """Makes the table and the bucket that the description names."""
    _client("dynamodb", description).create_table(**table_definition(description["stores"]))
    _client("s3", description).create_bucket(Bucket=description["stores"])


def _client(service: Any, description: dict[str, Any]) -> Any:
    return boto3.client(
        service,
        region_name="us-east-1",
        endpoint_url=description["endpoint"],
        aws_access_key_id="testing",
        aws_secret_access_key="testing",
    )
