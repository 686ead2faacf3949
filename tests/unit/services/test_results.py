"""Scores fall with rank."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.services.retrieval.results import falling

SCORES = st.lists(st.floats(0, 1))


@given(SCORES)
def test_raised_scores_fall_and_are_never_lowered(scores: list[float]) -> None:
    raised = falling(scores)

    assert raised == sorted(raised, reverse=True)
    assert all(after >= before for before, after in zip(scores, raised, strict=True))


@given(SCORES)
def test_none_is_raised_further_than_to_one_behind_it(scores: list[float]) -> None:
    for place, raised in enumerate(falling(scores)):
        assert raised in scores[place:]


@given(SCORES)
def test_scores_that_fall_already_stay(scores: list[float]) -> None:
    ordered = sorted(scores, reverse=True)
    assert falling(ordered) == ordered
