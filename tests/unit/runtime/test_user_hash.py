"""Users in logs."""

from __future__ import annotations

import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.errors import SecretUnavailable
from cognis_memory.models.values import Owner
from cognis_memory.runtime.user_hash import UserHash

NAMES = st.text(min_size=1, max_size=20)


@given(NAMES, NAMES, NAMES, NAMES)
def test_a_hash_stands_for_one_user_of_one_tenant(
    tenant: str, user: str, other_tenant: str, other_user: str
) -> None:
    hashed = UserHash(lambda: b"key")
    same = (tenant, user) == (other_tenant, other_user)

    assert (hashed(Owner(tenant, user)) == hashed(Owner(other_tenant, other_user))) is same


def test_it_is_an_hmac_of_the_key_that_tells_nothing_of_the_user() -> None:
    owner = Owner("acme", "ana")
    expected = hmac.new(b"key", b"4:acmeana", "sha256").hexdigest()

    assert UserHash(lambda: b"key")(owner) == expected[:32]
    assert UserHash(lambda: b"another")(owner) != expected[:32]


def test_the_key_is_read_once_and_again_only_after_a_failure() -> None:
    reads: list[int] = []

    def read() -> bytes:
        reads.append(1)
        if len(reads) == 1:
            raise SecretUnavailable("GetSecretValue: ThrottlingException")
        return b"key"

    hashed = UserHash(read)
    with pytest.raises(SecretUnavailable):
        hashed(Owner("acme", "ana"))
    for user in ("ana", "bob", "ana"):
        hashed(Owner("acme", user))
    assert len(reads) == 2
