"""What holds of masking whatever the text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.secrets import mask_secrets

from .builders import SECRETS

WORDS = st.sampled_from(
    [
        "password",
        "パスワード",
        "PIN",
        "暗証番号",
        "ssn",
        "マイナンバー",
        "token",
        "api key",
        "card",
        "カード番号",
    ]
)
JOINTS = st.sampled_from([" ", "", ": ", "は", " is ", "=", "です。", ", ", "\n", "-", ".", '"', "「"])
FRAGMENTS = st.one_of(
    SECRETS, WORDS, JOINTS, st.text(max_size=12), st.from_regex(r"[0-9]{1,12}", fullmatch=True)
)
TEXTS = st.lists(FRAGMENTS, max_size=14).map("".join)


@given(TEXTS)
def test_a_masked_text_holds_no_secret_and_is_no_longer(text: str) -> None:
    masked = mask_secrets(text)

    assert mask_secrets(masked) == masked
    assert len(masked) <= len(text)
    assert len(masked.encode("utf-8", "surrogatepass")) <= len(text.encode("utf-8", "surrogatepass"))


@given(
    SECRETS,
    st.sampled_from(["", "Here: ", "これです：", "use\n"]),
    st.sampled_from(["", " please", "です。", "\n"]),
)
def test_every_secret_goes_and_the_words_around_it_stay(secret: str, before: str, after: str) -> None:
    masked = mask_secrets(f"{before}{secret}{after}")

    assert secret not in masked
    assert masked.startswith(before)
    assert masked.endswith(after)


@given(
    st.text(
        st.characters(exclude_characters="0123456789０１２３４５６７８９:=：＝", exclude_categories=["Nd"])
    )
)
def test_a_text_without_digits_or_signs_is_returned_as_it_is(text: str) -> None:
    """Only words in quotation marks after the name of a password are left to be one."""
    if not any(mark in text for mark in "\"'`“‘「『") and "BEGIN" not in text:
        assert mask_secrets(text) is text


@pytest.mark.parametrize(
    "unit",
    [
        *("4111 ", "1 ", "4111111111111112 ", "eyJ", "sk-", "://", "://a:", '"', "\n", "a"),
        *("password ", "password is password is ", "パスワードは", "api token ", "token is "),
        "-----BEGIN PRIVATE KEY-----",
    ],
)
def test_time_grows_with_the_length_alone(unit: str) -> None:
    """Ten times the text takes about ten times as long; a square would take a hundred times."""
    short, long = (unit * (size // len(unit)) for size in (10_000, 100_000))

    assert _seconds(long) < 40 * _seconds(short) + 0.1


def _seconds(text: str) -> float:
    started = time.process_time()
    mask_secrets(text)
    return time.process_time() - started
