"""A planted word, once it is deleted, is answered by no route and stands in no item, object or log line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import quote

import boto3
import pytest
from cloud import BUCKETS, REGION
from http_api import Api

PLANTED = [
    ("zanzibarquokka", "My pet is zanzibarquokka. My job is baker.", "What a day with the cat."),
    ("鑷麤龘靐", "私の宝物は鑷麤龘靐です。私の趣味は釣りです。", "今日はいい天気です。"),
]


def _answers(api: Api, user_id: str, word: str, events: list[str]) -> Iterator[str]:
    """What every route that reads says."""
    asked = {"user_id": user_id, "min_relevance": 0, "explain": True}
    for query in (word, "pet cat 宝物 job 趣味 day"):
        for history in ("always", "never"):
            body = {**asked, "query": query, "history": history}
            yield api.post("/v1/memories/search", body).body
            yield api.post("/v1/context", {**body, "max_tokens": 5_000}).body
    listed = api.get(f"/v1/memories?user_id={quote(user_id)}&include_history=true&limit=100")
    yield listed.body
    for memory in listed.json["memories"]:
        for path in ("", "/history"):
            yield api.get(f"/v1/memories/{memory['id']}{path}?user_id={quote(user_id)}").body
    for event in events:
        yield api.get(f"/v1/events/{event}").body
    accepted = api.post(f"/v1/users/{quote(user_id)}/export")
    api.run()
    yield api.get(accepted.headers["Location"]).body


def _kept(api: Api) -> Iterator[str]:
    """Everything that the ledger and the buckets hold."""
    for page in api.cloud.dynamodb.get_paginator("scan").paginate(TableName="ledger"):
        yield json.dumps(page["Items"], default=repr, ensure_ascii=False)
    s3 = boto3.client("s3", region_name=REGION)
    for bucket in BUCKETS:
        for entry in s3.list_objects_v2(Bucket=bucket).get("Contents", []):
            yield s3.get_object(Bucket=bucket, Key=entry["Key"])["Body"].read().decode(errors="replace")


@pytest.mark.parametrize(("word", "planted", "beside"), PLANTED, ids=["English", "Japanese"])
def test_after_a_delete_no_route_answers_it(
    api: Api, capsys: pytest.CaptureFixture[str], word: str, planted: str, beside: str
) -> None:
    user_id = f"planted {word[:1]}"
    told = api.tell(user_id, planted)
    events = [told["event_id"], api.tell(user_id, beside)["event_id"], api.tell(user_id, planted)["event_id"]]
    assert any(word in answer for answer in _answers(api, user_id, word, events))
    assert any(word in text.lower() for text in _kept(api))
    capsys.readouterr()
    (memory,) = (done["memory_id"] for done in told["operations"] if word in done["memory"])
    assert api.delete(f"/v1/memories/{memory}?user_id={quote(user_id)}").status == 204

    assert [answer for answer in _answers(api, user_id, word, events) if word in answer] == []
    assert [text for text in _kept(api) if word in text.lower()] == []
    assert word not in capsys.readouterr().out
