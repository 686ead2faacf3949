"""Indexes of a test's own on a node that it shares with others."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from fakes import NOW, HashEmbedder

from cognis_memory.adapters.opensearch import (
    IndexNames,
    IndexSettings,
    OpenSearchConnection,
    OpenSearchIndex,
)
from cognis_memory.adapters.opensearch.catalog import IndexCatalog
from cognis_memory.domain.filters import EVERYTHING
from cognis_memory.domain.matryoshka import normalise
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import FloatVector, Kind, Owner
from cognis_memory.ports import KeywordIndex

MODEL: Final = HashEmbedder().model_id
QUICK: Final = IndexSettings(shards=1, refresh_seconds=0.02)
"""Writes wait 20 ms until they can be found."""

ANA: Final = Owner("acme", "ana")


@dataclass(frozen=True, slots=True)
class NodeIndex:
    """An index that exists while the block around it runs; `connection` is to the node itself."""

    node: str
    names: IndexNames
    connection: OpenSearchConnection

    def through(self, connection: OpenSearchConnection) -> OpenSearchIndex:
        """The index as a process with that connection has it."""
        return OpenSearchIndex(connection, MODEL, names=self.names)

    def open(self) -> OpenSearchIndex:
        return self.through(self.connection)


@contextmanager
def index_on(node: str, settings: IndexSettings = QUICK) -> Iterator[NodeIndex]:
    """An empty index behind its aliases, removed with the block."""
    connection = OpenSearchConnection(node)
    names = IndexNames(f"test-{uuid.uuid4().hex}")
    catalog = IndexCatalog(connection, names)
    catalog.lead_to(catalog.create(settings, MODEL))
    try:
        yield NodeIndex(node, names, connection)
    finally:
        for version in catalog.versions():
            catalog.delete(version.name)
        connection.close()


def vector(number: int) -> FloatVector:
    """A unit vector of 768 components that depends on the number alone."""
    return normalise(np.random.default_rng(number).standard_normal(768))


def document(number: int, text: str = "", **changes: Any) -> IndexDocument:
    """A current memory about place `number`."""
    values: dict[str, Any] = {
        "id": f"mem_{number:05d}",
        "kind": Kind.MEMORY,
        "text": text or f"Ana has been to place {number}.",
        "vector": vector(number),
        "revision": 1,
        "timestamp": NOW,
        "created_at": NOW,
        "valid_from": NOW,
    }
    return IndexDocument(**(values | changes))


def documents(*numbers: int) -> list[IndexDocument]:
    return [document(number) for number in numbers]


def ids(*numbers: int) -> set[str]:
    return {document(number).id for number in numbers}


def found(index: KeywordIndex, word: str = "place", owner: Owner = ANA) -> set[str]:
    """The owner's documents with that word."""
    return {hit.id for hit in index.match(owner, word, filter=EVERYTHING, limit=1_000)}
