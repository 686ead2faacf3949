"""The routes that change what is held, as they should be used."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from http_api import Api

from cognis_memory.runtime.wiring import deployment


def body(user_id: str, text: str = "My home is Tokyo.", **options: Any) -> dict[str, Any]:
    return {"user_id": user_id, "messages": [{"role": "user", "content": text}], **options}


def test_messages_are_accepted_at_once_and_carried_out_later(api: Api) -> None:
    accepted = api.post("/v1/memories", body("accepted"))
    event_id = accepted.json["event_id"]

    assert accepted.status == 202
    assert accepted.json == {"event_id": event_id, "status": "PENDING"}
    assert accepted.headers["Location"] == f"/v1/events/{event_id}"
    assert "Idempotent-Replayed" not in accepted.headers
    assert {"tenant_id": "acme", "event_id": event_id} in list(api.cloud.started("ingestion"))
    assert api.get(accepted.headers["Location"]).json["status"] == "PENDING"
    api.run()
    event = api.get(accepted.headers["Location"]).json
    assert event["status"] == "SUCCEEDED"
    assert [done["memory"] for done in event["operations"]] == ["The home is Tokyo"]


def test_every_field_of_a_request_is_taken(api: Api) -> None:
    event = api.tell(
        "fields",
        "My home is Tokyo.",
        context_id="chat-42",
        agent_id="support",
        scope="CONTEXT",
        timezone="Asia/Tokyo",
        metadata={"plan": "pro", "tags": ["a", 1, True, 2.5]},
        instructions="Remember homes only.",
        expires_at="2999-01-01T00:00:00+09:00",
    )
    memory = api.get(f"/v1/memories/{event['operations'][0]['memory_id']}?user_id=fields").json

    assert memory["metadata"] == {"plan": "pro", "tags": ["a", 1, True, 2.5]}
    assert (memory["scope"], memory["context_id"], memory["agent_id"]) == ("CONTEXT", "chat-42", "support")
    assert memory["expires_at"] == "2998-12-31T15:00:00Z"


def test_a_body_in_base64_and_in_japanese_is_taken(api: Api) -> None:
    text = json.dumps(body("花子", "家は東京です。", infer=False), ensure_ascii=False)
    accepted = api.post("/v1/memories", raw=text.encode())
    api.run()

    assert accepted.status == 202
    assert api.listed(quote("花子")) == ["家は東京です。"]


class TestIdempotency:
    def test_a_repeat_answers_the_first_event(self, api: Api) -> None:
        headers = {"Idempotency-Key": "k1"}
        first = api.post("/v1/memories", body("again"), headers=headers)
        repeat = api.post("/v1/memories", body("again"), headers=headers)

        assert repeat.status == 202
        assert repeat.json == first.json
        assert repeat.headers["Idempotent-Replayed"] == "true"
        assert repeat.headers["Location"] == first.headers["Location"]
        api.run()
        assert api.post("/v1/memories", body("again"), headers=headers).json["status"] == "SUCCEEDED"
        assert api.listed("again") == ["The home is Tokyo"]

    def test_another_body_under_the_same_key_is_refused(self, api: Api) -> None:
        headers = {"idempotency-key": "k1"}
        api.post("/v1/memories", body("changed"), headers=headers)
        refused = api.post("/v1/memories", body("changed", "My home is Osaka."), headers=headers)

        assert refused.status == 422
        assert refused.json["type"] == "urn:cognis:problem:idempotency-key-reused"
        api.run()
        assert api.listed("changed") == ["The home is Tokyo"]

    def test_keys_are_each_users_and_each_tenants_own(self, api: Api) -> None:
        other = api.cloud.tenant("idempotent")
        headers = {"Idempotency-Key": "shared"}
        answers = [
            api.post("/v1/memories", body("one"), headers=headers),
            api.post("/v1/memories", body("two", "My home is Osaka."), headers=headers),
            api.post("/v1/memories", body("one", "My home is Kyoto."), headers=headers, key=other),
        ]

        assert [answer.status for answer in answers] == [202, 202, 202]
        assert len({answer.json["event_id"] for answer in answers}) == 3

    def test_a_repeat_starts_what_was_accepted_and_never_started(
        self, api: Api, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        headers = {"Idempotency-Key": "k1"}
        with monkeypatch.context() as broken:
            broken.setattr(deployment().starter, "start", lambda event: None)
            first = api.post("/v1/memories", body("lost"), headers=headers)
        assert first.json["event_id"] not in {each["event_id"] for each in api.cloud.started("ingestion")}

        api.post("/v1/memories", body("lost"), headers=headers)
        assert first.json["event_id"] in {each["event_id"] for each in api.cloud.started("ingestion")}


class TestChanging:
    def test_new_content_makes_a_new_version(self, api: Api) -> None:
        old = api.tell("patch", "My home is Tokyo.")["operations"][0]["memory_id"]
        changed = api.patch(f"/v1/memories/{old}", {"user_id": "patch", "content": "Ana lives in Osaka"})

        assert changed.status == 200
        assert (changed.json["replaces_id"], changed.json["version"]) == (old, 2)
        assert changed.json["id"] != old
        assert api.listed("patch") == ["Ana lives in Osaka"]
        history = api.get(f"/v1/memories/{old}/history?user_id=patch").json["history"]
        assert [entry["memory"] for entry in history] == ["The home is Tokyo", "Ana lives in Osaka"]

    def test_anything_else_changes_in_place(self, api: Api) -> None:
        id_ = api.tell("place", "My home is Tokyo.", expires_at="2999-01-01T00:00:00Z")["operations"][0][
            "memory_id"
        ]
        patch = {"user_id": "place", "category": "travel", "metadata": {"a": 1}, "expires_at": None}
        changed = api.patch(f"/v1/memories/{id_}", patch).json

        assert (changed["id"], changed["version"]) == (id_, 1)
        assert (changed["category"], changed["metadata"], changed["expires_at"]) == ("travel", {"a": 1}, None)

    def test_another_version_than_expected_is_a_conflict(self, api: Api) -> None:
        id_ = api.tell("conflict", "My home is Tokyo.")["operations"][0]["memory_id"]
        patch = {"user_id": "conflict", "content": "Ana lives in Osaka", "if_version": 2}
        refused = api.patch(f"/v1/memories/{id_}", patch)

        assert refused.status == 409
        assert refused.json["type"] == "urn:cognis:problem:conflict"
        assert api.listed("conflict") == ["The home is Tokyo"]

    def test_nothing_to_change_is_refused_with_what_may_be_given(self, api: Api) -> None:
        id_ = api.tell("nothing", "My home is Tokyo.")["operations"][0]["memory_id"]
        refused = api.patch(f"/v1/memories/{id_}", {"user_id": "nothing", "if_version": 1})

        assert refused.status == 400
        assert "content, category, metadata, expires_at" in refused.json["detail"]

    def test_a_memory_that_is_not_there_is_not_found(self, api: Api) -> None:
        assert api.patch("/v1/memories/mem_none", {"user_id": "patch", "content": "x"}).status == 404


class TestDeleting:
    def test_a_memory_goes_with_its_words(self, api: Api) -> None:
        event = api.tell("delete", "My home is Tokyo.")
        id_ = event["operations"][0]["memory_id"]
        deleted = api.delete(f"/v1/memories/{id_}?user_id=delete")

        assert (deleted.status, deleted.body) == (204, "")
        assert api.found("delete", "home Tokyo") == []
        assert api.get(f"/v1/memories/{id_}?user_id=delete").status == 404
        assert api.get(f"/v1/events/{event['event_id']}").json["operations"][0]["memory"] is None
        assert api.delete(f"/v1/memories/{id_}?user_id=delete").status == 404

    @pytest.mark.parametrize(
        "user_id", ["gone", "a/b", "a b", "アナ", "50%", "x?y#z&u=1", "..a", "a+b", '"q"']
    )
    def test_a_user_goes_whatever_it_is_called(self, api: Api, user_id: str) -> None:
        api.tell(user_id, "My home is Tokyo.", infer=False)
        api.tell("bystander", "My home is Tokyo.", infer=False)
        accepted = api.delete(f"/v1/users/{quote(user_id, safe='')}")

        assert accepted.status == 202
        assert accepted.json["status"] == "PENDING"
        api.run()
        event = api.get(accepted.headers["Location"]).json
        assert (event["status"], event["user_id"], event["counts"]["memories"]) == ("SUCCEEDED", user_id, 1)
        assert api.listed(quote(user_id, safe="")) == []
        assert "My home is Tokyo." in api.listed("bystander")


def test_what_has_expired_already_is_not_accepted(api: Api) -> None:
    refused = api.post("/v1/memories", {**body("expired"), "expires_at": "2020-01-01T00:00:00Z"})

    assert refused.status == 400
    (fault,) = refused.json["errors"]
    assert fault == {"field": "expires_at", "message": "is past; give a time to come, or leave it out"}
