"""The OpenAPI document: valid, whole, and of one mind with what the API takes and answers."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_checks import validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from cognis_memory.domain.filters import parse_filter
from cognis_memory.errors import InvalidInput
from cognis_memory.models.requests import IngestRequest, PatchRequest, SearchRequest, read_request
from cognis_memory.runtime.http.ingest import HANDLERS as INGEST
from cognis_memory.runtime.http.openapi import openapi_document, openapi_json
from cognis_memory.runtime.http.operations import OPERATIONS
from cognis_memory.runtime.http.retrieve import HANDLERS as RETRIEVE
from cognis_memory.runtime.http.routes import ROUTES

DOCUMENT = openapi_document()

INGEST_BODY: dict[str, Any] = {
    "user_id": "u1",
    "messages": [
        {
            "role": "user",
            "content": "I moved to Osaka last week.",
            "speaker": "Ana",
            "timestamp": "2026-07-08T11:00:00Z",
        }
    ],
    "context_id": "chat-42",
    "agent_id": "support",
    "scope": "USER",
    "timezone": "Asia/Tokyo",
    "metadata": {"plan": "pro"},
    "infer": True,
    "instructions": "Remember dietary facts only.",
    "expires_at": "2027-01-01T00:00:00Z",
}
SEARCH_BODY: dict[str, Any] = {
    "user_id": "u1",
    "query": "Where does Ana live?",
    "top_k": 10,
    "context_id": "chat-42",
    "scope": "USER",
    "filters": {"AND": [{"category": {"eq": "travel"}}, {"metadata.plan": {"in": ["pro"]}}]},
    "history": "auto",
    "as_of": None,
    "reference_time": "2026-07-15T00:00:00Z",
    "timezone": "Asia/Tokyo",
    "min_relevance": None,
    "rerank": True,
    "include_messages": True,
    "max_tokens": None,
    "explain": False,
}
PATCH_BODY = {"user_id": "u1", "content": "Ana lives in Osaka", "if_version": 1}

MODELS = {"IngestRequest": IngestRequest, "SearchRequest": SearchRequest, "PatchRequest": PatchRequest}


def schema(name: str) -> Draft202012Validator:
    return validator(DOCUMENT, {"$ref": f"#/components/schemas/{name}"})


def takes(name: str, body: Any) -> bool:
    """Whether the API takes the body, filters included."""
    try:
        request = read_request(MODELS[name], body)
        if isinstance(request, SearchRequest):
            parse_filter(request.filters)
    except InvalidInput:
        return False
    return True


def test_the_document_is_valid_openapi() -> None:
    OpenAPIV31SpecValidator(json.loads(openapi_json())).validate()


def test_it_holds_every_route_and_no_other() -> None:
    described = {
        (method.upper(), path): operation["operationId"]
        for path, operations in DOCUMENT["paths"].items()
        for method, operation in operations.items()
    }

    assert described == {(route.method, route.path): route.name for route in ROUTES}


def test_every_route_is_described_and_answered_once_by_its_function() -> None:
    assert set(OPERATIONS) == {route.name for route in ROUTES}
    assert len({route.name for route in ROUTES}) == len(ROUTES)
    for function, handlers in (("ingest", INGEST), ("retrieve", RETRIEVE)):
        assert set(handlers) == {route.name for route in ROUTES if route.function == function}


def test_only_health_and_the_document_take_no_credential() -> None:
    free = {
        path
        for path, operations in DOCUMENT["paths"].items()
        for operation in operations.values()
        if operation.get("security") == []
    }

    assert free == {"/v1/health", "/v1/openapi.json"}
    assert DOCUMENT["security"] == [{"ApiKey": []}]


def test_every_parameter_of_a_path_is_described() -> None:
    for path, operations in DOCUMENT["paths"].items():
        for operation in operations.values():
            named = {p["name"] for p in operation.get("parameters", []) if p["in"] == "path"}
            assert named == set(re.findall(r"\{(\w+)\}", path))


def test_every_answer_carries_the_requests_id_and_problems_are_problem_documents() -> None:
    for operations in DOCUMENT["paths"].values():
        for operation in operations.values():
            for status, response in operation["responses"].items():
                found = response
                if "$ref" in response:
                    found = DOCUMENT["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
                assert "X-Request-Id" in found["headers"]
                if int(status) >= 400:
                    assert list(found["content"]) == ["application/problem+json"]
                    assert ("Retry-After" in found["headers"]) == (status in ("429", "503"))


@pytest.mark.parametrize(
    ("name", "body"),
    [("IngestRequest", INGEST_BODY), ("SearchRequest", SEARCH_BODY), ("PatchRequest", PATCH_BODY)],
)
def test_the_contracts_examples_are_taken(name: str, body: dict[str, Any]) -> None:
    assert schema(name).is_valid(body)
    assert takes(name, body)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("IngestRequest", {**INGEST_BODY, "messages": []}),
        ("IngestRequest", {**INGEST_BODY, "messages": [{"role": "boss", "content": "x"}]}),
        ("IngestRequest", {**INGEST_BODY, "messages": [{"role": "user", "content": " "}]}),
        ("IngestRequest", {**INGEST_BODY, "messages": [{"role": "user"}]}),
        ("IngestRequest", {**INGEST_BODY, "messages": [{"role": "user", "content": "x"}] * 501}),
        ("IngestRequest", {**INGEST_BODY, "tenant_id": "other"}),
        ("IngestRequest", {**INGEST_BODY, "infer": "yes"}),
        ("IngestRequest", {**INGEST_BODY, "metadata": {"a": None}}),
        ("IngestRequest", {**INGEST_BODY, "metadata": {"a": {"b": 1}}}),
        ("IngestRequest", {**INGEST_BODY, "user_id": ""}),
        ("IngestRequest", {**INGEST_BODY, "user_id": 5}),
        ("IngestRequest", {**INGEST_BODY, "scope": "TENANT"}),
        ("SearchRequest", {**SEARCH_BODY, "query": " "}),
        ("SearchRequest", {**SEARCH_BODY, "top_k": 0}),
        ("SearchRequest", {**SEARCH_BODY, "top_k": "10"}),
        ("SearchRequest", {**SEARCH_BODY, "min_relevance": 1.5}),
        ("SearchRequest", {**SEARCH_BODY, "history": "sometimes"}),
        ("SearchRequest", {**SEARCH_BODY, "color": "red"}),
        ("PatchRequest", {"content": "x"}),
        ("PatchRequest", {**PATCH_BODY, "content": None}),
        ("PatchRequest", {**PATCH_BODY, "category": None}),
        ("PatchRequest", {**PATCH_BODY, "if_version": 0}),
        ("PatchRequest", {**PATCH_BODY, "version": 1}),
    ],
)
def test_what_the_api_refuses_the_document_refuses(name: str, body: dict[str, Any]) -> None:
    assert not takes(name, body)
    assert not schema(name).is_valid(body)


@pytest.mark.parametrize(
    "filter_",
    [
        None,
        {},
        {"category": {"eq": "travel"}, "speaker": {"contains": "A"}},
        {"NOT": {"OR": [{"kind": {"ne": "message"}}, {"metadata.a.b": {"gte": 5, "lt": 7}}]}},
        {"event_time": {"gte": "2026-01-01T00:00:00Z", "exists": True}},
        {"metadata.plan": {"contains": "p"}},
        {"context_id": {"in": ["a", "b"]}},
    ],
)
def test_filters_are_described_as_they_are_taken(filter_: Any) -> None:
    body = {**SEARCH_BODY, "filters": filter_}

    assert takes("SearchRequest", body)
    assert schema("SearchRequest").is_valid(body)


@pytest.mark.parametrize(
    "filter_",
    [
        {"color": {"eq": "red"}},
        {"category": {"like": "t"}},
        {"category": {"eq": "holidays"}},
        {"category": "travel"},
        {"category": {}},
        {"AND": []},
        {"AND": {"category": {"eq": "travel"}}},
        {"NOT": [{"category": {"eq": "travel"}}]},
        {"NOT": {}},
        {"event_time": {"contains": "2026"}},
        {"speaker": {"in": []}},
        {"speaker": {"eq": 5}},
        {"speaker": {"exists": "yes"}},
        {"metadata.": {"eq": 1}},
        {"metadata.a": {"gt": True}},
        {"metadata.a": {"eq": None}},
        [],
    ],
)
def test_filters_that_are_refused_are_not_described(filter_: Any) -> None:
    body = {**SEARCH_BODY, "filters": filter_}

    assert not takes("SearchRequest", body)
    assert not schema("SearchRequest").is_valid(body)


def test_answers_may_say_more_one_day() -> None:
    health = {"status": "ok", "version": "9", "region": "x"}

    assert schema("Health").is_valid(health)
    assert not schema("Health").is_valid({"status": "ok"})
    assert schema("Problem").is_valid(
        {"type": "urn:x", "title": "t", "status": 400, "detail": "d", "request_id": "r", "errors": None}
    )
