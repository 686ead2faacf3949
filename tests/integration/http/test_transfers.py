"""Exports and imports over HTTP: a user is taken away by a link, and brought back by another."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, quote, urlsplit

import pytest
import requests
from http_api import Api
from transfers import lines_of

from cognis_memory.models.values import Owner
from cognis_memory.runtime.wiring import deployment
from cognis_memory.services.payload_keys import owner_prefix
from cognis_memory.services.transfer.files import DOWNLOAD_LINK_LIFETIME, UPLOAD_LINK_LIFETIME


def _seconds(link: str) -> float:
    return float(parse_qs(urlsplit(link).query)["X-Amz-Expires"][0])


def export(api: Api, user_id: str, **rest: str) -> bytes:
    accepted = api.post(f"/v1/users/{quote(user_id, safe='')}/export", **rest)
    assert (accepted.status, accepted.json["status"]) == (202, "PENDING")
    assert api.get(accepted.headers["Location"], **rest).json["download_url"] is None
    api.run()
    event = api.get(accepted.headers["Location"], **rest).json
    assert (event["status"], event["user_id"]) == ("SUCCEEDED", user_id)
    assert _seconds(event["download_url"]) == DOWNLOAD_LINK_LIFETIME.total_seconds()
    answer = requests.get(event["download_url"], timeout=10)
    assert answer.headers["Content-Type"] == "application/jsonl"
    return answer.content


def import_(api: Api, user_id: str, data: bytes, **rest: str) -> dict[str, object]:
    accepted = api.post(f"/v1/users/{quote(user_id, safe='')}/import", **rest)
    assert (accepted.status, accepted.json["status"]) == (202, "PENDING")
    link = accepted.json["upload_url"]
    assert _seconds(link) == UPLOAD_LINK_LIFETIME.total_seconds()
    assert requests.put(link, data=data, timeout=10).status_code == 200
    api.run()
    event: dict[str, object] = api.get(accepted.headers["Location"], **rest).json
    return event


@pytest.mark.parametrize("user_id", ["moving", "a/b", "アナ"])
def test_a_user_moves_by_two_links(api: Api, user_id: str) -> None:
    api.tell(user_id, "My home is Tokyo.")
    api.tell(user_id, "My home is Osaka.")
    file = export(api, user_id)
    header, *documents = lines_of(file)
    assert (header["memories"], header["messages"], len(documents)) == (2, 2, 4)
    assert user_id not in file.decode()

    event = import_(api, f"{user_id}-2", file)
    assert (event["status"], event["counts"]) == ("SUCCEEDED", {"memories": 2, "messages": 2})
    assert api.found(f"{user_id}-2", "home")[0] == "The home is Osaka"
    assert api.listed(quote(f"{user_id}-2", safe="")) == ["The home is Osaka"]


def test_a_user_moves_to_another_tenant_and_stays_apart(api: Api) -> None:
    api.tell("shared", "My home is Tokyo.")
    other = api.cloud.tenant("umbrella")
    event = import_(api, "shared", export(api, "shared"), key=other)
    assert event["status"] == "SUCCEEDED"
    (theirs,) = api.get("/v1/memories?user_id=shared", key=other).json["memories"]
    assert api.delete(f"/v1/memories/{theirs['id']}?user_id=shared", key=other).status == 204
    assert api.listed("shared", key=other) == []
    assert api.listed("shared") == ["The home is Tokyo"]


def test_bad_lines_are_named_in_the_event(api: Api) -> None:
    api.tell("bad", "My home is Tokyo.")
    header, memory, message = export(api, "bad").splitlines()
    spoilt = json.loads(memory) | {"category": "weather", "tenant_id": "umbrella"}
    event = import_(api, "bad-2", b"\n".join([header, json.dumps(spoilt).encode(), message]))

    assert event["status"] == "FAILED"
    assert event["error"] == {
        "type": "InvalidInput",
        "detail": "the file has 2 faults in 3 lines; nothing was imported",
    }
    faults = event["errors"]
    assert isinstance(faults, list)
    assert [(fault["line"], fault["field"]) for fault in faults] == [(2, "category"), (2, "")]
    assert api.listed("bad-2") == []


def test_a_key_of_one_user_moves_nobody_else(api: Api) -> None:
    key = api.cloud.key("acme", "bound")
    for door in ("export", "import"):
        assert api.post(f"/v1/users/other/{door}", key=key).status == 403
        assert api.post(f"/v1/users/bound/{door}", key=key).status == 202
    api.tell("other", "My home is Tokyo.")
    accepted = api.post("/v1/users/other/export")
    api.run()
    assert api.get(accepted.headers["Location"], key=key).status == 404
    assert api.get(accepted.headers["Location"], key=api.cloud.tenant("initech")).status == 404


def test_a_body_or_a_query_is_refused(api: Api) -> None:
    for door in ("export", "import"):
        assert api.post(f"/v1/users/ana/{door}", {"user_id": "ana"}).status == 400
        assert api.post(f"/v1/users/ana/{door}?since=2026").status == 400


def test_while_the_user_is_being_erased_neither_is_taken_in(api: Api) -> None:
    api.tell("leaving", "My home is Tokyo.")
    api.delete("/v1/users/leaving")
    for door in ("export", "import"):
        refused = api.post(f"/v1/users/leaving/{door}")
        assert (refused.status, refused.json["type"]) == (409, "urn:cognis:problem:conflict")
    api.run()


def test_erasing_takes_the_files_and_the_events(api: Api) -> None:
    api.tell("erased", "My home is Tokyo.")
    accepted = api.post("/v1/users/erased/export")
    api.run()
    link = api.get(accepted.headers["Location"]).json["download_url"]
    waiting = api.post("/v1/users/erased/import").json["upload_url"]
    requests.put(waiting, data=b"{}", timeout=10)
    api.delete("/v1/users/erased")
    api.run()

    assert requests.get(link, timeout=10).status_code in (403, 404)
    assert api.get(accepted.headers["Location"]).status == 404
    assert deployment().transfer_files.count(owner_prefix(Owner("acme", "erased"))) == 0
