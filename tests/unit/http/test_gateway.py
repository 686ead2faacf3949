"""Proxy events, read so that every part of a request means one thing."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from api_gateway import proxy_event
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.errors import InputTooLarge, InvalidInput
from cognis_memory.models.credential import Credential
from cognis_memory.models.requests import MAX_REQUEST_BYTES
from cognis_memory.runtime.http import gateway
from cognis_memory.runtime.http.faults import Unauthenticated, UnsupportedMediaType

JSON = {"Content-Type": "application/json"}
SEGMENTS = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), min_size=1)


def read_path(event: dict[str, Any]) -> str:
    """The user id that a function reads out of the path it routes by."""
    return gateway.path_parameters({"user_id": gateway.routed_path(event).split("/")[3]})["user_id"]


@given(SEGMENTS.filter(lambda text: text not in (".", "..")))
def test_whatever_a_user_is_called_the_path_says_it(user_id: str) -> None:
    event = proxy_event("DELETE", f"/v1/users/{quote(user_id, safe='')}")

    assert read_path(event) == user_id
    assert len(gateway.routed_path(event).split("/")) == 4


@given(SEGMENTS.filter(lambda text: "%" not in text))
def test_a_gateway_that_decodes_says_the_same(user_id: str) -> None:
    event = proxy_event("DELETE", f"/v1/users/{quote(user_id, safe='')}", decodes_paths=True)

    assert read_path(event) == user_id


@pytest.mark.parametrize("segment", ["%ff", "%C3", "%00", "a%00b", "%ed%a0%80"])
def test_paths_that_are_no_text_are_refused(segment: str) -> None:
    with pytest.raises(InvalidInput):
        read_path(proxy_event("DELETE", f"/v1/users/{segment}"))


def test_lone_surrogates_in_a_decoded_path_are_refused() -> None:
    event = proxy_event("DELETE", "/v1/users/x") | {"pathParameters": {"user_id": "\ud800"}}

    with pytest.raises(InvalidInput):
        read_path(event)


def test_query_parameters_are_given_once_and_with_a_value() -> None:
    assert gateway.query_parameters(proxy_event("GET", "/v1/memories?a=1&b=%E3%81%82")) == {
        "a": "1",
        "b": "あ",
    }
    assert gateway.query_parameters(proxy_event("GET", "/v1/memories")) == {}
    single = {"queryStringParameters": {"a": "1"}, "multiValueQueryStringParameters": None}
    assert gateway.query_parameters(single) == {"a": "1"}


@pytest.mark.parametrize("query", ["a=1&a=1", "a=1&a=2", "a=", "a", "a=%00", "%00=1"])
def test_ambiguous_query_parameters_are_refused(query: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        gateway.query_parameters(proxy_event("GET", f"/v1/memories?{query}"))
    assert refused.value.errors[0].field in ("a", "\x00")


@pytest.mark.parametrize(
    "name",
    [
        "X-Tenant-Id",
        "x-tenant-id",
        "X-Tenant",
        "Tenant-Id",
        "Tenant",
        "tenant_id",
        "TenantId",
        "X-Cognis-Tenant",
    ],
)
def test_a_tenant_is_not_named_by_a_header(name: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        gateway.refuse_tenant(proxy_event("GET", "/v1/memories", headers={name: "other"}))
    assert [fault.field for fault in refused.value.errors] == [name]


def test_other_headers_are_nobodys_business() -> None:
    gateway.refuse_tenant(
        proxy_event("GET", "/v1/memories", headers={"X-Tenants-Rights": "1", "Lieutenant": "1"})
    )


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        'application/json;charset="UTF-8"',
        "application/vnd.acme+json",
    ],
)
def test_json_has_several_names(content_type: str) -> None:
    event = proxy_event("POST", "/v1/memories", '{"a": 1}', {"content-type": content_type})

    assert gateway.json_body(event) == {"a": 1}


@pytest.mark.parametrize(
    "content_type",
    [
        "",
        "text/plain",
        "application/xml",
        "application/jsonx",
        "multipart/form-data",
        "application/json; charset=utf-16",
    ],
)
def test_bodies_by_other_names_are_refused(content_type: str) -> None:
    with pytest.raises(UnsupportedMediaType):
        gateway.json_body(proxy_event("POST", "/v1/memories", "{}", {"Content-Type": content_type}))
    with pytest.raises(UnsupportedMediaType):
        gateway.json_body(proxy_event("POST", "/v1/memories", "{}"))


def test_bodies_come_as_text_or_as_base64() -> None:
    assert gateway.json_body(proxy_event("POST", "/v1/memories", '{"a": "あ"}', JSON)) == {"a": "あ"}
    assert gateway.json_body(proxy_event("POST", "/v1/memories", '{"a": "あ"}'.encode(), JSON)) == {"a": "あ"}


@pytest.mark.parametrize("body", [b"\xff\xfe{}", '{"a": "あ"}'.encode("utf-16"), b'{"a": "\xe3\x81"}'])
def test_bodies_that_are_not_utf8_are_refused(body: bytes) -> None:
    with pytest.raises(InvalidInput, match="UTF-8"):
        gateway.json_body(proxy_event("POST", "/v1/memories", body, JSON))


@pytest.mark.parametrize("body", ["é", "abc", "a===", "{}"])
def test_bodies_that_are_not_base64_are_refused(body: str) -> None:
    event = proxy_event("POST", "/v1/memories", body, JSON) | {"isBase64Encoded": True}

    with pytest.raises(InvalidInput, match="base64"):
        gateway.json_body(event)


def test_the_limit_counts_bytes() -> None:
    def body(size: int) -> dict[str, Any]:
        return proxy_event("POST", "/v1/memories", '{"a": "' + "あ" * ((size - 9) // 3) + '"}', JSON)

    assert gateway.json_body(body(MAX_REQUEST_BYTES))
    with pytest.raises(InputTooLarge, match="5000000"):
        gateway.json_body(body(MAX_REQUEST_BYTES + 3))


def test_the_credential_is_what_the_authorizer_says() -> None:
    def event(**context: str) -> dict[str, Any]:
        return proxy_event("GET", "/v1/memories", authorizer=context)

    assert gateway.credential(event(tenant_id="t", key_id="k")) == Credential("t", "k")
    assert gateway.credential(event(tenant_id="t", key_id="k", user_id="u")) == Credential("t", "k", "u")
    for context in ({}, {"tenant_id": "t"}, {"key_id": "k"}, {"tenant_id": "", "key_id": "k"}):
        with pytest.raises(Unauthenticated):
            gateway.credential(event(**context))


@pytest.mark.parametrize("key", ["k", "あ", "k" * 255, " k "])
def test_an_idempotency_key_is_any_short_text(key: str) -> None:
    assert (
        gateway.idempotency_key(proxy_event("POST", "/v1/memories", headers={"idempotency-KEY": key})) == key
    )


@pytest.mark.parametrize("key", ["", " ", "k" * 256, "\x00", ["a", "b"], ["a", "a"]])
def test_blank_overlong_and_repeated_idempotency_keys_are_refused(key: str | list[str]) -> None:
    with pytest.raises(InvalidInput):
        gateway.idempotency_key(proxy_event("POST", "/v1/memories", headers={"Idempotency-Key": key}))
    assert gateway.idempotency_key(proxy_event("POST", "/v1/memories")) is None
