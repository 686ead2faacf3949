"""The form of API keys."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.api_keys import KEY_BYTES, KEY_ID_BYTES, api_key, digest, is_api_key, key_id


@given(st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES))
def test_every_key_has_the_form_of_keys(randomness: bytes) -> None:
    key = api_key(randomness)

    assert is_api_key(key)
    assert digest(key) == hashlib.sha256(key.encode()).hexdigest()


@given(st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES), st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES))
def test_other_bytes_make_another_key(one: bytes, other: bytes) -> None:
    assert (api_key(one) == api_key(other)) == (one == other)


@given(st.text())
def test_hardly_any_text_is_a_key(text: str) -> None:
    assert not is_api_key(text)


@pytest.mark.parametrize(
    "text", ["cgn_", "cgn_" + "a" * 42, "cgn_" + "a" * 44, "cgn_" + "あ" * 43, "CGN_" + "a" * 43]
)
def test_what_is_nearly_a_key_is_none(text: str) -> None:
    assert not is_api_key(text)
    assert not is_api_key(f"cgn_{'a' * 43}\n")


def test_ids_of_keys_can_be_read_out_loud() -> None:
    assert key_id(bytes(KEY_ID_BYTES)) == "key_aaaaaaaaaaaaaaaa"


@pytest.mark.parametrize("size", [0, 9, 11, 31, 33])
def test_too_few_random_bytes_make_nothing(size: int) -> None:
    with pytest.raises(ValueError, match="32 random bytes"):
        api_key(bytes(size))
    with pytest.raises(ValueError, match="10 random bytes"):
        key_id(bytes(size))
