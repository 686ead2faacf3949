"""The OpenSearch nodes of tests: one that all workers of a run share, and such as a test may kill."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from cognis_local.opensearch.distribution import missing_tools
from cognis_local.opensearch.node import Node, ensure_node, is_running, running_node, stop_node
from cognis_local.opensearch.releases import DEFAULT_LINE

HEAP: Final = "512m"
QUICK: Final = ("-XX:TieredStopAtLevel=1",)
"""Compiles once and not too well: half the time of a start went into compiling it better."""

REQUIRE_ALL: Final = ("CI", "COGNIS_REQUIRE_ALL")
"""Environment variables of which one that is set turns a skip into a failure."""

_NEED: Final = "they need an OpenSearch node"
_WORKER: Final = "PYTEST_XDIST_WORKER"
_END_SECONDS: Final = 30.0
_POLL_SECONDS: Final = 0.02


class OwnNode:
    """A node of a test's own, on a folder that outlives its ends."""

    def __init__(self, folder: Path, line: str) -> None:
        self.folder = folder
        self.line = line
        self.node = self.start()

    @property
    def url(self) -> str:
        """The same before and after a restart."""
        return self.node.url

    def start(self) -> Node:
        """Starts it, again or for the first time, and waits until it is ready."""
        self.node = ensure_node(
            self.folder, line=self.line, heap=HEAP, java_options=QUICK, end_with=os.getpid()
        )
        return self.node

    def kill(self) -> None:
        """Ends it as a loss of power does to its process; returns once it is gone."""
        kill_node(self.folder)

    def stop(self) -> None:
        """Ends it in order."""
        stop_node(self.folder)


def kill_node(folder: Path) -> None:
    """Kills the folder's node (SIGKILL) and waits until it is gone."""
    node = running_node(folder)
    assert node is not None
    os.kill(node.pid, signal.SIGKILL)
    wait_until_ended(folder)


def wait_until_ended(folder: Path) -> None:
    """Until no node lives on the folder, which must come to pass in 30 s."""
    deadline = time.monotonic() + _END_SECONDS
    while is_running(folder):
        assert time.monotonic() < deadline, f"the node of {folder} does not end"
        time.sleep(_POLL_SECONDS)


def shared_node_url(temporary: pytest.TempPathFactory) -> str:
    """The URL of the run's node, which the first worker to ask starts; it ends with the run at the latest."""
    require_tools(DEFAULT_LINE)
    return ensure_node(_shared_folder(temporary), heap=HEAP, java_options=QUICK, end_with=_controller()).url


def stop_shared_node(temporary: pytest.TempPathFactory) -> None:
    """Ends the run's node, if any test asked for it, and removes its data. For the controller."""
    folder = _shared_folder(temporary)
    if folder.exists():
        stop_node(folder, wipe=True)


@contextmanager
def own_node(folder: Path, line: str = DEFAULT_LINE) -> Iterator[OwnNode]:
    """A node that is stopped with the block, whatever the test did to it, and its data removed."""
    require_tools(line)
    try:
        yield OwnNode(folder, line)
    finally:
        stop_node(folder, wipe=True)


def write_skips(terminal: pytest.TerminalReporter) -> None:
    """One line on all tests that were skipped because no node can run; none where there are no such."""
    reports = (report for report in terminal.stats.get("skipped", ()) if isinstance(report.longrepr, tuple))
    reasons = Counter(report.longrepr[2] for report in reports)
    for reason, count in reasons.items():
        if _NEED in reason:
            terminal.write_line(f"{count} tests did NOT run: {reason.removeprefix('Skipped: ')}", yellow=True)


def require_tools(line: str) -> None:
    """Skips the test where no node can run; fails it instead where nothing may be skipped."""
    missing = missing_tools(line)
    if missing is None:
        return
    reason = f"{_NEED}, and there is {missing}"
    demanded = [name for name in REQUIRE_ALL if os.environ.get(name)]
    if demanded:
        pytest.fail(f"{reason}; {demanded[0]} is set, so that nothing may be skipped", pytrace=False)
    pytest.skip(reason)


def _shared_folder(temporary: pytest.TempPathFactory) -> Path:
    """Each worker's temporary folder is one in the controller's."""
    base = temporary.getbasetemp()
    return (base.parent if _WORKER in os.environ else base) / "opensearch"


def _controller() -> int:
    """The process that runs the tests, or has its workers do so."""
    return os.getppid() if _WORKER in os.environ else os.getpid()
