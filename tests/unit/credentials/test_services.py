"""Tenants and keys as they are made, and whom a key stands for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from credential_store import MemoryCredentialStore

from cognis_memory.domain.api_keys import digest
from cognis_memory.errors import AlreadyExists, InvalidInput, NotFound
from cognis_memory.models.credential import Credential
from cognis_memory.services.credentials import authenticate, create_key, create_tenant, list_keys

NOW = datetime(2026, 7, 15, 12, 0, tzinfo=UTC)


@pytest.fixture
def store() -> MemoryCredentialStore:
    made = MemoryCredentialStore()
    create_tenant(made, "acme", None, now=NOW)
    return made


def test_a_key_stands_for_its_tenant(store: MemoryCredentialStore) -> None:
    key, secret = create_key(store, "acme", now=NOW)

    assert authenticate(store, secret) == Credential("acme", key.id)


def test_a_bound_key_stands_for_its_user(store: MemoryCredentialStore) -> None:
    key, secret = create_key(store, "acme", now=NOW, user_id="アナ")

    assert authenticate(store, secret) == Credential("acme", key.id, "アナ")


def test_what_is_kept_is_not_the_key(store: MemoryCredentialStore) -> None:
    key, secret = create_key(store, "acme", now=NOW)

    assert key.digest == digest(secret)
    assert secret not in repr(list(store.keys("acme")))
    assert authenticate(store, key.digest) is None
    assert authenticate(store, key.id) is None


def test_revoked_keys_and_disabled_tenants_stand_for_nobody(store: MemoryCredentialStore) -> None:
    key, secret = create_key(store, "acme", now=NOW)
    _, other = create_key(store, "acme", now=NOW)

    store.revoke_key(key.id)
    assert authenticate(store, secret) is None
    assert authenticate(store, other) is not None
    store.set_tenant_disabled("acme", True)
    assert authenticate(store, other) is None
    store.set_tenant_disabled("acme", False)
    assert authenticate(store, other) is not None
    assert authenticate(store, secret) is None


def test_a_key_of_a_tenant_that_is_gone_stands_for_nobody(store: MemoryCredentialStore) -> None:
    key, secret = create_key(store, "acme", now=NOW)
    lonely = MemoryCredentialStore()
    lonely.create_key(key)

    assert authenticate(lonely, secret) is None


@pytest.mark.parametrize("text", ["", "wrong", "cgn_" + "a" * 43, "\ud800"])
def test_texts_that_are_no_keys_stand_for_nobody(store: MemoryCredentialStore, text: str) -> None:
    assert authenticate(store, text) is None


@pytest.mark.parametrize("tenant_id", ["", " ", "a b", "-a", "a/b", "アクメ", "a" * 65, "a\n"])
def test_what_cannot_be_a_tenant_is_refused(store: MemoryCredentialStore, tenant_id: str) -> None:
    with pytest.raises(InvalidInput):
        create_tenant(store, tenant_id, None, now=NOW)
    assert [tenant.id for tenant in store.tenants()] == ["acme"]


def test_a_tenant_is_named_by_its_id_where_no_name_is_given(store: MemoryCredentialStore) -> None:
    assert create_tenant(store, "b.c-1", "ビー", now=NOW).name == "ビー"
    assert create_tenant(store, "d_2", None, now=NOW).name == "d_2"
    with pytest.raises(AlreadyExists):
        create_tenant(store, "acme", "again", now=NOW)


def test_keys_need_a_tenant_and_a_user_that_requests_can_name(store: MemoryCredentialStore) -> None:
    with pytest.raises(NotFound):
        create_key(store, "nobody", now=NOW)
    for user_id in ("", " ", "u" * 257):
        with pytest.raises(InvalidInput):
            create_key(store, "acme", now=NOW, user_id=user_id)
    assert list(store.keys("acme")) == []


def test_keys_are_listed_in_the_order_of_their_making(store: MemoryCredentialStore) -> None:
    made = [create_key(store, "acme", now=NOW + timedelta(days=age))[0] for age in (2, 0, 1)]

    assert list_keys(store, "acme") == [made[1], made[2], made[0]]
    with pytest.raises(NotFound):
        list_keys(store, "nobody")
