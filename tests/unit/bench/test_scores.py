"""F1 by LoCoMo's formula; the values of `KNOWN` were computed by its own `task_eval/evaluation.py`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qa_bench.scores import (
    ADVERSARIAL,
    MULTI_HOP,
    OPEN_DOMAIN,
    SINGLE_HOP,
    TEMPORAL,
    abstains,
    answer_score,
    coverage,
    multi_answer_f1,
    normalise,
    token_f1,
)

VOCABULARY = [
    "tea",
    "teas",
    "Tokyo",
    "moved",
    "moving",
    "ties",
    "tie",
    "dying",
    "die",
    "7",
    "May",
    "a",
    "the",
]
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=6)
TEXTS = WORDS.map(" ".join) | st.text(max_size=30)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The cat, and a DOG!", "cat dog"),
        ("Theatre and an Andalusian", "theatre andalusian"),
        ("7 May, 2023", "7 may 2023"),
        ("it's state-of-the-art", "its stateoftheart"),
        ("  ", ""),
        ("「東京」に the 家", "「東京」に 家"),
    ],
)
def test_normalise(text: str, normal: str) -> None:
    assert normalise(text) == normal


KNOWN = [
    (SINGLE_HOP, "She moved to Osaka", "moving to Osaka", 6 / 7),
    (SINGLE_HOP, "ties", "tie", 1.0),
    (SINGLE_HOP, "dying", "die", 1.0),
    (SINGLE_HOP, "tea tea tea", "tea", 0.5),
    (SINGLE_HOP, "", "tea", 0.0),
    (TEMPORAL, "May 7, 2023", "7 May 2023", 1.0),
    (TEMPORAL, "the week before 7 May 2023", "7 May 2023", 0.75),
    (OPEN_DOMAIN, "likely no", "Likely no; she never said so", 1.0),
    (SINGLE_HOP, "likely no", "Likely no; she never said so", 0.5),
    (MULTI_HOP, "a dog, cats", "cat, dog", 1.0),
    (MULTI_HOP, "dog", "cat, dog, fish", 1 / 3),
    (MULTI_HOP, "a dog and cats", "cat, dog", 2 / 3),
    (ADVERSARIAL, "No information available.", "", 1.0),
    (ADVERSARIAL, "This was NOT MENTIONED in the chat", "", 1.0),
    (ADVERSARIAL, "There is no information", "", 0.0),
]


@pytest.mark.parametrize(("category", "answer", "gold", "score"), KNOWN)
def test_known_scores(category: str, answer: str, gold: str, score: float) -> None:
    assert answer_score(category, answer, gold) == pytest.approx(score)


@given(TEXTS, TEXTS)
def test_f1_is_symmetric_and_a_share(one: str, other: str) -> None:
    assert token_f1(one, other) == pytest.approx(token_f1(other, one))
    assert 0 <= token_f1(one, other) <= 1 + 1e-9


@given(TEXTS, TEXTS)
def test_f1_is_one_for_the_same_words_in_any_order_and_zero_for_none_shared(one: str, other: str) -> None:
    shuffled = " ".join(reversed(one.split()))
    assert token_f1(shuffled, one) == pytest.approx(1.0 if normalise(one) else 0.0)
    if not set(normalise(one)) & set(normalise(other)):
        assert token_f1(one, other) == 0


@given(TEXTS.filter(lambda text: "," not in text), TEXTS.filter(lambda text: "," not in text))
def test_without_commas_several_answers_are_one(one: str, other: str) -> None:
    assert multi_answer_f1(one, other) == pytest.approx(token_f1(one, other))


@given(st.lists(WORDS.map(" ".join), min_size=1, max_size=4), TEXTS)
def test_more_answers_never_lower_the_score_of_several(golds: list[str], answer: str) -> None:
    gold = ", ".join(golds)
    assert multi_answer_f1(f"{answer}, {golds[0]}", gold) >= multi_answer_f1(answer, gold)


@given(TEXTS, TEXTS)
def test_coverage_is_whole_where_the_gold_answer_is_within(around: str, gold: str) -> None:
    assert coverage(f"{around} {gold}", gold) == (1.0 if normalise(gold) else 0.0)


def test_an_answer_that_abstains_says_so_in_the_words_of_the_benchmark() -> None:
    assert abstains("no information available")
    assert not abstains("Osaka")
