"""A dependency that hangs is given up in time to say so."""

from __future__ import annotations

import time
from collections.abc import Iterator

import boto3
import pytest
from hanging_server import hanging_server
from http_api import Api

from cognis_memory.runtime import wiring

SECONDS = 4.0
MARGIN = 0.5
"""Of a function's time for what is no waiting, on a slow machine."""


@pytest.fixture
def stuck_ledger(api: Api, monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    """DynamoDB does not answer any more, once keys have been checked."""
    api.get("/v1/memories?user_id=u")
    with hanging_server() as url:
        client = boto3.client

        def reach(service: str, **options: object) -> object:
            return client(service, endpoint_url=url, **options)  # type: ignore[call-overload]

        monkeypatch.setattr("cognis_memory.adapters.aws.clients.boto3.client", reach)
        wiring.deployment.cache_clear()
        yield api


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/v1/memories?user_id=u", None),
        ("POST", "/v1/memories", {"user_id": "u", "messages": [{"role": "user", "content": "x"}]}),
        ("POST", "/v1/memories/search", {"user_id": "u", "query": "x"}),
        ("DELETE", "/v1/users/u", None),
    ],
)
def test_a_request_ends_before_its_function_does(
    stuck_ledger: Api, monkeypatch: pytest.MonkeyPatch, method: str, path: str, body: object
) -> None:
    monkeypatch.setattr(wiring, "READ_SECONDS", 0.5)
    stuck_ledger.gateway.seconds = SECONDS
    started = time.monotonic()

    answer = stuck_ledger.call(method, path, body)

    assert time.monotonic() - started < SECONDS - MARGIN
    assert answer.status == 503
    assert answer.json["type"] == "urn:cognis:problem:unavailable"
    assert int(answer.headers["Retry-After"]) > 0


def test_no_call_is_begun_that_may_not_end_in_time(stuck_ledger: Api) -> None:
    stuck_ledger.gateway.seconds = 6.0  # less than one attempt may take
    started = time.monotonic()

    answer = stuck_ledger.get("/v1/memories?user_id=u")

    assert answer.status == 503
    assert time.monotonic() - started < wiring.READ_SECONDS
