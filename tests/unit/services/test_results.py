"""Scores fall with rank and never exceed a result's own probability."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.services.retrieval.results import falling

PROBABILITIES = st.lists(st.floats(0, 1))


@given(PROBABILITIES)
def test_scores_fall_and_none_is_raised(probabilities: list[float]) -> None:
    scores = falling(probabilities)

    assert scores == sorted(scores, reverse=True)
    assert all(score <= own for score, own in zip(scores, probabilities, strict=True))


@given(PROBABILITIES)
def test_none_is_lowered_further_than_to_one_before_it(probabilities: list[float]) -> None:
    for place, score in enumerate(falling(probabilities)):
        assert score in probabilities[: place + 1]


@given(PROBABILITIES)
def test_probabilities_that_fall_already_stay(probabilities: list[float]) -> None:
    ordered = sorted(probabilities, reverse=True)
    assert falling(ordered) == ordered
