"""Fills an index as fast as two processes can, by the adapter's own bodies and writer."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np

from cognis_memory.adapters.opensearch import (
    IndexNames,
    IndexSettings,
    OpenSearchConnection,
)
from cognis_memory.adapters.opensearch.bulk import BulkWriter, Item, item
from cognis_memory.adapters.opensearch.catalog import IndexCatalog
from cognis_memory.adapters.opensearch.documents import document_body, document_key
from cognis_memory.adapters.opensearch.generations import OwnerRecords
from cognis_memory.domain.owner_keys import owner_key
from opensearch_bench.corpus import Corpus, User

MODEL: Final = "bench"
_PROCESSES: Final = 2
_BATCH: Final = 5_000
_LATE_SECONDS: Final = 300.0
_POLL_SECONDS: Final = 2.0
_QUIET_POLLS: Final = 3


@dataclass(frozen=True, slots=True)
class Load:
    """What the writers of one index need to know."""

    endpoint: str
    names: IndexNames
    full_graph: bool


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds until all was written, and those that the node then spent on merging segments."""

    writing: float
    merging: float


def build(load: Load, users: Sequence[User], settings: IndexSettings, *, merge_to_one: bool) -> Times:
    """Makes the index and fills it. While it is written to it is not refreshed, nor synced to disk."""
    connection = OpenSearchConnection(load.endpoint, read_seconds=_LATE_SECONDS)
    catalog = IndexCatalog(connection, load.names)
    name = catalog.create(settings, MODEL)
    catalog.lead_to(name)
    for_loading = {
        "refresh_interval": "-1",
        "translog.durability": "async",
        "translog.flush_threshold_size": "4gb",
    }
    connection.request("PUT", f"/{name}/_settings", {"index": for_loading})
    started = time.perf_counter()
    shares = [(load, users[process::_PROCESSES], process) for process in range(_PROCESSES)]
    with multiprocessing.get_context("spawn").Pool(_PROCESSES) as pool:
        pool.starmap(_write, shares)
    connection.request("POST", f"/{name}/_refresh", seconds=_LATE_SECONDS)
    written = time.perf_counter()
    as_made = {**dict.fromkeys(for_loading), "refresh_interval": f"{settings.refresh_seconds:g}s"}
    connection.request("PUT", f"/{name}/_settings", {"index": as_made})
    connection.request("POST", f"/{name}/_flush", seconds=_LATE_SECONDS)
    if merge_to_one:
        params = {"max_num_segments": "1", "wait_for_completion": "false"}
        connection.request("POST", f"/{name}/_forcemerge", params=params, seconds=_LATE_SECONDS)
    _wait_for_merges(connection, name)
    connection.close()
    return Times(written - started, time.perf_counter() - written)


def _wait_for_merges(connection: OpenSearchConnection, name: str) -> None:
    """Until none was under way for a while."""
    quiet = 0
    while quiet < _QUIET_POLLS:
        time.sleep(_POLL_SECONDS)
        merges = connection.request("GET", f"/{name}/_stats/merge")["_all"]["primaries"]["merges"]
        quiet = 0 if merges["current"] else quiet + 1


def _write(load: Load, users: Sequence[User], seed: int) -> None:
    connection = OpenSearchConnection(load.endpoint, read_seconds=_LATE_SECONDS)
    records = OwnerRecords(connection, load.names, MODEL)
    generations = [records.opened(user.owner) for user in users]
    items = _items(users, generations, seed, full_graph=load.full_graph)
    writer = BulkWriter(connection, load.names.write)
    while batch := list(islice(items, _BATCH)):
        writer.write(batch, refresh=False)
    connection.close()


def _items(
    users: Sequence[User], generations: Sequence[str], seed: int, *, full_graph: bool
) -> Iterator[Item]:
    """The users' documents in turns, as users write: those of one lie apart from one another."""
    corpus = Corpus()
    sources = [corpus.documents(user) for user in users]
    turns = np.repeat(np.arange(len(users)), [user.size for user in users])
    np.random.default_rng(seed).shuffle(turns)
    for turn in turns.tolist():
        owner, generation, document = users[turn].owner, generations[turn], next(sources[turn])
        action = {
            "_id": document_key(owner, generation, document.id),
            "routing": owner_key(owner),
            "version": document.revision,
            "version_type": "external",
        }
        body = document_body(owner, generation, MODEL, document, full_graph=full_graph)
        yield item({"index": action}, body)
