"""The API's JSON filters are read whole or refused with the path of the fault."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.filters import EVERYTHING, And, Comparator, Comparison, Not, Or, parse_filter
from cognis_memory.errors import InvalidInput

TRAVEL = Comparison("category", Comparator.EQ, "travel")
PRO = Comparison("metadata.plan", Comparator.IN, ("pro",))


def refused_at(raw: object) -> str:
    with pytest.raises(InvalidInput) as refusal:
        parse_filter(raw)
    (error,) = refusal.value.errors
    assert error.message
    return error.field


@pytest.mark.parametrize("raw", [None, {}])
def test_nothing_given_means_everything(raw: object) -> None:
    assert parse_filter(raw) == EVERYTHING


def test_connectives_nest() -> None:
    raw = {
        "AND": [
            {"category": {"eq": "travel"}},
            {"OR": [{"metadata.plan": {"in": ["pro"]}}, {"NOT": {"category": {"eq": "travel"}}}]},
        ]
    }
    assert parse_filter(raw) == And((TRAVEL, Or((PRO, Not(TRAVEL)))))


def test_several_entries_mean_and() -> None:
    assert parse_filter({"category": {"eq": "travel"}, "metadata.plan": {"in": ["pro"]}}) == And(
        (TRAVEL, PRO)
    )
    assert parse_filter({"OR": [{"category": {"eq": "travel"}}], "metadata.plan": {"in": ["pro"]}}) == And(
        (Or((TRAVEL,)), PRO)
    )


def test_several_operators_of_a_field_mean_and() -> None:
    assert parse_filter({"metadata.stars": {"gte": 3, "lt": 5}}) == And(
        (
            Comparison("metadata.stars", Comparator.GTE, 3),
            Comparison("metadata.stars", Comparator.LT, 5),
        )
    )


@pytest.mark.parametrize("field", ["timestamp", "event_time", "created_at"])
def test_times_are_read_for_the_fields_that_hold_times(field: str) -> None:
    moment = datetime(2026, 7, 15, tzinfo=UTC)
    assert parse_filter({field: {"gte": "2026-07-15T09:00:00+09:00"}}) == Comparison(
        field, Comparator.GTE, moment
    )
    assert parse_filter({field: {"in": ["2026-07-15T00:00:00Z"]}}) == Comparison(
        field, Comparator.IN, (moment,)
    )


def test_metadata_keeps_its_times_as_texts() -> None:
    raw = "2026-07-15T09:00:00+09:00"
    assert parse_filter({"metadata.due": {"lt": raw}}) == Comparison("metadata.due", Comparator.LT, raw)


@pytest.mark.parametrize("value", ["pro", 3, 2.5, True, "東京"])
def test_metadata_takes_every_kind_of_value(value: Any) -> None:
    assert parse_filter({"metadata.a.b": {"eq": value}}) == Comparison("metadata.a.b", Comparator.EQ, value)


def test_a_part_of_a_category_need_not_be_one() -> None:
    assert parse_filter({"category": {"contains": "skill"}}) == Comparison(
        "category", Comparator.CONTAINS, "skill"
    )


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ([], "filters"),
        ("category", "filters"),
        ({"colour": {"eq": "red"}}, "filters.colour"),
        ({"is_current": {"eq": False}}, "filters.is_current"),
        ({"valid_from": {"lt": "2026-07-15T00:00:00Z"}}, "filters.valid_from"),
        ({"metadata": {"eq": 1}}, "filters.metadata"),
        ({"metadata.": {"eq": 1}}, "filters.metadata."),
        ({"and": [{"category": {"eq": "travel"}}]}, "filters.and"),
        ({"AND": []}, "filters.AND"),
        ({"OR": {"category": {"eq": "travel"}}}, "filters.OR"),
        ({"AND": [{"category": {"eq": "travel"}}, {}]}, "filters.AND[1]"),
        ({"AND": [{"category": {"eq": 3}}]}, "filters.AND[0].category.eq"),
        ({"NOT": [{"category": {"eq": "travel"}}]}, "filters.NOT"),
        ({"NOT": {"category": {"near": "travel"}}}, "filters.NOT.category.near"),
        ({"category": "travel"}, "filters.category"),
        ({"category": {}}, "filters.category"),
        ({"category": {"eq": "travels"}}, "filters.category.eq"),
        ({"category": {"eq": ["travel"]}}, "filters.category.eq"),
        ({"category": {"in": "travel"}}, "filters.category.in"),
        ({"category": {"in": []}}, "filters.category.in"),
        ({"kind": {"in": ["memory", "note"]}}, "filters.kind.in[1]"),
        ({"scope": {"ne": "user"}}, "filters.scope.ne"),
        ({"speaker": {"eq": None}}, "filters.speaker.eq"),
        ({"speaker": {"eq": 3}}, "filters.speaker.eq"),
        ({"speaker": {"eq": "\ud800"}}, "filters.speaker.eq"),
        ({"speaker": {"contains": ""}}, "filters.speaker.contains"),
        ({"speaker": {"exists": "yes"}}, "filters.speaker.exists"),
        ({"speaker": {"exists": 1}}, "filters.speaker.exists"),
        ({"timestamp": {"gt": "yesterday"}}, "filters.timestamp.gt"),
        ({"timestamp": {"gt": "2026-07-15"}}, "filters.timestamp.gt"),
        ({"timestamp": {"gt": "2026-07-15T00:00:00"}}, "filters.timestamp.gt"),
        ({"timestamp": {"gt": "2026-02-30T00:00:00Z"}}, "filters.timestamp.gt"),
        ({"timestamp": {"gt": 1752537600}}, "filters.timestamp.gt"),
        ({"timestamp": {"contains": "2026"}}, "filters.timestamp.contains"),
        ({"metadata.stars": {"near": 5}}, "filters.metadata.stars.near"),
        ({"metadata.stars": {"gte": True}}, "filters.metadata.stars.gte"),
        ({"metadata.stars": {"eq": None}}, "filters.metadata.stars.eq"),
        ({"metadata.stars": {"eq": {"a": 1}}}, "filters.metadata.stars.eq"),
        ({"metadata.stars": {"eq": float("nan")}}, "filters.metadata.stars.eq"),
        ({"metadata.stars": {"eq": 2**63}}, "filters.metadata.stars.eq"),
        ({"metadata.tags": {"contains": ""}}, "filters.metadata.tags.contains"),
        ({"metadata.\ud800": {"eq": 1}}, "filters"),
        ({"x" * 10_000: {"eq": 1}}, "filters"),
    ],
)
def test_faults_are_refused_at_their_path(raw: object, path: str) -> None:
    assert refused_at(raw) == path


def nested(levels: int) -> dict[str, Any]:
    raw: dict[str, Any] = {"category": {"eq": "travel"}}
    for _ in range(levels - 1):
        raw = {"NOT": raw}
    return raw


def test_nesting_is_bounded() -> None:
    assert parse_filter(nested(8)) is not None
    assert refused_at(nested(9)) == "filters" + ".NOT" * 8
    assert refused_at(nested(500)) == "filters" + ".NOT" * 8


def test_comparisons_are_bounded() -> None:
    comparison = {"metadata.a": {"gt": 1, "lt": 3}}
    assert isinstance(parse_filter({"OR": [comparison] * 50}), Or)
    assert refused_at({"OR": [comparison] * 51}) == "filters.OR[50].metadata.a.gt"


def test_values_of_in_are_bounded() -> None:
    assert parse_filter({"metadata.a": {"in": list(range(100))}})
    assert refused_at({"metadata.a": {"in": list(range(101))}}) == "filters.metadata.a.in"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda values: (
        st.lists(values, max_size=3)
        | st.dictionaries(
            st.sampled_from(["AND", "OR", "NOT", "category", "timestamp", "metadata.a", "eq", "in", "exists"])
            | st.text(max_size=3),
            values,
            max_size=3,
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_json_is_read_or_refused(raw: object) -> None:
    try:
        parsed = parse_filter(raw)
    except InvalidInput as refusal:
        faults = refusal.errors
    else:
        faults = []
        assert (parsed == EVERYTHING) is (not raw)
        assert raw is None or isinstance(raw, dict)
    assert all(fault.field.startswith("filters") for fault in faults)
