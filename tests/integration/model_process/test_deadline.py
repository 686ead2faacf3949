"""Requests to a server of this machine, and to OpenSearch, end with the invocation they belong to."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable

import pytest
from hanging_server import hanging_server

from cognis_memory.adapters.model_server import HttpTransport
from cognis_memory.adapters.model_server.errors import Unavailable
from cognis_memory.adapters.opensearch import OpenSearchConnection
from cognis_memory.deadline import within
from cognis_memory.errors import DeadlineExceeded, IndexUnavailable

Ask = Callable[[str], object]

ASK: dict[str, Ask] = {
    "model server": lambda url: HttpTransport(url).post("/embed", b"{}"),
    "opensearch": lambda url: OpenSearchConnection(url).request("GET", "/"),
    "opensearch, slow": lambda url: OpenSearchConnection(url).request("GET", "/", seconds=60),
}


@pytest.mark.parametrize("asked", ASK)
def test_a_server_that_hangs_is_waited_for_until_the_deadline(asked: str) -> None:
    with hanging_server() as url, within(0.5):
        started = time.monotonic()
        with pytest.raises((Unavailable, IndexUnavailable)):
            ASK[asked](url)
        waited = time.monotonic() - started

    assert 0.4 < waited < 2


@pytest.mark.parametrize("asked", ASK)
def test_after_the_deadline_nothing_is_asked(asked: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        with within(0), pytest.raises((DeadlineExceeded, Unavailable)):
            ASK[asked](url)
        with pytest.raises(TimeoutError):
            server.accept()


def test_a_node_that_had_no_time_to_answer_is_not_taken_for_dead() -> None:
    """Three answers that do not come open its circuit."""
    with hanging_server() as url:
        connection = OpenSearchConnection(url, retries=0)
        for _ in range(4):
            with within(0.05), pytest.raises(IndexUnavailable, match="no answer"):
                connection.request("GET", "/")
