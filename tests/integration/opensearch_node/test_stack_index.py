"""The index that the local stack makes in its node."""

from __future__ import annotations

import pytest
from opensearch_node import OwnNode

from cognis_local.models.identity import embedder_model_id
from cognis_local.stack.search import prepare_index
from cognis_memory.adapters.opensearch import IndexNames, OpenSearchConnection
from cognis_memory.adapters.opensearch.catalog import IndexCatalog

pytestmark = pytest.mark.xdist_group("opensearch_launcher")


def test_it_is_made_once_and_anew_when_it_is_stale(node: OwnNode) -> None:
    connection = OpenSearchConnection(node.url)
    catalog = IndexCatalog(connection, IndexNames())
    prepare_index(node.url, anew=False)
    first = catalog.in_use()
    assert first is not None
    assert (first.read, first.meta["model_id"]) == (True, embedder_model_id())
    connection.request("PUT", f"/{first.name}/_settings", {"index.max_result_window": 123})
    prepare_index(node.url, anew=False)
    assert "123" in str(connection.request("GET", f"/{first.name}/_settings"))
    prepare_index(node.url, anew=True)
    assert [version.read and version.write for version in catalog.versions()] == [True]
    assert "123" not in str(connection.request("GET", f"/{IndexNames().write}/_settings"))
    connection.close()
