"""The gateway's authorizer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from credential_store import MemoryCredentialStore

from cognis_memory.runtime.authorization import CACHE_SECONDS, CACHE_SIZE, Authorizer
from cognis_memory.services.credentials import create_key, create_tenant

NOW = datetime(2026, 7, 15, 12, 0, tzinfo=UTC)
STAGE = "arn:aws:execute-api:eu-central-1:123456789012:a1b2c3/prod"


class Seconds:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def store() -> MemoryCredentialStore:
    made = MemoryCredentialStore()
    create_tenant(made, "acme", None, now=NOW)
    return made


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def authorize(store: MemoryCredentialStore, seconds: Seconds) -> Authorizer:
    return Authorizer(store, seconds)


def event(**headers: str) -> dict[str, Any]:
    return request({name.replace("_", "-"): [value] for name, value in headers.items()})


def request(headers: Mapping[str, list[str]]) -> dict[str, Any]:
    return {
        "type": "REQUEST",
        "methodArn": f"{STAGE}/POST/v1/memories/search",
        "headers": {name: values[-1] for name, values in headers.items()},
        "multiValueHeaders": headers,
    }


def test_a_good_key_opens_the_whole_stage(store: MemoryCredentialStore, authorize: Authorizer) -> None:
    key, secret = create_key(store, "acme", now=NOW)
    answer = authorize(event(X_Api_Key=secret))

    assert answer["policyDocument"]["Statement"] == [
        {"Action": "execute-api:Invoke", "Effect": "Allow", "Resource": f"{STAGE}/*"}
    ]
    assert answer["context"] == {"tenant_id": "acme", "key_id": key.id}
    assert answer["principalId"] == key.id


def test_a_bound_key_carries_its_user(store: MemoryCredentialStore, authorize: Authorizer) -> None:
    key, secret = create_key(store, "acme", now=NOW, user_id="アナ")

    context = authorize(event(X_Api_Key=secret))["context"]
    assert context == {"tenant_id": "acme", "key_id": key.id, "user_id": "アナ"}


@pytest.mark.parametrize("name", ["X-Api-Key", "x-api-key", "X-API-KEY"])
def test_the_case_of_the_headers_name_does_not_matter(
    store: MemoryCredentialStore, authorize: Authorizer, name: str
) -> None:
    _, secret = create_key(store, "acme", now=NOW)

    assert authorize(request({name: [secret]}))["context"]["tenant_id"] == "acme"
    single = {"methodArn": f"{STAGE}/GET/", "headers": {name: secret}, "multiValueHeaders": None}
    assert authorize(single)["context"]["tenant_id"] == "acme"


def test_requests_without_exactly_one_good_credential_are_unauthorized(
    store: MemoryCredentialStore, authorize: Authorizer
) -> None:
    _, secret = create_key(store, "acme", now=NOW)
    refused = [
        {},
        {"X-Api-Key": [""]},
        {"X-Api-Key": ["wrong"]},
        {"X-Api-Key": ["\ud800"]},
        {"X-Api-Key": [secret + "x"]},
        {"X-Api-Key": [secret, secret]},
        {"X-Api-Key": [secret], "x-api-key": [secret]},
        {"Authorization": [f"Bearer {secret}"]},
        {"Authorization": ["Bearer a.b.c"]},
        {"X-Api-Key": [secret], "authorization": ["Bearer a.b.c"]},
    ]

    for headers in refused:
        with pytest.raises(Exception, match=r"\AUnauthorized\Z"):
            authorize(request(headers))
    with pytest.raises(Exception, match=r"\AUnauthorized\Z"):
        authorize({"methodArn": f"{STAGE}/GET/", "headers": None, "multiValueHeaders": None})


def test_a_revocation_is_seen_after_half_a_minute_at_most(
    store: MemoryCredentialStore, authorize: Authorizer, seconds: Seconds
) -> None:
    key, secret = create_key(store, "acme", now=NOW)
    authorize(event(X_Api_Key=secret))
    store.revoke_key(key.id)

    seconds.now += CACHE_SECONDS - 0.001
    authorize(event(X_Api_Key=secret))
    seconds.now += 0.001
    with pytest.raises(Exception, match="Unauthorized"):
        authorize(event(X_Api_Key=secret))
    assert CACHE_SECONDS <= 30


def test_a_key_that_was_refused_works_once_it_is_there(
    store: MemoryCredentialStore, authorize: Authorizer
) -> None:
    _, secret = create_key(store, "acme", now=NOW)
    store.set_tenant_disabled("acme", True)
    with pytest.raises(Exception, match="Unauthorized"):
        authorize(event(X_Api_Key=secret))

    store.set_tenant_disabled("acme", False)
    assert authorize(event(X_Api_Key=secret))["context"]["tenant_id"] == "acme"


def test_keys_are_looked_up_once_in_half_a_minute_and_the_oldest_forgotten_first(
    store: MemoryCredentialStore, authorize: Authorizer
) -> None:
    secrets = [create_key(store, "acme", now=NOW)[1] for _ in range(CACHE_SIZE + 1)]
    for secret in secrets:
        authorize(event(X_Api_Key=secret))
    store.reads = 0

    for secret in secrets[1:]:
        authorize(event(X_Api_Key=secret))
    assert store.reads == 0
    authorize(event(X_Api_Key=secrets[0]))
    assert store.reads == 1
