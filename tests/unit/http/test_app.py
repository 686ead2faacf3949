"""What every function that serves HTTP does, whatever its routes answer."""

from __future__ import annotations

from typing import Any

import pytest
from api_gateway import Gateway, proxy_event

from cognis_memory.errors import InvalidInput
from cognis_memory.runtime.http.app import MAX_ANSWER_BYTES, create_app
from cognis_memory.runtime.http.calls import Call, Reply
from cognis_memory.runtime.http.routes import ROUTES

NAMES = [route.name for route in ROUTES if route.function == "retrieve"]


def serve(answer: Any) -> Gateway:
    """A function all of whose routes do the same."""

    def handler(call: Call[Any, Any]) -> Reply:
        return Reply(answer(call) if callable(answer) else answer)

    function = create_app("retrieve", dict.fromkeys(NAMES, handler))
    return Gateway({"retrieve": function}, authorizer=lambda event, context: {})


def test_every_answer_carries_the_gateways_request_id() -> None:
    gateway = serve("{}")
    event = proxy_event("GET", "/v1/health")
    event["requestContext"]["requestId"] = "r-42"

    assert gateway.invoke("retrieve", event).headers["X-Request-Id"] == "r-42"
    assert (
        gateway.invoke("retrieve", event | {"resource": "/x", "path": "/x"}).headers["X-Request-Id"] == "r-42"
    )


def test_answers_are_for_nobodys_cache() -> None:
    assert serve("{}").call("GET", "/v1/health").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("character", ["x", "あ", '"', "\n"])
def test_an_answer_that_lambda_cannot_give_is_refused(character: str) -> None:
    """The limit counts bytes after the body became a JSON string, in which quotes and newlines take two."""
    width = {"x": 1, "あ": 3, '"': 2, "\n": 2}[character]
    fits = (MAX_ANSWER_BYTES - 2) // width

    assert serve(character * fits).call("GET", "/v1/health").status == 200
    assert serve(character * (fits + 1)).call("GET", "/v1/health").status == 413


def test_parameters_reach_the_route_decoded() -> None:
    seen: list[Any] = []
    gateway = serve(lambda call: seen.append(dict(call.path)) or "{}")
    event = proxy_event(
        "GET", "/v1/memories/%E3%81%82%2Fb?user_id=u", authorizer={"tenant_id": "t", "key_id": "k"}
    )

    assert gateway.invoke("retrieve", event).status == 200
    assert seen == [{"memory_id": "あ/b"}]


def test_a_custom_domains_base_path_is_no_part_of_the_route() -> None:
    event = proxy_event("GET", "/v1/health") | {"path": "/memory/v1/health"}

    assert serve("{}").invoke("retrieve", event).status == 200


def test_each_request_stands_alone() -> None:
    """A fault leaves nothing behind for the next request of the same process."""

    def answer(call: Call[Any, Any]) -> str:
        if call.path.get("memory_id") == "bad":
            raise InvalidInput("bad")
        return "{}"

    gateway = serve(answer)
    credential = {"tenant_id": "t", "key_id": "k"}
    good, bad = (
        proxy_event("GET", f"/v1/memories/{id_}?user_id=u", authorizer=credential) for id_ in ("good", "bad")
    )

    assert [gateway.invoke("retrieve", event).status for event in (good, bad, good)] == [200, 400, 200]
