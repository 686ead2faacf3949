"""What filters mean; the indexes' contract suites hold them to the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.filters import (
    EVERYTHING,
    FIELD_TYPES,
    And,
    Comparator,
    Comparison,
    FieldType,
    Filter,
    Not,
    Or,
    matches,
)
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import Category, Kind

NOON = datetime(2026, 7, 15, 12, tzinfo=UTC)


def document(**fields: Any) -> IndexDocument:
    defaults: dict[str, Any] = {
        "id": "mem_1",
        "kind": Kind.MEMORY,
        "text": "Ana lives in Osaka",
        "vector": np.zeros(768, np.float32),
        "revision": 1,
        "timestamp": NOON,
        "created_at": NOON,
        "valid_from": NOON,
    }
    return IndexDocument(**(defaults | fields))


def holds(field: str, comparator: str, value: Any, **fields: Any) -> bool:
    return matches(Comparison(field, Comparator(comparator), value), document(**fields))


def metadata_holds(stored: Any, comparator: str, value: Any) -> bool:
    return holds("metadata.key", comparator, value, metadata={"key": stored})


MISSING = [
    ("speaker", {"speaker": None}),
    ("category", {}),
    ("event_time", {}),
    ("metadata.key", {"metadata": {}}),
    ("metadata.key", {"metadata": {"key": []}}),
]


@pytest.mark.parametrize(("field", "fields"), MISSING)
def test_a_missing_field_satisfies_only_ne_and_its_absence(field: str, fields: dict[str, Any]) -> None:
    value: Any = NOON if FIELD_TYPES.get(field) is FieldType.TIME else "x"
    satisfied = {
        comparator.value
        for comparator in Comparator
        if comparator is not Comparator.EXISTS
        and holds(field, comparator, (value,) if comparator is Comparator.IN else value, **fields)
    }

    assert satisfied == {"ne"}
    assert holds(field, "exists", False, **fields)
    assert not holds(field, "exists", True, **fields)


def test_a_field_that_is_there_exists() -> None:
    assert holds("metadata.key", "exists", True, metadata={"key": ""})
    assert not holds("metadata.key", "exists", False, metadata={"key": False})


@pytest.mark.parametrize(
    ("stored", "value"),
    [("3", 3), (3, "3"), (True, 1), (1, True), (0, False), (False, 0.0), ("true", True), ("a", "A")],
)
def test_values_of_two_types_are_neither_equal_nor_in_order(stored: Any, value: Any) -> None:
    assert not metadata_holds(stored, "eq", value)
    assert metadata_holds(stored, "ne", value)
    assert not metadata_holds(stored, "in", (value,))
    if type(stored) is not type(value):
        assert not any(metadata_holds(stored, order, value) for order in ("gt", "gte", "lt", "lte"))


def test_a_text_is_not_a_time() -> None:
    assert not holds("timestamp", "eq", "2026-07-15T12:00:00Z")
    assert not metadata_holds("2026-07-15T12:00:00Z", "eq", NOON)


def test_integers_and_floats_are_numbers_alike() -> None:
    assert metadata_holds(3, "eq", 3.0)
    assert metadata_holds(3.5, "gt", 3)
    assert metadata_holds(3, "lte", 3.0)


def test_booleans_are_equal_but_have_no_order() -> None:
    assert metadata_holds(True, "eq", True)
    assert not metadata_holds(False, "eq", True)
    assert not any(metadata_holds(True, order, True) for order in ("gt", "gte", "lt", "lte"))


def test_texts_are_in_order_by_code_point() -> None:
    assert metadata_holds("Zebra", "lt", "apple")
    assert metadata_holds("大阪", "lt", "東京")
    assert metadata_holds("2026-07-15", "lt", "2026-07-16T00:00:00Z")


def test_texts_that_are_times_are_compared_as_instants() -> None:
    in_tokyo = "2026-07-15T09:00:00+09:00"

    assert metadata_holds(in_tokyo, "eq", "2026-07-15T00:00:00Z")
    assert metadata_holds([in_tokyo], "in", ("2026-07-15T00:00:00.000z",))
    assert metadata_holds(in_tokyo, "lt", "2026-07-15T08:00:00Z")
    assert not metadata_holds(in_tokyo, "gt", "2026-07-15T08:00:00Z")


def test_a_list_satisfies_a_comparison_when_an_element_does() -> None:
    assert metadata_holds(["a", 5], "eq", 5)
    assert metadata_holds(["a", 5], "in", ("b", "a"))
    assert metadata_holds(["a", 5], "gte", 4)
    assert not metadata_holds(["a", 5], "ne", "a")
    assert not metadata_holds(["a", "5"], "gte", 4)


def test_contains_looks_for_a_substring_of_a_text() -> None:
    assert metadata_holds("Straße nach Osaka", "contains", "STRASSE")
    assert metadata_holds("大阪に引っ越した", "contains", "引っ越")
    assert holds("speaker", "contains", "na", speaker="Ana")
    assert not metadata_holds("Osaka", "contains", "Tokyo")


def test_contains_looks_for_an_element_of_a_list() -> None:
    assert metadata_holds(["pro", 3], "contains", "pro")
    assert metadata_holds(["pro", 3], "contains", 3)
    assert not metadata_holds(["professional"], "contains", "pro")
    assert not metadata_holds(["Pro"], "contains", "pro")


def test_contains_finds_nothing_in_a_number() -> None:
    assert not metadata_holds(33, "contains", 3)
    assert not metadata_holds(True, "contains", True)


def test_a_metadata_key_may_hold_dots() -> None:
    assert holds("metadata.a.b", "eq", 1, metadata={"a.b": 1})


def test_enumerated_fields_compare_with_their_names() -> None:
    assert holds("category", "eq", "travel", category=Category.TRAVEL)
    assert holds("kind", "in", ("message", "memory"))
    assert holds("is_current", "eq", True)


def test_times_compare_across_zones() -> None:
    tokyo = NOON.astimezone(tz=datetime.fromisoformat("2026-01-01T00:00:00+09:00").tzinfo)
    assert holds("timestamp", "eq", tokyo)
    assert holds("timestamp", "lt", tokyo + timedelta(microseconds=1))


@pytest.mark.parametrize("field", ["text", "vector", "colour", "metadata"])
def test_a_field_that_no_filter_may_name_is_refused(field: str) -> None:
    with pytest.raises(ValueError, match=field):
        matches(Comparison(field, Comparator.EQ, "x"), document())


def test_no_condition_is_everything_and_no_alternative_nothing() -> None:
    assert matches(EVERYTHING, document())
    assert not matches(Or(()), document())


SCALARS = st.one_of(
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([-1.5, 0.0, 2.0]),
    st.sampled_from(["", "a", "A", "ab", "2026-07-15T00:00:00Z", "2026-07-15T09:00:00+09:00", "東京"]),
)
METADATA = st.dictionaries(st.sampled_from("xy"), SCALARS | st.lists(SCALARS, max_size=3))
COMPARISONS = st.one_of(
    st.builds(
        Comparison,
        st.sampled_from(["metadata.x", "metadata.y"]),
        st.sampled_from(sorted(set(Comparator) - {Comparator.IN, Comparator.EXISTS})).map(Comparator),
        SCALARS,
    ),
    st.builds(Comparison, st.just("metadata.x"), st.just(Comparator.IN), st.lists(SCALARS).map(tuple)),
    st.builds(Comparison, st.just("metadata.y"), st.just(Comparator.EXISTS), st.booleans()),
)
FILTERS: st.SearchStrategy[Filter] = st.recursive(
    COMPARISONS,
    lambda parts: st.one_of(
        st.builds(And, st.lists(parts, max_size=3).map(tuple)),
        st.builds(Or, st.lists(parts, max_size=3).map(tuple)),
        st.builds(Not, parts),
    ),
    max_leaves=6,
)


@given(FILTERS, FILTERS, METADATA)
def test_logic_is_two_valued(left: Filter, right: Filter, metadata: dict[str, Any]) -> None:
    found = document(metadata=metadata)

    assert matches(Not(left), found) is not matches(left, found)
    assert matches(Not(And((left, right))), found) is matches(Or((Not(left), Not(right))), found)
    assert matches(Or((left, Not(left))), found)


@given(SCALARS, METADATA)
def test_comparators_agree_with_each_other(value: Any, metadata: dict[str, Any]) -> None:
    found = document(metadata=metadata)

    def satisfies(comparator: Comparator, operand: Any = value) -> bool:
        return matches(Comparison("metadata.x", comparator, operand), found)

    assert satisfies(Comparator.NE) is not satisfies(Comparator.EQ)
    assert satisfies(Comparator.IN, (value,)) is satisfies(Comparator.EQ)
    assert satisfies(Comparator.EXISTS, True) is not satisfies(Comparator.EXISTS, False)
    if not isinstance(value, bool):
        assert satisfies(Comparator.GTE) is (satisfies(Comparator.GT) or satisfies(Comparator.EQ))
        assert satisfies(Comparator.LTE) is (satisfies(Comparator.LT) or satisfies(Comparator.EQ))
