from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.tokens import CHARACTERS_PER_TOKEN, estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("four", 1),
        ("fives", 2),
        ("東京", 2),
        ("ソウル", 3),
        ("서울", 2),
        ("東京 is it", 4),
    ],
)
def test_estimates(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@given(st.text(), st.text())
def test_longer_texts_take_no_fewer_tokens(one: str, other: str) -> None:
    both = estimate_tokens(one + other)

    assert max(estimate_tokens(one), estimate_tokens(other)) <= both
    assert both <= estimate_tokens(one) + estimate_tokens(other)


@given(st.text())
def test_between_a_token_a_character_and_one_for_four(text: str) -> None:
    assert len(text) / CHARACTERS_PER_TOKEN <= estimate_tokens(text) <= len(text)
