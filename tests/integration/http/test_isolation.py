"""Whose memories a credential reaches: its tenant's, and those of its user where it is bound to one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from api_gateway import proxy_event
from http_api import Api


@dataclass(frozen=True, slots=True)
class Held:
    """Ids of what Ana holds."""

    memory: str
    event: str


@pytest.fixture(scope="module")
def ana(api: Api) -> Held:
    event = api.tell("ana", "My home is Tokyo.")
    return Held(event["operations"][0]["memory_id"], event["event_id"])


@pytest.fixture(scope="module")
def stranger(api: Api) -> str:
    return api.cloud.tenant("other")


@pytest.fixture(scope="module")
def bobs(api: Api) -> str:
    return api.cloud.key("acme", "bob")


def calls(user_id: str, held: Held) -> list[tuple[str, str, Any]]:
    """Every call that names a user."""
    return [
        ("POST", "/v1/memories", {"user_id": user_id, "messages": [{"role": "user", "content": "x"}]}),
        ("PATCH", f"/v1/memories/{held.memory}", {"user_id": user_id, "content": "x"}),
        ("DELETE", f"/v1/memories/{held.memory}?user_id={user_id}", None),
        ("DELETE", f"/v1/users/{user_id}", None),
        ("POST", "/v1/memories/search", {"user_id": user_id, "query": "home"}),
        ("POST", "/v1/context", {"user_id": user_id, "query": "home"}),
        ("GET", f"/v1/memories?user_id={user_id}", None),
        ("GET", f"/v1/memories/{held.memory}?user_id={user_id}", None),
        ("GET", f"/v1/memories/{held.memory}/history?user_id={user_id}", None),
    ]


def by_id(user_id: str, held: Held) -> list[tuple[str, str, Any]]:
    return [call for call in calls(user_id, held) if held.memory in call[1]]


def test_another_tenant_sees_nothing_of_the_same_user_id(api: Api, ana: Held, stranger: str) -> None:
    assert api.found("ana", "home Tokyo", key=stranger) == []
    assert api.listed("ana", key=stranger) == []
    assert api.get(f"/v1/events/{ana.event}", key=stranger).status == 404
    for method, url, body in by_id("ana", ana):
        assert api.call(method, url, body, key=stranger).status == 404
    assert "The home is Tokyo" in api.listed("ana")


def test_another_tenants_erasure_touches_nobody_else(api: Api, ana: Held, stranger: str) -> None:
    api.delete("/v1/users/ana", key=stranger)
    api.run()

    assert "The home is Tokyo" in api.listed("ana")


def test_another_users_ids_are_not_found(api: Api, ana: Held) -> None:
    for method, url, body in by_id("bob", ana):
        answer = api.call(method, url, body)
        assert answer.status == 404
        assert answer.json["detail"] == f"there is no memory {ana.memory}"
    assert "The home is Tokyo" in api.listed("ana")


def test_a_bound_key_may_not_name_another_user(api: Api, ana: Held, bobs: str) -> None:
    before = api.cloud.stored_items()
    for method, url, body in calls("ana", ana):
        answer = api.call(method, url, body, key=bobs)
        assert answer.status == 403
        assert answer.json["type"] == "urn:cognis:problem:not-allowed"
        assert "ana" not in answer.body
    assert api.cloud.stored_items() == before


def test_with_a_bound_key_anothers_ids_are_not_there(api: Api, ana: Held, bobs: str) -> None:
    """Exactly as ids that nobody has."""
    for method, url, body in by_id("bob", ana):
        existing = api.call(method, url, body, key=bobs)
        missing = api.call(method, url.replace(ana.memory, "mem_none"), body, key=bobs)
        assert (existing.status, missing.status) == (404, 404)
        assert existing.json["detail"].replace(ana.memory, "mem_none") == missing.json["detail"]
    event, none = (api.get(f"/v1/events/{id_}", key=bobs) for id_ in (ana.event, "evt_none"))
    assert (event.status, none.status) == (404, 404)
    assert event.json["detail"].replace(ana.event, "evt_none") == none.json["detail"]


def test_a_bound_key_serves_its_own_user(api: Api, bobs: str) -> None:
    event = api.tell("bob", "My car is red.", key=bobs)

    assert event["status"] == "SUCCEEDED"
    assert "The car is red" in api.found("bob", "car", key=bobs)
    assert api.listed("bob", key=bobs) == ["The car is red"]


def test_a_bound_erasure_can_be_followed(api: Api) -> None:
    key = api.cloud.key("acme", "carl")
    api.tell("carl", "My car is red.", key=key)
    accepted = api.delete("/v1/users/carl", key=key)
    api.run()

    assert api.get(accepted.headers["Location"], key=key).json["status"] == "SUCCEEDED"
    assert api.listed("carl", key=key) == []


@pytest.mark.parametrize(("longer", "shorter"), [("a1", "a"), ("dora ", "dora"), ("e/f", "e")])
def test_users_whose_ids_begin_alike_are_apart(api: Api, longer: str, shorter: str) -> None:
    api.tell(longer, "My home is Tokyo.", infer=False)

    assert api.found(shorter, "home Tokyo") == []
    assert api.listed(shorter) == []


def test_a_cursor_of_another_user_is_refused(api: Api) -> None:
    for number in range(2):
        api.tell("cursor", f"Note {number}.", infer=False)
    cursor = api.get("/v1/memories?user_id=cursor&limit=1").json["next_cursor"]

    assert api.get(f"/v1/memories?user_id=cursor&limit=1&cursor={cursor}").status == 200
    assert api.get(f"/v1/memories?user_id=ana&limit=1&cursor={cursor}").status == 400


def test_without_a_credential_there_is_no_answer(api: Api, ana: Held) -> None:
    for method, url, body in calls("ana", ana):
        assert api.gateway.call(method, url, body).status == 401
        assert api.gateway.call(method, url, body, key="wrong").status == 401


def test_a_function_called_past_the_authorizer_answers_nothing(api: Api) -> None:
    """Should a route ever lose its authorizer."""
    answer = api.gateway.invoke("retrieve", proxy_event("GET", "/v1/memories?user_id=ana"))
    assert answer.status == 401
    assert answer.json["type"] == "urn:cognis:problem:unauthenticated"


def test_keys_stop_working_when_they_are_revoked(api: Api) -> None:
    fresh = api.cloud.tenant("short-lived")
    api.cloud.credentials.set_tenant_disabled("short-lived", True)

    assert api.get("/v1/memories?user_id=u", key=fresh).status == 401
