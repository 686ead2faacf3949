"""What a client sees when something below fails, and what the log says of it."""

from __future__ import annotations

from typing import Any

import pytest
from http_api import Api

from cognis_memory.errors import CognisError, CorruptData, ExecutionUnavailable, LedgerUnavailable
from cognis_memory.runtime.wiring import deployment

SECRET = "ana's diagnosis"
SEARCH = {"user_id": "u", "query": "x"}


class Broken:
    """An engine whose every call raises the same."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __getattr__(self, _: str) -> Any:
        def call(*positional: Any, **named: Any) -> Any:
            raise self._error

        return call


@pytest.mark.parametrize(
    ("method", "url", "body"),
    [
        ("POST", "/v1/memories", {"user_id": "u", "messages": [{"role": "user", "content": "x"}]}),
        ("GET", "/v1/memories?user_id=u", None),
        ("GET", "/v1/events/evt_1", None),
        ("DELETE", "/v1/users/u", None),
    ],
)
def test_a_dependency_that_is_down_is_said_so_with_when_to_try(
    api: Api, monkeypatch: pytest.MonkeyPatch, method: str, url: str, body: Any
) -> None:
    monkeypatch.setattr(deployment(), "ledger", Broken(LedgerUnavailable(f"GetItem: {SECRET}")))
    answer = api.call(method, url, body)

    assert answer.status == 503
    assert answer.json["type"] == "urn:cognis:problem:unavailable"
    assert int(answer.headers["Retry-After"]) > 0
    assert "GetItem" not in answer.body


@pytest.mark.parametrize("error", [ValueError(SECRET), RecursionError(SECRET), KeyError(SECRET)])
def test_the_unforeseen_tells_nothing_and_is_logged_by_kind_and_place(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    monkeypatch.setattr(deployment(), "ledger", Broken(error))
    answer = api.get("/v1/memories?user_id=u")
    (line,) = [vars(record) for record in caplog.records if record.message == "unexpected_error"]

    assert answer.status == 500
    assert answer.json["type"] == "urn:cognis:problem:internal-error"
    assert line["error"] == type(error).__name__
    assert answer.headers["X-Request-Id"] in line["in"]
    assert "test_failures.py" in line["places"][-1]
    assert "diagnosis" not in answer.body
    assert "diagnosis" not in str(line)


@pytest.mark.parametrize("error", [ValueError(SECRET), CorruptData("the vector of mem_1 is cut")])
def test_a_search_that_fails_is_an_internal_error(
    api: Api, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(deployment(), "retrieval", Broken(error))
    answer = api.post("/v1/memories/search", SEARCH)

    assert answer.status == 500
    assert "diagnosis" not in answer.body
    assert "vector" not in answer.body


def test_a_deployment_without_its_settings_says_so_in_the_log_only(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    api.get("/v1/memories?user_id=u")  # the authorizer, a process of its own, has its settings
    monkeypatch.delenv("COGNIS_STAGE")
    deployment.cache_clear()
    answer = api.get("/v1/memories?user_id=u")
    healthy = api.get("/v1/health")
    monkeypatch.setenv("COGNIS_STAGE", "test")
    deployment.cache_clear()

    assert (answer.status, healthy.status) == (500, 200)
    assert "COGNIS_STAGE" not in answer.body
    (line,) = [vars(record) for record in caplog.records if record.message == "request_failed"]
    assert (line["error"], line["detail"]) == ("ConfigurationError", "COGNIS_STAGE is not set")


def test_what_cannot_be_started_now_is_accepted_and_left_to_the_sweep(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken: CognisError = ExecutionUnavailable("StartExecution: ThrottlingException")
    monkeypatch.setattr(deployment(), "starter", Broken(broken))
    body = {"user_id": "later", "messages": [{"role": "user", "content": "My home is Tokyo."}]}
    accepted = api.post("/v1/memories", body)

    assert accepted.status == 202
    assert api.get(accepted.headers["Location"]).json["status"] == "PENDING"
