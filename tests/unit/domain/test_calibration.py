from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.calibration import Calibration, Calibrations, lexical_share, read_calibrations
from cognis_memory.domain.text import index_terms, query_terms

EVEN = Calibration(bias=-5.0, cosine=4.0, lexical=3.0, rerank=6.0, threshold=0.25)
SHARES = st.floats(0, 1)


def test_the_formula_of_logistic_regression() -> None:
    assert EVEN.probability(0.5, 1.0, 0.0) == pytest.approx(0.5)  # −5 + 2 + 3
    assert EVEN.probability(0.0, 0.0, 0.0) == pytest.approx(0.0066929, rel=1e-4)
    assert EVEN.probability(1.0, 1.0, 1.0) == pytest.approx(0.9996646)


@given(SHARES, SHARES, SHARES, SHARES)
def test_more_of_anything_is_no_less_probable(
    cosine: float, lexical: float, rerank: float, more: float
) -> None:
    least = EVEN.probability(cosine, lexical, rerank)

    assert 0 < least < 1
    assert EVEN.probability(max(cosine, more), lexical, rerank) >= least
    assert EVEN.probability(cosine, max(lexical, more), rerank) >= least
    assert EVEN.probability(cosine, lexical, max(rerank, more)) >= least


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300))
def test_no_number_is_too_large(bias: float, cosine: float) -> None:
    calibration = Calibration(bias=bias, cosine=cosine, lexical=0.0, rerank=0.0, threshold=0.5)
    assert 0 <= calibration.probability(1.0, 0.0, None) <= 1


def test_an_unread_candidate_counts_as_one_that_scored_nothing() -> None:
    assert EVEN.probability(0.4, 0.4, None) == EVEN.probability(0.4, 0.4, 0.0)


@given(st.lists(st.tuples(*[st.floats(-999, 999)] * 4, SHARES), min_size=4, max_size=4))
def test_what_is_written_as_json_is_read_back(four: list[tuple[float, ...]]) -> None:
    calibrations = Calibrations(*(Calibration(*numbers) for numbers in four))

    assert read_calibrations(json.dumps(asdict(calibrations))) == calibrations


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"bias": None}, "spaced has something else than numbers"),
        ({"bias": True}, "spaced has something else than numbers"),
        ({"bias": float("nan")}, "spaced has something else than numbers"),
        ({"bias": 10**400}, "spaced has something else than numbers"),
        ({"threshold": 7}, "the threshold of spaced is no probability"),
        ({"slope": 1.0}, "spaced is no object with just bias, cosine, lexical, rerank, threshold"),
    ],
)
def test_other_json_is_refused(change: dict[str, object], complaint: str) -> None:
    given: dict[str, dict[str, object]] = asdict(Calibrations(EVEN, EVEN, EVEN, EVEN))
    given["spaced"] |= change

    with pytest.raises(ValueError, match=complaint):
        read_calibrations(json.dumps(given))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"spaced": 1}', "null"])
def test_what_is_no_object_of_four_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no object with just spaced, cjk|Expecting value"):
        read_calibrations(text)


def test_a_fifth_is_refused() -> None:
    given = {**asdict(Calibrations(EVEN, EVEN, EVEN, EVEN)), "latin": asdict(EVEN)}
    with pytest.raises(ValueError, match="no object with just"):
        read_calibrations(json.dumps(given))


def test_each_script_has_its_own_with_and_without_a_reranker() -> None:
    four = [Calibration(bias, 0, 0, 0, 0) for bias in range(4)]
    calibrations = Calibrations(spaced=four[0], cjk=four[1], spaced_unranked=four[2], cjk_unranked=four[3])

    assert calibrations.of(cjk=False, reranked=True) is four[0]
    assert calibrations.of(cjk=True, reranked=True) is four[1]
    assert calibrations.of(cjk=False, reranked=False) is four[2]
    assert calibrations.of(cjk=True, reranked=False) is four[3]


@pytest.mark.parametrize(
    ("query", "text", "share"),
    [
        ("Where does Ana live?", "Ana lives in Osaka", 1.0),
        ("Does Ana like tea?", "Ana drinks coffee", 1 / 3),
        ("the of and", "the of and", 0.0),
        ("", "anything", 0.0),
        ("大阪", "大阪に住んでいます", 1.0),
        ("quantum", "大阪に住んでいます", 0.0),
    ],
)
def test_lexical_share(query: str, text: str, share: float) -> None:
    assert lexical_share(query_terms(query), text) == pytest.approx(share)


@given(st.text(), st.text())
def test_the_share_counts_distinct_terms_that_stand_in_the_text(query: str, text: str) -> None:
    terms = query_terms(query)
    standing = {term for term in terms if term in index_terms(text)}

    assert lexical_share([*terms, *terms], text) * len(terms) == pytest.approx(len(standing))
