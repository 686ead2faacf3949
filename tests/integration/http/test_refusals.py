"""What the contract refuses: with its status, a problem document, and nothing stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from http_api import Api

MESSAGES = [{"role": "user", "content": "hi"}]
ADD: dict[str, Any] = {"user_id": "u", "messages": MESSAGES}
SEARCH: dict[str, Any] = {"user_id": "u", "query": "x"}
PATCH: dict[str, Any] = {"user_id": "u", "content": "x"}


@pytest.fixture(autouse=True)
def _nothing_is_stored(api: Api) -> Iterator[None]:
    before = api.cloud.stored_items(), len(list(api.cloud.started("ingestion")))
    yield
    assert (api.cloud.stored_items(), len(list(api.cloud.started("ingestion")))) == before


def add(**change: Any) -> dict[str, Any]:
    return {**ADD, **change}


def message(**change: Any) -> dict[str, Any]:
    return add(messages=[{**MESSAGES[0], **change}])


def search(**change: Any) -> dict[str, Any]:
    return {**SEARCH, **change}


BODIES: list[tuple[str, str, Any, str]] = [
    ("POST", "/v1/memories", {"messages": MESSAGES}, "user_id"),
    ("POST", "/v1/memories", {"user_id": "u"}, "messages"),
    ("POST", "/v1/memories", add(user_id=""), "user_id"),
    ("POST", "/v1/memories", add(user_id=5), "user_id"),
    ("POST", "/v1/memories", add(user_id="u" * 257), "user_id"),
    ("POST", "/v1/memories", add(messages=[]), "messages"),
    ("POST", "/v1/memories", add(messages="hi"), "messages"),
    ("POST", "/v1/memories", add(messages=MESSAGES * 501), "messages"),
    ("POST", "/v1/memories", message(role="boss"), "messages[0].role"),
    ("POST", "/v1/memories", message(content=" \n"), "messages[0].content"),
    ("POST", "/v1/memories", message(content="x" * 100_001), "messages[0].content"),
    ("POST", "/v1/memories", message(content="a\x00b"), "messages[0].content"),
    ("POST", "/v1/memories", message(content="\ud800"), "messages[0].content"),
    ("POST", "/v1/memories", message(timestamp="yesterdayish"), "messages[0].timestamp"),
    ("POST", "/v1/memories", message(timestamp="2026-07-08"), "messages[0].timestamp"),
    ("POST", "/v1/memories", message(timestamp="2026-07-08T11:00:00"), "messages[0].timestamp"),
    ("POST", "/v1/memories", message(timestamp=1_752_000_000), "messages[0].timestamp"),
    ("POST", "/v1/memories", message(timestamp="1752000000"), "messages[0].timestamp"),
    ("POST", "/v1/memories", message(timestamp="0001-01-01T00:00:00+14:00"), "messages[0].timestamp"),
    ("POST", "/v1/memories", message(tone="angry"), "messages[0].tone"),
    ("POST", "/v1/memories", add(scope="CONTEXT"), ""),
    ("POST", "/v1/memories", add(scope="user"), "scope"),
    ("POST", "/v1/memories", add(timezone="Mars/Olympus"), "timezone"),
    ("POST", "/v1/memories", add(timezone="../../etc/passwd"), "timezone"),
    ("POST", "/v1/memories", add(infer="yes"), "infer"),
    ("POST", "/v1/memories", add(infer=1), "infer"),
    ("POST", "/v1/memories", add(metadata={"k": "v" * 4_096}), "metadata"),
    ("POST", "/v1/memories", add(metadata={"k": {"deep": 1}}), "metadata.k"),
    ("POST", "/v1/memories", add(metadata={"k": 2**64}), "metadata.k"),
    ("POST", "/v1/memories", add(metadata=[]), "metadata"),
    ("POST", "/v1/memories", add(metadata={"": 1}), "metadata"),
    ("POST", "/v1/memories", add(tenant_id="other"), "tenant_id"),
    ("POST", "/v1/memories", add(tenant="other"), "tenant"),
    ("POST", "/v1/memories", add(color="red"), "color"),
    ("POST", "/v1/memories/search", {"user_id": "u"}, "query"),
    ("POST", "/v1/memories/search", search(query=" "), "query"),
    ("POST", "/v1/memories/search", search(query="x" * 10_001), "query"),
    ("POST", "/v1/memories/search", search(top_k=-1), "top_k"),
    ("POST", "/v1/memories/search", search(top_k=101), "top_k"),
    ("POST", "/v1/memories/search", search(top_k="10"), "top_k"),
    ("POST", "/v1/memories/search", search(top_k=True), "top_k"),
    ("POST", "/v1/memories/search", search(top_k=1.5), "top_k"),
    ("POST", "/v1/memories/search", search(min_relevance=2), "min_relevance"),
    ("POST", "/v1/memories/search", search(min_relevance="0.5"), "min_relevance"),
    ("POST", "/v1/memories/search", search(history="sometimes"), "history"),
    ("POST", "/v1/memories/search", search(rerank="no"), "rerank"),
    ("POST", "/v1/memories/search", search(as_of="then"), "as_of"),
    ("POST", "/v1/memories/search", search(filters={"color": {"eq": "red"}}), "filters.color"),
    ("POST", "/v1/memories/search", search(filters={"category": {"like": "t"}}), "filters.category.like"),
    ("POST", "/v1/memories/search", search(filters={"speaker": {"eq": 5}}), "filters.speaker.eq"),
    ("POST", "/v1/memories/search", search(filters=[]), "filters"),
    ("POST", "/v1/memories/search", search(tenant_id="other"), "tenant_id"),
    ("POST", "/v1/memories/search", search(color="red"), "color"),
    ("POST", "/v1/context", search(max_tokens=0), "max_tokens"),
    ("POST", "/v1/context", search(filters={"AND": []}), "filters.AND"),
    ("PATCH", "/v1/memories/mem_1", {"content": "x"}, "user_id"),
    ("PATCH", "/v1/memories/mem_1", {**PATCH, "content": None}, "content"),
    ("PATCH", "/v1/memories/mem_1", {**PATCH, "category": "holidays"}, "category"),
    ("PATCH", "/v1/memories/mem_1", {**PATCH, "if_version": "1"}, "if_version"),
    ("PATCH", "/v1/memories/mem_1", {**PATCH, "tenant": "other"}, "tenant"),
]


NO_OBJECTS: list[str | bytes] = [
    "",
    "{not json",
    "[]",
    "null",
    '"x"',
    "5",
    "NaN",
    '{"user_id": NaN}',
    '{"user_id": "u", "user_id": "u"}',
    '{"user_id": "\\u0000"}',
    '{"x": ' + "9" * 5_000 + "}",
    '{"metadata": ' * 50_000,
    "[" * 50_000,
    b"\xff\xfe",
]


@pytest.mark.parametrize(("method", "url", "body", "field"), BODIES)
def test_faulty_bodies_name_their_field(api: Api, method: str, url: str, body: Any, field: str) -> None:
    answer = api.call(method, url, body)

    assert answer.status == 400
    assert answer.json["type"] == "urn:cognis:problem:invalid-input"
    assert field in answer.faults
    assert answer.json["request_id"] == answer.headers["X-Request-Id"]


@pytest.mark.parametrize(
    ("method", "url"),
    [
        ("POST", "/v1/memories"),
        ("PATCH", "/v1/memories/mem_1"),
        ("POST", "/v1/memories/search"),
        ("POST", "/v1/context"),
    ],
)
@pytest.mark.parametrize("raw", NO_OBJECTS)
def test_bodies_that_are_no_json_object_are_refused(
    api: Api, method: str, url: str, raw: str | bytes
) -> None:
    answer = api.call(method, url, raw=raw)

    assert answer.status == 400
    assert answer.json["errors"]


@pytest.mark.parametrize(
    ("method", "url", "field"),
    [
        ("GET", "/v1/memories", "user_id"),
        ("GET", "/v1/memories?user_id=", "user_id"),
        ("GET", "/v1/memories?user_id=%20", "user_id"),
        ("GET", "/v1/memories?user_id=u&user_id=u", "user_id"),
        ("GET", "/v1/memories?user_id=u&user_id=v", "user_id"),
        ("GET", "/v1/memories?user_id=u%00", "user_id"),
        ("GET", "/v1/memories?user_id=u&limit=0", "limit"),
        ("GET", "/v1/memories?user_id=u&limit=101", "limit"),
        ("GET", "/v1/memories?user_id=u&limit=-1", "limit"),
        ("GET", "/v1/memories?user_id=u&limit=1.0", "limit"),
        ("GET", "/v1/memories?user_id=u&limit=ten", "limit"),
        ("GET", "/v1/memories?user_id=u&limit=%EF%BC%91", "limit"),
        ("GET", "/v1/memories?user_id=u&limit=1_0", "limit"),
        ("GET", "/v1/memories?user_id=u&limit=", "limit"),
        ("GET", "/v1/memories?user_id=u&cursor=x", "cursor"),
        ("GET", "/v1/memories?user_id=u&cursor=%F0%9F%98%80", "cursor"),
        ("GET", "/v1/memories?user_id=u&cursor=" + "A" * 2_000, "cursor"),
        ("GET", "/v1/memories?user_id=u&category=holidays", "category"),
        ("GET", "/v1/memories?user_id=u&scope=user", "scope"),
        ("GET", "/v1/memories?user_id=u&include_history=1", "include_history"),
        ("GET", "/v1/memories?user_id=u&include_history=True", "include_history"),
        ("GET", "/v1/memories?user_id=u&tenant_id=other", "tenant_id"),
        ("GET", "/v1/memories?user_id=u&color=red", "color"),
        ("GET", "/v1/memories/mem_1", "user_id"),
        ("GET", "/v1/memories/mem_1?user_id=u&limit=5", "limit"),
        ("GET", "/v1/memories/mem_1/history", "user_id"),
        ("GET", "/v1/memories/%FF?user_id=u", "memory_id"),
        ("GET", "/v1/events/evt_1?user_id=u", "user_id"),
        ("GET", "/v1/events/%00", "event_id"),
        ("GET", "/v1/health?tenant=other", "tenant"),
        ("GET", "/v1/openapi.json?x=1", "x"),
        ("DELETE", "/v1/memories/mem_1", "user_id"),
        ("DELETE", "/v1/users/u?user_id=u", "user_id"),
        ("DELETE", "/v1/users/%20", "user_id"),
        ("DELETE", "/v1/users/" + "u" * 257, "user_id"),
    ],
)
def test_faulty_queries_and_paths_name_their_field(api: Api, method: str, url: str, field: str) -> None:
    answer = api.call(method, url)

    assert answer.status == 400
    assert field in answer.faults


@pytest.mark.parametrize("query", ["tenant_id=other", "dry_run=true"])
@pytest.mark.parametrize(("url", "body"), [("/v1/memories", ADD), ("/v1/memories/search", SEARCH)])
def test_a_query_where_none_belongs_is_refused(api: Api, url: str, body: Any, query: str) -> None:
    assert api.post(f"{url}?{query}", body).status == 400


@pytest.mark.parametrize("header", ["X-Tenant-Id", "x-tenant", "Tenant-Id", "TENANT", "X-Cognis-Tenant-Id"])
def test_a_tenant_in_a_header_is_refused(api: Api, header: str) -> None:
    for answer in (
        api.post("/v1/memories", ADD, headers={header: "acme"}),
        api.get("/v1/memories?user_id=u", headers={header: "acme"}),
        api.get("/v1/health", headers={header: "acme"}),
    ):
        assert answer.status == 400
        assert answer.faults == [header]


@pytest.mark.parametrize("key", ["", "  ", "k" * 256, ["a", "b"]])
def test_faulty_idempotency_keys_are_refused(api: Api, key: str | list[str]) -> None:
    assert api.post("/v1/memories", ADD, headers={"Idempotency-Key": key}).status == 400


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_body_where_none_belongs_is_refused(api: Api, method: str) -> None:
    assert api.call(method, "/v1/memories/mem_1?user_id=u", {"user_id": "u"}).status == 400


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "", "application/json; charset=latin1"],
)
@pytest.mark.parametrize(("url", "body"), [("/v1/memories", ADD), ("/v1/memories/search", SEARCH)])
def test_bodies_that_are_not_called_json_are_refused(
    api: Api, url: str, body: Any, content_type: str
) -> None:
    answer = api.post(url, body, headers={"Content-Type": content_type})

    assert answer.status == 415
    assert answer.json["type"] == "urn:cognis:problem:unsupported-media-type"


def test_bodies_above_five_megabytes_are_refused(api: Api) -> None:
    many = [{"role": "user", "content": "x" * 100_000}] * 50
    answer = api.post("/v1/memories", add(messages=many))

    assert answer.status == 413
    assert "5000000" in answer.json["detail"]


@pytest.mark.parametrize(
    "url", ["/", "/v1", "/v1/nothing", "/v2/memories", "/v1/memories/a/b", "/v1/memories/mem_1/history/x"]
)
def test_unknown_routes_are_not_found(api: Api, url: str) -> None:
    answer = api.get(url)

    assert answer.status == 404
    assert answer.json["type"] == "urn:cognis:problem:route-not-found"
    assert answer.headers["X-Request-Id"] == answer.json["request_id"]


@pytest.mark.parametrize(
    ("method", "url"),
    [
        ("PUT", "/v1/memories"),
        ("DELETE", "/v1/memories"),
        ("POST", "/v1/health"),
        ("GET", "/v1/users/u"),
        ("POST", "/v1/memories/mem_1"),
    ],
)
def test_other_methods_are_unknown_as_the_gateway_has_it(api: Api, method: str, url: str) -> None:
    answer = api.call(method, url)

    assert (answer.status, answer.json["type"]) == (404, "urn:cognis:problem:route-not-found")


def test_an_answer_never_repeats_the_request(api: Api) -> None:
    answer = api.post("/v1/memories", message(content="my secret diagnosis", role="boss"))

    assert answer.status == 400
    assert "diagnosis" not in answer.body
