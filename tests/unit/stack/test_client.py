"""The API's client: it waits for events, repeats what may pass, remembers what was ingested."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from cognis_local.stack.client import ApiMemory
from cognis_local.stack.errors import StackError
from cognis_memory.errors import InvalidInput, NotFound
from cognis_memory.models.event import EventStatus

MESSAGES = [{"role": "user", "content": "I moved to Osaka."}]


def event(status: str) -> dict[str, Any]:
    return {
        "event_id": "evt_1",
        "user_id": "ana",
        "status": status,
        "stage": None,
        "messages": [],
        "operations": [],
        "notices": [],
        "usage": {},
        "counts": {},
        "error": None,
        "created_at": "2026-01-01T00:00:00Z",
        "completed_at": None,
    }


class Api:
    """Answers each route with the next of its answers, the last again and again; keeps what was asked."""

    def __init__(self) -> None:
        self.answers: dict[str, list[tuple[int, dict[str, Any]]]] = {}
        self.asked: list[tuple[str, dict[str, str], Any]] = []

    def answer(self, route: str, *answers: tuple[int, dict[str, Any]]) -> None:
        self.answers[route] = list(answers)

    def respond(self, route: str, headers: dict[str, str], body: Any) -> tuple[int, dict[str, Any]]:
        self.asked.append((route, headers, body))
        waiting = self.answers[route]
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]

    def count(self, route: str) -> int:
        return sum(asked == route for asked, _, _ in self.asked)


def handler_of(api: Api) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            route = f"{self.command} {self.path}"
            status, answer = api.respond(route, dict(self.headers), json.loads(sent) if sent else None)
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = _serve  # noqa: N815 - the server's names

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


@pytest.fixture
def api() -> Api:
    return Api()


@pytest.fixture
def memory(api: Api, tmp_path: Path) -> Iterator[Callable[[], ApiMemory]]:
    """Opens a client of the API, each on the same journal."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler_of(api)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        yield lambda: ApiMemory(url, "cgn_key", tmp_path / "journal.json")
        server.shutdown()


Open = Callable[[], ApiMemory]


def test_an_event_is_waited_for(api: Api, memory: Open) -> None:
    api.answer("POST /v1/memories", (202, {"event_id": "evt_1"}))
    api.answer("GET /v1/events/evt_1", *((200, event(s)) for s in ("PENDING", "RUNNING", "SUCCEEDED")))
    ended = memory().add("ana", MESSAGES, context_id="c", timezone="Asia/Tokyo", idempotency_key="k")
    assert ended.status is EventStatus.SUCCEEDED
    _, headers, body = api.asked[0]
    assert (headers["X-Api-Key"], headers["Idempotency-Key"]) == ("cgn_key", "k")
    expected = {"user_id": "ana", "messages": MESSAGES, "context_id": "c", "timezone": "Asia/Tokyo"}
    assert body == expected


def test_what_was_ingested_is_not_sent_again_by_a_later_client(api: Api, memory: Open) -> None:
    api.answer("POST /v1/memories", (202, {"event_id": "evt_1"}))
    api.answer("GET /v1/events/evt_1", (200, event("SUCCEEDED")))
    first = memory().add("ana", MESSAGES, idempotency_key="k")
    assert memory().add("ana", MESSAGES, idempotency_key="k") == first
    assert api.count("POST /v1/memories") == 1
    memory().add("ana", MESSAGES, idempotency_key="other")
    assert api.count("POST /v1/memories") == 2


def test_an_event_that_is_gone_is_sent_again(api: Api, memory: Open) -> None:
    api.answer("POST /v1/memories", (202, {"event_id": "evt_1"}))
    succeeded = (200, event("SUCCEEDED"))
    api.answer("GET /v1/events/evt_1", succeeded, (404, {"detail": "gone"}), succeeded)
    memory().add("ana", MESSAGES, idempotency_key="k")
    memory().add("ana", MESSAGES, idempotency_key="k")
    assert api.count("POST /v1/memories") == 2


def test_a_failed_event_is_returned_and_not_remembered(api: Api, memory: Open) -> None:
    api.answer("POST /v1/memories", (202, {"event_id": "evt_1"}))
    api.answer("GET /v1/events/evt_1", (200, event("FAILED")))
    assert memory().add("ana", MESSAGES, idempotency_key="k").status is EventStatus.FAILED
    memory().add("ana", MESSAGES, idempotency_key="k")
    assert api.count("POST /v1/memories") == 2


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_what_fails_for_the_moment_is_repeated(api: Api, memory: Open, status: int) -> None:
    found = {"results": [], "query": {"temporal": False, "window": None, "history": False, "language": "en"},
             "request_id": "r"}  # fmt: skip
    api.answer("POST /v1/memories/search", (status, {}), (status, {}), (200, found))
    moment = datetime(2026, 7, 15, tzinfo=UTC)
    answer = memory().search("ana", "where?", top_k=3, as_of=None, reference_time=moment)
    assert answer.request_id == "r"
    expected = {"user_id": "ana", "query": "where?", "top_k": 3, "reference_time": "2026-07-15T00:00:00Z"}
    assert [body for _, _, body in api.asked] == [expected] * 3


@pytest.mark.parametrize(("status", "error"), [(400, InvalidInput), (404, NotFound), (503, StackError)])
def test_a_refusal_carries_the_problems_detail(
    api: Api, memory: Open, status: int, error: type[Exception]
) -> None:
    api.answer("POST /v1/memories/search", (status, {"detail": "this is why"}))
    with pytest.raises(error, match="this is why"):
        memory().search("ana", "where?")


def test_an_api_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StackError, match=r"127\.0\.0\.1:1 does not answer"):
        ApiMemory("http://127.0.0.1:1", "k", tmp_path / "journal.json").search("ana", "where?")
