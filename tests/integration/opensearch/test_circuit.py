"""While the cluster is down requests fail at once, and threads never wait for each other."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

import pytest
from scripted_node import ScriptedNode, Step, answering, late

from cognis_memory.adapters.opensearch import OpenSearchConnection
from cognis_memory.errors import CognisError, IndexRefused, IndexUnavailable

Script: TypeAlias = tuple[ScriptedNode, str]

FAILURES = 3
PAUSE_SECONDS = 5.0
AT_ONCE_SECONDS = 0.05
DOWN = answering(503)
BLOCKED = answering(403, {"error": {"type": "cluster_block_exception"}, "status": 403})
ABSENT = answering(404, {"error": {"type": "index_not_found_exception"}, "status": 404})


@pytest.fixture
def connection(script: Script) -> Iterator[OpenSearchConnection]:
    """To the scripted node, without retries of its own."""
    opened = OpenSearchConnection(script[1], retries=0, read_seconds=3)
    yield opened
    opened.close()


def ask(connection: OpenSearchConnection) -> None:
    connection.request("GET", "/_cluster/health")


def fails(connection: OpenSearchConnection, error: type[CognisError] = IndexUnavailable) -> float:
    """Asks once, which has to fail; the seconds that it took."""
    started = time.perf_counter()
    with pytest.raises(error):
        ask(connection)
    return time.perf_counter() - started


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


def test_after_three_failures_requests_fail_at_once_and_the_node_is_left_alone(
    script: Script, connection: OpenSearchConnection
) -> None:
    script[0].plan("/_cluster/health", *[DOWN] * 100)
    for _ in range(FAILURES):
        fails(connection)
    taken = [fails(connection) for _ in range(20)]

    assert max(taken) < AT_ONCE_SECONDS
    assert len(script[0].planned) == FAILURES


def test_after_the_pause_one_request_tries_and_an_answer_closes_the_circuit(
    script: Script, connection: OpenSearchConnection
) -> None:
    script[0].plan("/_cluster/health", *[DOWN] * FAILURES, late(1.0))
    for _ in range(FAILURES):
        fails(connection)
    time.sleep(PAUSE_SECONDS)

    with ThreadPoolExecutor(1) as thread:
        trial = thread.submit(ask, connection)
        time.sleep(0.3)
        assert fails(connection) < AT_ONCE_SECONDS
        trial.result()
    for _ in range(10):
        ask(connection)


def test_a_try_that_fails_leaves_it_open(script: Script, connection: OpenSearchConnection) -> None:
    script[0].plan("/_cluster/health", *[DOWN] * 100)
    for _ in range(FAILURES):
        fails(connection)
    time.sleep(PAUSE_SECONDS)
    fails(connection)
    taken = [fails(connection) for _ in range(5)]

    assert max(taken) < AT_ONCE_SECONDS
    assert len(script[0].planned) == FAILURES + 1


def test_a_cluster_out_of_reach_opens_it_too() -> None:
    connection = OpenSearchConnection(f"http://127.0.0.1:{closed_port()}")
    for _ in range(FAILURES):
        fails(connection)
    assert fails(connection) < AT_ONCE_SECONDS
    connection.close()


def test_failures_count_in_a_row(script: Script, connection: OpenSearchConnection) -> None:
    script[0].plan("/_cluster/health", DOWN, DOWN, late(0), DOWN, DOWN)
    for _ in range(2):
        for _ in range(FAILURES - 1):
            fails(connection)
        ask(connection)


@pytest.mark.parametrize(
    ("step", "error"),
    [(answering(400), IndexRefused), (BLOCKED, IndexUnavailable), (ABSENT, IndexUnavailable)],
    ids=["refused", "blocked", "absent"],
)
def test_answers_that_say_no_are_answers(
    script: Script, connection: OpenSearchConnection, step: Step, error: type[CognisError]
) -> None:
    """Writes to an index that is being moved, for one, must not keep searches from it."""
    script[0].plan("/_cluster/health", *[step] * 10)
    for _ in range(10):
        fails(connection, error)
    ask(connection)


def test_slow_answers_hold_up_no_other_thread(script: Script, connection: OpenSearchConnection) -> None:
    script[0].plan("/_cluster/health", *[late(1.0)] * 4)
    started = time.perf_counter()
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(ask, [connection] * 4))

    assert time.perf_counter() - started < 2.5
