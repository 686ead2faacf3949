"""Whatever a client sends: it is told that it was wrong, never that we were, and nothing of it is kept."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, urlencode

from http_api import Api
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cognis_memory.models.requests import IngestRequest, PatchRequest, RequestMessage, SearchRequest
from cognis_memory.runtime.http.queries import ListQuery
from cognis_memory.runtime.http.routes import ROUTES

TIMES = ["0001-01-02T00:00:00Z", "9999-12-30T00:00:00Z", "2026-07-08T11:00:00+09:00"]
WORDS = ["user", "USER", "CONTEXT", "travel", "UTC", "Asia/Tokyo", "always", "evt_1", "あ"]
TEXTS = st.text(max_size=20) | st.sampled_from(["", " ", "\x00", "\ud800", "x" * 300, *WORDS, *TIMES])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(
    sorted(
        {
            *IngestRequest.model_fields,
            *RequestMessage.model_fields,
            *SearchRequest.model_fields,
            *PatchRequest.model_fields,
            *ListQuery.model_fields,
            "tenant_id",
        }
    )
)
FIELDS = st.sampled_from(
    ["category", "scope", "speaker", "timestamp", "event_time", "kind", "metadata.a", "AND", "OR"]
)
COMPARATORS = st.sampled_from(["eq", "ne", "in", "gt", "lte", "contains", "exists", "like"])
FILTERS = st.recursive(
    st.dictionaries(FIELDS, st.dictionaries(COMPARATORS, VALUES, max_size=2) | VALUES, max_size=2),
    lambda inner: st.dictionaries(st.sampled_from(["AND", "OR", "NOT"]), inner | st.lists(inner, max_size=2)),
    max_leaves=4,
)
VALID: dict[str, dict[str, Any]] = {
    "/v1/memories": {"user_id": "u", "messages": [{"role": "user", "content": "x"}]},
    "/v1/memories/search": {"user_id": "u", "query": "x"},
    "/v1/context": {"user_id": "u", "query": "x"},
    "/v1/memories/{memory_id}": {"user_id": "u", "content": "x"},
}
ROUTE = st.sampled_from([route for route in ROUTES if route.authorized])
EVERY = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check(api: Api, method: str, url: str, **request: Any) -> None:
    before = api.cloud.stored_items()
    answer = api.call(method, url, **request)

    assert answer.status < 500, answer.body
    assert answer.headers["X-Request-Id"]
    if answer.status >= 400:
        assert answer.json["status"] == answer.status
        assert api.cloud.stored_items() == before


@EVERY
@given(
    ROUTE,
    st.text() | VALUES.map(json.dumps) | st.binary(),
    st.sampled_from(["application/json", "text/json", ""]),
)
def test_any_body(api: Api, route: Any, raw: str | bytes, content_type: str) -> None:
    path = route.path.format(memory_id="mem_1", user_id="u", event_id="evt_1")
    check(api, route.method, path, raw=raw, headers={"Content-Type": content_type})


@EVERY
@given(st.sampled_from(sorted(VALID)), NAMES, VALUES, st.dictionaries(NAMES, VALUES, max_size=1))
def test_any_field_of_a_body(api: Api, path: str, name: str, value: Any, more: dict[str, Any]) -> None:
    body = {**VALID[path], **more, name: value}
    method = "PATCH" if "{" in path else "POST"
    check(api, method, path.format(memory_id="mem_1"), raw=json.dumps(body))


@EVERY
@given(NAMES, VALUES)
def test_any_field_of_a_message(api: Api, name: str, value: Any) -> None:
    body = {"user_id": "u", "messages": [{"role": "user", "content": "x", name: value}]}
    check(api, "POST", "/v1/memories", raw=json.dumps(body))


@EVERY
@given(FILTERS)
def test_any_filter(api: Api, filters: Any) -> None:
    check(
        api, "POST", "/v1/memories/search", raw=json.dumps({"user_id": "u", "query": "x", "filters": filters})
    )


@EVERY
@given(ROUTE, st.lists(st.tuples(NAMES | TEXTS, TEXTS), max_size=4))
def test_any_query(api: Api, route: Any, query: list[tuple[str, str]]) -> None:
    path = route.path.format(memory_id="mem_1", user_id="u", event_id="evt_1")
    body = VALID.get(route.path) if route.method in ("POST", "PATCH") else None
    check(api, route.method, f"{path}?{urlencode(query, errors='surrogatepass')}", body=body)


@EVERY
@given(
    ROUTE,
    st.text(min_size=1).map(lambda text: quote(text, safe="", errors="surrogatepass"))
    | st.from_regex(r"[%a-f0-9.]{1,9}", fullmatch=True),
)
def test_any_path(api: Api, route: Any, segment: str) -> None:
    path = route.path.format(memory_id=segment, user_id=segment, event_id=segment)
    query = "?user_id=u" if route.method in ("GET", "DELETE") and "memory_id" in route.path else ""
    check(
        api,
        route.method,
        path + query,
        body=VALID.get(route.path) if route.method in ("POST", "PATCH") else None,
    )


@EVERY
@given(st.dictionaries(st.sampled_from(["Idempotency-Key", "X-Tenant", "Accept", "Content-Encoding"]), TEXTS))
def test_any_header(api: Api, headers: dict[str, str]) -> None:
    check(api, "POST", "/v1/memories", body=VALID["/v1/memories"], headers=headers)
