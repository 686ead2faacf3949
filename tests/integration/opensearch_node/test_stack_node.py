"""The node of the local stack: started again when it ends, ended with the stack."""

from __future__ import annotations

from pathlib import Path

import pytest
from opensearch_node import kill_node

from cognis_local.opensearch.node import is_running
from cognis_local.stack.search import OPENSEARCH, SHARDS, running_search_node

pytestmark = pytest.mark.xdist_group("opensearch_launcher")


def test_one_that_ended_is_started_again_until_it_ends_too_soon(folder: Path) -> None:
    said: list[str] = []
    with running_search_node(folder, OPENSEARCH, said.append) as node:
        assert node is not None
        url = node.url
        assert node.keep_up() is None
        assert said == ["Starting the OpenSearch node"]
        kill_node(folder)
        assert node.keep_up() is None
        assert "has ended" in said[-1]
        assert (node.url, is_running(folder)) == (url, True)
        kill_node(folder)
        assert "has ended again; see" in str(node.keep_up())
    assert not is_running(folder)


def test_user_shards_need_none(folder: Path) -> None:
    with running_search_node(folder, SHARDS, print) as node:
        assert node is None
    assert not folder.exists()
