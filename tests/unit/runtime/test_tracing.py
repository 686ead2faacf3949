"""Traces as the X-Ray daemon receives them."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

TRACED = """
from cognis_memory.errors import LedgerUnavailable, UnexpectedError
from cognis_memory.runtime.observability import observed

with observed("StoreMessages"):
    pass
for error in (LedgerUnavailable("GetItem: ThrottlingException"), ValueError("My home is Tokyo.")):
    try:
        with observed("ExtractMemories"):
            raise error
    except (LedgerUnavailable, UnexpectedError):
        pass
"""

LAMBDA = {
    "AWS_LAMBDA_FUNCTION_NAME": "cognis",
    "COGNIS_STAGE": "test",
    "LAMBDA_TASK_ROOT": "/var/task",
    "POWERTOOLS_SERVICE_NAME": "traced",
    "_X_AMZN_TRACE_ID": "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1",
}


@pytest.fixture
def daemon() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.settimeout(5)
        yield listening


def run(daemon: socket.socket, **variables: str) -> str:
    """What a Lambda process prints while it works under observation."""
    port = daemon.getsockname()[1]
    environment = {
        **os.environ,
        **LAMBDA,
        "AWS_XRAY_DAEMON_ADDRESS": f"127.0.0.1:{port}",
        "PYTHONPATH": ":".join(sys.path),
        **variables,
    }
    return subprocess.check_output([sys.executable, "-c", TRACED], env=environment, text=True)


def received(daemon: socket.socket) -> dict[str, Any]:
    header, body = daemon.recv(65_536).decode().split("\n", 1)
    assert json.loads(header)["format"] == "json"
    segment: dict[str, Any] = json.loads(body)
    return segment


def test_work_is_traced_by_name_and_its_failures_without_foreign_words(daemon: socket.socket) -> None:
    printed = run(daemon)
    segments = [received(daemon) for _ in range(3)]

    assert [segment["name"] for segment in segments] == [
        "## StoreMessages",
        "## ExtractMemories",
        "## ExtractMemories",
    ]
    causes = [[told["type"] for told in s.get("cause", {}).get("exceptions", [])] for s in segments]
    assert causes == [[], ["LedgerUnavailable"], ["UnexpectedError"]]
    assert "Tokyo" not in f"{segments}{printed}"


def test_nothing_is_sent_where_tracing_is_switched_off(daemon: socket.socket) -> None:
    run(daemon, POWERTOOLS_TRACE_DISABLED="true")
    daemon.setblocking(False)

    with pytest.raises(BlockingIOError):
        daemon.recv(65_536)
