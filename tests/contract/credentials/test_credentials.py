"""What every store of tenants and keys must hold."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from cognis_memory.errors import AlreadyExists, NotFound
from cognis_memory.models.credential import ApiKey, Tenant
from cognis_memory.ports import CredentialStore

NOW = datetime(2026, 7, 15, 12, 0, 1, 250_000, tzinfo=UTC)
ACME = Tenant(id="acme", name="アクメ Ltd.", created_at=NOW)
KEY = ApiKey(id="key_1", digest="d1", tenant_id="acme", created_at=NOW)


def test_a_tenant_reads_back_as_it_was_made(store: CredentialStore) -> None:
    store.create_tenant(ACME)

    assert store.get_tenant("acme") == ACME
    assert store.get_tenant("acm") is None


def test_a_tenant_is_made_once(store: CredentialStore) -> None:
    store.create_tenant(ACME)

    with pytest.raises(AlreadyExists):
        store.create_tenant(replace(ACME, name="another"))
    assert store.get_tenant("acme") == ACME


def test_a_tenant_is_disabled_and_enabled_again(store: CredentialStore) -> None:
    store.create_tenant(ACME)

    store.set_tenant_disabled("acme", True)
    assert store.get_tenant("acme") == replace(ACME, disabled=True)
    store.set_tenant_disabled("acme", True)
    store.set_tenant_disabled("acme", False)
    assert store.get_tenant("acme") == ACME


def test_an_unknown_tenant_cannot_be_disabled_into_being(store: CredentialStore) -> None:
    with pytest.raises(NotFound):
        store.set_tenant_disabled("acme", True)
    assert store.get_tenant("acme") is None


@pytest.mark.parametrize("user_id", [None, "ana", "アナ / #1"])
def test_a_key_is_found_by_its_digest(store: CredentialStore, user_id: str | None) -> None:
    key = replace(KEY, user_id=user_id)
    store.create_key(key)

    assert store.get_key("d1") == key
    assert store.get_key("d") is None
    assert store.get_key("key_1") is None


def test_no_two_keys_have_one_digest(store: CredentialStore) -> None:
    store.create_key(KEY)

    with pytest.raises(AlreadyExists):
        store.create_key(replace(KEY, tenant_id="other"))
    assert store.get_key("d1") == KEY


def test_a_key_is_revoked_by_its_id_for_good(store: CredentialStore) -> None:
    store.create_key(KEY)
    store.create_key(replace(KEY, id="key_2", digest="d2"))

    store.revoke_key("key_1")
    store.revoke_key("key_1")
    assert store.get_key("d1") == replace(KEY, revoked=True)
    assert store.get_key("d2") == replace(KEY, id="key_2", digest="d2")
    with pytest.raises(NotFound):
        store.revoke_key("key_3")


def test_lists_tell_tenants_and_their_keys_apart(store: CredentialStore) -> None:
    store.create_tenant(ACME)
    store.create_tenant(replace(ACME, id="acme2"))
    for number, tenant in enumerate(("acme", "acme", "acme2")):
        store.create_key(replace(KEY, id=f"key_{number}", digest=f"d{number}", tenant_id=tenant))
    store.revoke_key("key_1")

    assert {tenant.id for tenant in store.tenants()} == {"acme", "acme2"}
    assert {(key.id, key.revoked) for key in store.keys("acme")} == {("key_0", False), ("key_1", True)}
    assert list(store.keys("acm")) == []


def test_lists_go_on_over_pages(store: CredentialStore) -> None:
    """More than the megabyte that DynamoDB reads at once."""
    for number in range(1_500):
        store.create_key(replace(KEY, id=f"key_{number}", digest=f"d{number}", user_id="u" * 1_000))

    assert len(list(store.keys("acme"))) == 1_500
    store.revoke_key("key_1499")
    assert sum(key.revoked for key in store.keys("acme")) == 1
