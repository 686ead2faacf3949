"""Folders of nodes, and a machine without Java."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from opensearch_node import OwnNode, own_node, require_tools

from cognis_local.opensearch.node import stop_node
from cognis_local.opensearch.releases import DEFAULT_LINE


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Where the test starts a node of its own, which is ended for it."""
    require_tools(DEFAULT_LINE)
    yield tmp_path / "node"
    stop_node(tmp_path / "node")


@pytest.fixture
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with neither JDK nor Maven, where nothing was gathered; a folder that is its PATH."""
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("cognis_local.opensearch.jdk.INSTALLED", ())
    return programs


@pytest.fixture(scope="package")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnNode]:
    """A node that no test ends, for all tests here: they are of one group."""
    with own_node(tmp_path_factory.mktemp("own") / "node") as node:
        yield node
