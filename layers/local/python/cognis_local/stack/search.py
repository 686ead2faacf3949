"""What the stack searches in: user shards, or an OpenSearch node that it brings up with itself.

The ledger holds everything, an index only what makes it searchable. So an engine that was not in use lacks
what was written meanwhile, and is emptied when it comes into use again; the services then restore each user
from the ledger with the first search or commit.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from cognis_local.models.identity import embedder_model_id
from cognis_local.opensearch.errors import NodeError
from cognis_local.opensearch.folder import NodeFolder
from cognis_local.opensearch.node import Node, ensure_node, is_running, stop_node
from cognis_memory.adapters.opensearch import IndexNames, IndexSettings, OpenSearchConnection
from cognis_memory.adapters.opensearch.catalog import IndexCatalog

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import ObjectIdentifierTypeDef

Search = Literal["shards", "opensearch"]
SHARDS: Final = "shards"
OPENSEARCH: Final = "opensearch"

_HEAP: Final = "512m"
_QUICK: Final = ("-XX:TieredStopAtLevel=1",)
"""Half the time of a start went into compiling better than the memories of one machine need."""

_STEADY_SECONDS: Final = 60.0
"""A node that ends again this soon after a restart would do so for ever."""


class SearchNode:
    """The OpenSearch node of a stack, started with it. `say` is told what takes time or goes wrong."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self._folder = folder
        self._say = say
        self._node = self._start(None)
        self._restarted: float | None = None

    @property
    def url(self) -> str:
        return self._node.url

    def keep_up(self) -> str | None:
        """Starts it again where it has ended, on the same port; why it cannot be kept up, None if it can."""
        if is_running(self._folder):
            return None
        log = NodeFolder(self._folder.absolute()).log
        if self._restarted is not None and time.monotonic() - self._restarted < _STEADY_SECONDS:
            return f"The OpenSearch node has ended again; see {log}."
        self._say(f"The OpenSearch node has ended, see {log}; starting it again")
        try:
            self._node = self._start(int(self.url.rpartition(":")[2]))
        except NodeError as error:
            return str(error)
        self._restarted = time.monotonic()
        return None

    def _start(self, port: int | None) -> Node:
        return ensure_node(
            self._folder, port, heap=_HEAP, java_options=_QUICK, end_with=os.getpid(), say=self._say
        )


@contextmanager
def running_search_node(
    folder: Path, search: Search, say: Callable[[str], None]
) -> Iterator[SearchNode | None]:
    """The node, which ends with the block; None where the stack searches in user shards.

    Raises NodeError with what is in the way.
    """
    if search == SHARDS:
        yield None
        return
    # One that a killed stack left is ending, one that was started by itself would not end with this stack.
    stop_node(folder)
    say("Starting the OpenSearch node")
    try:
        yield SearchNode(folder, say)
    finally:
        stop_node(folder)


def prepare_index(endpoint: str, *, anew: bool) -> None:
    """Sees to it that the node has an index behind its aliases; with `anew` an empty one."""
    connection = OpenSearchConnection(endpoint)
    try:
        catalog = IndexCatalog(connection, IndexNames())
        if catalog.in_use() and not anew:
            return
        for version in catalog.versions():
            catalog.delete(version.name)
        catalog.lead_to(catalog.create(IndexSettings(shards=1), embedder_model_id()))
    finally:
        connection.close()


def empty_shards(s3: S3Client, bucket: str) -> None:
    """Removes every user shard."""
    for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket):
        keys: list[ObjectIdentifierTypeDef] = [{"Key": found["Key"]} for found in page.get("Contents", ())]
        if keys:
            s3.delete_objects(Bucket=bucket, Delete={"Objects": keys})
