"""What holds for every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import fault_report
import pytest
from hypothesis import HealthCheck, settings
from opensearch_node import OwnNode, own_node, shared_node_url, stop_shared_node, write_skips

# Shared machines stall at times: a slow example says nothing about the code, and pytest bounds each test.
settings.register_profile("cognis", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("cognis")


def pytest_addoption(parser: pytest.Parser) -> None:
    fault_report.add_option(parser)


@pytest.fixture(scope="session")
def opensearch_node(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of an OpenSearch node that all tests of the run share: each has indices of its own."""
    return shared_node_url(tmp_path_factory)


@pytest.fixture
def own_opensearch_node(tmp_path: Path) -> Iterator[OwnNode]:
    """A node that the test may kill and start again."""
    with own_node(tmp_path / "opensearch") as node:
        yield node


@pytest.hookimpl(trylast=True)  # once the workers have ended
def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        stop_shared_node(session.config._tmp_path_factory)


@pytest.hookimpl(wrapper=True, tryfirst=True)  # below pytest's own summary
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    yield
    fault_report.write_summary(terminalreporter)
    write_skips(terminalreporter)
