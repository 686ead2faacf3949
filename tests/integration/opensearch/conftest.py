"""Indexes on the run's node, as such and behind a node that a test scripts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from opensearch_node import OwnNode, own_node
from scripted_node import ScriptedNode, scripted
from search_indexes import NodeIndex, index_on


@pytest.fixture
def node_index(opensearch_node: str) -> Iterator[NodeIndex]:
    """An empty index on the run's node."""
    with index_on(opensearch_node) as made:
        yield made


@pytest.fixture
def script(opensearch_node: str) -> Iterator[tuple[ScriptedNode, str]]:
    """A scripted node before the run's node, and its URL."""
    with scripted(opensearch_node) as running:
        yield running


@pytest.fixture(scope="package")
def killable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnNode]:
    """A node that tests may kill: they are of one group."""
    with own_node(tmp_path_factory.mktemp("killable") / "node") as node:
        yield node


@pytest.fixture
def own(killable: OwnNode) -> OwnNode:
    """That node, which runs when the test begins."""
    killable.start()
    return killable
