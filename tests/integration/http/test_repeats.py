"""Exactly once, seen from outside: what is asked, started or delivered again changes nothing."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from fakes import ManualClock
from http_api import Api
from moto.core.botocore_stubber import BotocoreStubber

from cognis_local.pipeline import run_ingestion
from cognis_memory.adapters.system import now
from cognis_memory.runtime.wiring import deployment
from cognis_memory.services.ingestion.state import IngestionState

BODIES = ("My home is Tokyo. Note: likes rain.", "私の家は東京です。メモ：雨が好き。")


@pytest.fixture
def one_request_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads of a test meet between their requests to AWS: its stand-in does not bear two at once."""
    lock, answer = threading.Lock(), BotocoreStubber.__call__

    def locked(*arguments: Any, **options: Any) -> Any:
        with lock:
            return answer(*arguments, **options)

    monkeypatch.setattr(BotocoreStubber, "__call__", locked)


def post(api: Api, user_id: str, text: str, key: str) -> Any:
    body = {"user_id": user_id, "messages": [{"role": "user", "content": text}]}
    return api.post("/v1/memories", body, headers={"Idempotency-Key": key})


@pytest.mark.usefixtures("one_request_at_a_time")
@pytest.mark.parametrize("text", BODIES)
def test_two_posts_of_one_key_at_once_are_one_event(api: Api, text: str) -> None:
    user_id = f"at-once-{BODIES.index(text)}"
    with ThreadPoolExecutor(max_workers=6) as threads:
        answers = list(threads.map(lambda _: post(api, user_id, text, "k"), range(6)))
    api.run()

    assert {answer.status for answer in answers} == {202}
    assert len({answer.json["event_id"] for answer in answers}) == 1
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1
    assert len(api.listed(user_id)) == 2


@pytest.mark.parametrize("text", BODIES)
def test_a_key_serves_again_after_its_day_with_the_same_body_or_another(
    api: Api, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_id, clock = f"later-{BODIES.index(text)}", ManualClock(now())
    monkeypatch.setattr(deployment(), "clock", clock)
    first = post(api, user_id, text, "k")
    api.run()
    clock.advance(timedelta(hours=23, minutes=59))
    assert post(api, user_id, text, "k").headers["Idempotent-Replayed"] == "true"
    assert post(api, user_id, "My job is baker.", "k").status == 422
    clock.advance(timedelta(minutes=2))
    same = post(api, user_id, text, "k")
    clock.advance(timedelta(hours=25))
    other = post(api, user_id, "My job is baker.", "k")
    api.run()

    assert [answer.status for answer in (first, same, other)] == [202, 202, 202]
    assert len({answer.json["event_id"] for answer in (first, same, other)}) == 3
    assert len(api.listed(user_id)) == 3


@pytest.mark.usefixtures("one_request_at_a_time")
def test_an_event_whose_start_is_delivered_again_is_carried_out_once(api: Api) -> None:
    event = api.tell("started-twice", BODIES[0])
    listed = api.listed("started-twice")
    state = IngestionState(tenant_id="acme", event_id=event["event_id"])
    with ThreadPoolExecutor(max_workers=2) as threads:
        list(threads.map(lambda _: run_ingestion(deployment().ingestion, state), range(2)))

    assert api.get(f"/v1/events/{event['event_id']}").json == event
    assert api.listed("started-twice") == listed


def test_a_deletion_and_an_erasure_asked_for_twice(api: Api) -> None:
    event = api.tell("gone", BODIES[0])
    url = f"/v1/memories/{event['operations'][0]['memory_id']}?user_id=gone"
    assert [api.delete(url).status, api.delete(url).status] == [204, 404]
    assert [api.delete("/v1/users/gone").status, api.delete("/v1/users/gone").status] == [202, 202]
    api.run()

    assert api.listed("gone") == []
