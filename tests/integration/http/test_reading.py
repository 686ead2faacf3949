"""The routes that read, as they should be used."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from http_api import Api

from cognis_memory.runtime.http.openapi import openapi_document


@pytest.fixture(scope="module")
def told(api: Api) -> str:
    """The id of a user's memory."""
    event = api.tell("ana", "My home is Tokyo.", metadata={"plan": "pro"})
    memory_id: str = event["operations"][0]["memory_id"]
    return memory_id


def test_a_search_answers_with_scores(api: Api, told: str) -> None:
    answer = api.post("/v1/memories/search", {"user_id": "ana", "query": "home Tokyo"})
    first = answer.json["results"][0]

    assert answer.status == 200
    assert (first["id"], first["memory"], first["kind"]) == (told, "The home is Tokyo", "memory")
    assert 0 < first["score"] <= 1
    assert answer.json["request_id"] == answer.headers["X-Request-Id"]
    assert set(answer.json) == {"results", "query", "request_id"}
    assert not {"history", "score_breakdown"} & set(first)


def test_explain_and_history_add_what_they_say(api: Api, told: str) -> None:
    asked = {"user_id": "ana", "query": "home Tokyo", "explain": True, "history": "always"}
    answer = api.post("/v1/memories/search", asked).json
    memory = next(result for result in answer["results"] if result["id"] == told)

    assert answer["stage_durations"]["query_analysis_ms"] >= 0
    assert memory["score_breakdown"]["temporal"] is None
    assert memory["history"] is not None


def test_filters_are_applied(api: Api, told: str) -> None:
    def found(filters: object) -> list[str]:
        asked = {"user_id": "ana", "query": "home", "include_messages": False, "filters": filters}
        return [result["id"] for result in api.post("/v1/memories/search", asked).json["results"]]

    assert found({"metadata.plan": {"in": ["pro"]}}) == [told]
    assert found({"NOT": {"metadata.plan": {"eq": "pro"}}}) == []


def test_a_context_is_text_for_a_prompt(api: Api, told: str) -> None:
    answer = api.post("/v1/context", {"user_id": "ana", "query": "home Tokyo", "max_tokens": 50})

    assert answer.status == 200
    assert "The home is Tokyo" in answer.json["text"]
    assert told in answer.json["memory_ids"]
    assert 0 < answer.json["tokens"] <= 50


def test_a_context_has_days_back_to_the_first(api: Api) -> None:
    """Where it is still the year 0 in the asker's zone."""
    message = {"role": "user", "content": "It ended yesterday.", "timestamp": "0001-01-02T12:00:00Z"}
    api.post("/v1/memories", {"user_id": "first", "messages": [message], "infer": False})
    api.run()
    asked = {"user_id": "first", "query": "ended", "timezone": "America/Los_Angeles"}

    assert api.post("/v1/context", asked).json["text"].startswith("- [0001-01-01] It ended yesterday.")


def test_a_list_is_read_page_by_page(api: Api) -> None:
    for number in range(5):
        api.tell("pages", f"Note {number}.", infer=False)
    seen: list[str] = []
    url = "/v1/memories?user_id=pages&limit=2"
    page = api.get(url).json
    while page["next_cursor"]:
        seen += [memory["memory"] for memory in page["memories"]]
        page = api.get(f"{url}&cursor={quote(page['next_cursor'])}").json
    seen += [memory["memory"] for memory in page["memories"]]

    assert seen == [f"Note {number}." for number in reversed(range(5))]


def test_a_list_can_be_narrowed(api: Api) -> None:
    api.tell("narrow", "My home is Tokyo.", scope="CONTEXT", context_id="c1", infer=False)
    api.tell("narrow", "My home is Osaka.", infer=False)

    def listed(query: str) -> list[str]:
        return [m["memory"] for m in api.get(f"/v1/memories?user_id=narrow&{query}").json["memories"]]

    assert listed("scope=CONTEXT") == ["My home is Tokyo."]
    assert listed("context_id=c1") == ["My home is Tokyo."]
    assert listed("category=travel") == []
    assert len(listed("include_history=true&limit=100")) == 2


def test_one_memory_and_its_history(api: Api, told: str) -> None:
    memory = api.get(f"/v1/memories/{told}?user_id=ana")
    history = api.get(f"/v1/memories/{told}/history?user_id=ana")

    assert memory.json["memory"] == "The home is Tokyo"
    assert [entry["id"] for entry in history.json["history"]] == [told]
    assert {entry["operation"] for entry in history.json["history"]} == {"ADD"}


@pytest.mark.parametrize(
    "url",
    [
        "/v1/memories/mem_none?user_id=ana",
        "/v1/memories/mem_none/history?user_id=ana",
        "/v1/memories/%F0%9F%98%80?user_id=ana",
        f"/v1/memories/{'m' * 2_000}?user_id=ana",
        "/v1/events/evt_none",
        f"/v1/events/{'e' * 2_000}",
        "/v1/events/a%2Fb",
    ],
)
def test_what_is_not_there_is_not_found(api: Api, told: str, url: str) -> None:
    answer = api.get(url)

    assert answer.status == 404
    assert answer.json["type"] == "urn:cognis:problem:not-found"
    assert answer.json["request_id"] == answer.headers["X-Request-Id"]


def test_health_and_the_document_need_no_credential(api: Api) -> None:
    health = api.gateway.call("GET", "/v1/health")
    document = api.gateway.call("GET", "/v1/openapi.json")

    assert (health.status, health.json["status"]) == (200, "ok")
    assert health.headers["X-Request-Id"]
    assert document.headers["Content-Type"] == "application/json"
    assert document.json == json.loads(json.dumps(openapi_document()))
