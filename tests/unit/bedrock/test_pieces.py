from __future__ import annotations

import pytest
from chats import turn
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.adapters.bedrock.extraction.pieces import (
    LEAST_CHARACTERS,
    TOKENS_AROUND,
    Piece,
    chunks,
    halves,
    pieces_of,
)

CONTENTS = st.lists(
    st.text(alphabet=st.sampled_from("ab .\n。大阪"), min_size=1, max_size=3_000), min_size=1, max_size=6
)
BUDGETS = st.integers(min_value=TOKENS_AROUND + LEAST_CHARACTERS, max_value=3_000)


def whole(contents: list[str]) -> list[Piece]:
    return pieces_of([turn(content, position) for position, content in enumerate(contents)])


def rejoined(parts: list[list[Piece]], count: int) -> list[str]:
    texts = [""] * count
    for part in parts:
        for piece in part:
            texts[piece.index] += piece.text
    return texts


@given(contents=CONTENTS, budget=BUDGETS)
def test_chunks_hold_every_text_once_in_order_and_keep_to_the_budget(
    contents: list[str], budget: int
) -> None:
    parts = list(chunks(whole(contents), budget))

    assert rejoined(parts, len(contents)) == contents
    indexes = [piece.index for part in parts for piece in part]
    assert indexes == sorted(indexes)
    assert all(sum(piece.tokens for piece in part) <= budget for part in parts)


@given(contents=CONTENTS)
def test_messages_that_fit_stay_whole_and_together(contents: list[str]) -> None:
    pieces = whole(contents)

    assert list(chunks(pieces, sum(piece.tokens for piece in pieces))) == [pieces]


@given(contents=CONTENTS)
def test_halves_hold_every_text_once_and_both_hold_something(contents: list[str]) -> None:
    pieces = whole(contents)
    parts = halves(pieces)

    if parts is None:
        assert len(pieces) == 1
        assert len(contents[0]) <= LEAST_CHARACTERS
    else:
        assert rejoined(list(parts), len(contents)) == contents
        assert all(piece.text for part in parts for piece in part)
        assert len(pieces) == 1 or {p.index for p in parts[0]}.isdisjoint(p.index for p in parts[1])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("One thing. " * 20 + "\n\n", "Another. " * 20 + "\nA line. " * 3),
        ("One thing. " * 20 + "\n", "Another thing. " * 15),
        ("これはひとつの文です。" * 14, "これは別の文です。" * 17),
    ],
)
def test_a_text_is_cut_where_it_pauses(before: str, after: str) -> None:
    parts = halves([Piece(3, before + after)])

    assert parts is not None
    (first,), (second,) = parts
    assert first.index == second.index == 3
    assert first.text[-1] in "\n。"
    assert second.text.startswith(after[:5]) or "\n" not in before


def test_a_text_without_a_pause_is_cut_in_the_middle() -> None:
    assert halves([Piece(0, "大" * 1_000)]) == ([Piece(0, "大" * 500)], [Piece(0, "大" * 500)])
