"""The REST API reads requests and answers failures as API Gateway does."""

from __future__ import annotations

import pytest
import urllib3
from emulated import Emulated

ECHO = """
import json

def handle(event, context):
    if event["pathParameters"]["user_id"] == "boom":
        raise ValueError("an inner secret")
    shown = {name: event[name] for name in ("path", "pathParameters", "queryStringParameters")}
    return {"statusCode": 200, "body": json.dumps(shown)}
"""


@pytest.fixture(scope="module")
def url(emulated: Emulated) -> str:
    return emulated.api(emulated.function(ECHO), "/users/{user_id}")


def get(url: str) -> urllib3.BaseHTTPResponse:
    with urllib3.PoolManager(retries=False) as pool:
        return pool.request("GET", url)


@pytest.mark.parametrize("user", ["a%2Fb", "a%20b", "%E6%9D%B1", "a%25b"])
def test_path_parameters_come_as_they_were_sent(url: str, user: str) -> None:
    answer = get(f"{url}/users/{user}").json()
    assert (answer["path"], answer["pathParameters"]) == (f"/users/{user}", {"user_id": user})


def test_of_repeated_query_keys_the_last_counts(url: str) -> None:
    assert get(f"{url}/users/a?x=1&x=2&y=3").json()["queryStringParameters"] == {"x": "2", "y": "3"}


def test_a_functions_error_is_not_shown(url: str) -> None:
    answer = get(f"{url}/users/boom")
    assert answer.status == 500
    assert b"secret" not in answer.data
