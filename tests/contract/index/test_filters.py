"""Filters mean in every index what `cognis_memory.domain.filters.matches` says."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cognis_memory.domain.filters import (
    EVERYTHING,
    FIELD_TYPES,
    And,
    Comparator,
    Comparison,
    FieldType,
    Filter,
    FilterValue,
    Not,
    Or,
    ended_since,
    known_at,
    matches,
    visible,
)
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.times import whole_milliseconds
from cognis_memory.models.values import Category, Kind, Owner, Scope

from .builders import NOON, OWNER, SearchIndex, apply, document, ids, matching, near, vectors

TOKYO = timezone(timedelta(hours=9))
TEXTS = (
    "",
    "a",
    "A",
    "ab",
    "straße",
    "STRASSE",
    "東京",
    "x\0y",
    "50%_'\"",
    "1",
    "true",
    "2026-07-15T12:00:00Z",
    "2026-07-15T21:00:00+09:00",
    "2026-07-15T12:00:00.000001Z",
    "2026-07-16",
    "memory",
    "USER",
    "travel",
    "\U0001f389",
    "\uffff",
)
NUMBERS = (0, 1, -1, 1.0, 0.1, -0.0, 2**53 + 1, float(2**53), 2**63 - 1, 1e300)
TIMES = (
    NOON,
    NOON.astimezone(TOKYO),
    NOON + timedelta(microseconds=1),
    NOON - timedelta(days=1),
    datetime(1, 1, 1, tzinfo=UTC),
    datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
)
STORED_TIMES = tuple(whole_milliseconds(moment) for moment in TIMES)
"""What documents hold, see `UtcTime`; a filter may ask for any time."""

KEYS = ("k", "k.dotted", "鍵", "id", "'")

texts = st.sampled_from(TEXTS)
times = st.sampled_from(TIMES)
stored_times = st.sampled_from(STORED_TIMES)
metadata_scalars = st.one_of(texts, st.sampled_from(NUMBERS), st.booleans())
metadata = st.dictionaries(
    st.sampled_from(KEYS), st.one_of(metadata_scalars, st.lists(metadata_scalars, max_size=3)), max_size=3
)
fields = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(Kind),
        "scope": st.sampled_from(Scope),
        "is_current": st.booleans(),
        "metadata": metadata,
    },
    optional={
        "category": st.sampled_from(Category),
        **dict.fromkeys(("context_id", "agent_id", "speaker", "language", "replaces_id"), texts),
        **{name: stored_times for name, type_ in FIELD_TYPES.items() if type_ is FieldType.TIME},
    },
)
# Few fields and values of their types mostly, so that what is stored and what is asked for meet.
text_names = st.sampled_from(["speaker", "metadata.k"]) | st.sampled_from(sorted(FIELD_TYPES))
metadata_names = st.sampled_from([f"metadata.{key}" for key in KEYS])
time_names = st.sampled_from([name for name, type_ in FIELD_TYPES.items() if type_ is FieldType.TIME])
names = text_names | metadata_names | time_names
scalars = metadata_scalars | times
comparators = st.sampled_from(Comparator)
comparisons = st.one_of(
    st.builds(Comparison, text_names, comparators, texts),
    st.builds(Comparison, metadata_names, comparators, metadata_scalars),
    st.builds(Comparison, time_names, comparators, times),
    st.builds(Comparison, names, comparators, scalars),
    st.builds(Comparison, names, st.just(Comparator.IN), st.lists(scalars, max_size=4).map(tuple)),
    st.builds(Comparison, names, st.just(Comparator.EXISTS), st.booleans()),
)
filters: st.SearchStrategy[Filter] = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.builds(And, st.lists(inner, max_size=3).map(tuple)),
        st.builds(Or, st.lists(inner, max_size=3).map(tuple)),
        st.builds(Not, inner),
    ),
    max_leaves=4,
)


def numbered(found: list[dict[str, Any]]) -> list[IndexDocument]:
    return [document(number, **values) for number, values in enumerate(found)]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(fields, min_size=1, max_size=8), st.lists(filters, min_size=8, max_size=16))
@example([{}], [EVERYTHING, Or(()), Not(Or(()))])
def test_filters_agree_with_their_meaning(
    index: SearchIndex, found: list[dict[str, Any]], tried: list[Filter]
) -> None:
    owner = Owner("acme", uuid.uuid4().hex)
    stored = numbered(found)
    index.replace(owner, iter(stored))

    for filter_ in tried:
        expected = {one.id for one in stored if matches(filter_, one)}
        assert set(near(index, vectors(1)[0], owner, filter_)) == expected, filter_
        assert set(matching(index, "place", owner, filter_)) == expected, filter_


@pytest.mark.parametrize("field", ["speaker", "metadata.k"])
@pytest.mark.parametrize(
    ("comparator", "value", "numbers"),
    [
        (Comparator.EQ, "2026-07-15T12:00:00Z", {0, 1}),
        (Comparator.IN, ("2026-07-15T21:00:00+09:00", "tea"), {0, 1, 4}),
        (Comparator.GT, "2026-07-15T20:00:00+09:00", {0, 1, 2, 4}),
        (Comparator.LTE, "2026-07-15T12:00:00.0Z", {0, 1, 3}),
        (Comparator.LT, "2026-07-15T12", {3}),
        (Comparator.CONTAINS, "t", {0, 1, 2, 4}),
    ],
)
def test_texts_that_are_times_are_compared_as_such(
    index: SearchIndex, field: str, comparator: Comparator, value: FilterValue, numbers: set[int]
) -> None:
    stored = [
        "2026-07-15T12:00:00Z",
        "2026-07-15T21:00:00+09:00",
        "2026-07-15T23:00:00Z",
        "2026-07-14",
        "tea",
    ]
    changes = [{"speaker": text, "metadata": {"k": text}} for text in stored]
    index.replace(OWNER, iter(numbered(changes)))

    assert set(matching(index, "place", filter=Comparison(field, comparator, value))) == ids(*numbers)


def test_values_that_python_holds_equal_are_told_apart(index: SearchIndex) -> None:
    index.replace(OWNER, iter(numbered([{"metadata": {"k": value}} for value in (1, True, 1.0, "1", 0)])))
    for value, numbers in ((1, (0, 2)), (True, (1,)), (1.0, (0, 2)), ("1", (3,)), (False, ()), (0, (4,))):
        for same in (
            Comparison("metadata.k", Comparator.EQ, value),
            Comparison("metadata.k", Comparator.IN, (value,)),
        ):
            assert set(matching(index, "place", filter=same)) == ids(*numbers)


def test_as_many_filters_as_one_likes_find_what_they_name(index: SearchIndex) -> None:
    speakers = [f"speaker {number}" for number in range(100)]
    index.replace(OWNER, iter(numbered([{"speaker": speaker} for speaker in speakers])))
    for _ in range(2):
        for number, speaker in enumerate(speakers):
            one = Comparison("speaker", Comparator.EQ, speaker)
            assert matching(index, "place", filter=one) == [document(number).id]


def test_the_present_is_that_of_each_search(index: SearchIndex) -> None:
    apply(index, document(0), document(1, expires_at=NOON))
    for seconds, numbers in ((-1, (0, 1)), (0, (0,)), (1, (0,)), (-1, (0, 1))):
        seen = visible(now=NOON + timedelta(seconds=seconds))
        assert set(matching(index, "place", filter=seen)) == ids(*numbers)
        assert set(near(index, vectors(1)[0], filter=seen)) == ids(*numbers)


@pytest.fixture
def conversation(index: SearchIndex) -> tuple[SearchIndex, list[IndexDocument]]:
    stated: list[dict[str, Any]] = [
        {},
        {"is_current": False, "valid_until": NOON},
        {
            "is_current": False,
            "valid_from": NOON - timedelta(days=2),
            "valid_until": NOON - timedelta(days=1),
        },
        {"scope": Scope.CONTEXT, "context_id": "chat-1"},
        {"scope": Scope.CONTEXT, "context_id": "chat-2"},
        {"expires_at": NOON},
        {"expires_at": NOON + timedelta(days=1), "valid_from": NOON - timedelta(days=1)},
    ]
    stored = numbered(
        [
            *({"category": Category.HOBBIES, **changes} for changes in stated),
            {"kind": Kind.MESSAGE, "is_current": False},
            {"is_current": False},  # a retraction
            {"is_current": False, "valid_until": NOON, "timestamp": NOON - timedelta(days=2)},
        ]
    )
    apply(index, *stored)
    return index, stored


EARLIER = NOON - timedelta(hours=1)


@pytest.mark.parametrize(
    ("seen", "numbers"),
    [
        (visible(now=NOON), (0, 6, 7)),
        (visible(now=NOON, context_id="chat-1"), (0, 3, 6, 7)),
        (visible(now=NOON, context_id="chat-2", scope=Scope.CONTEXT), (4,)),
        (visible(now=NOON, kinds=[Kind.MEMORY]), (0, 6)),
        (visible(now=NOON, include_history=True), (0, 1, 2, 6, 7)),
        (visible(now=NOON, as_of=EARLIER), (6,)),
        (known_at(EARLIER - timedelta(days=1), now=NOON, scope=Scope.USER, context_id=None), (0, 2, 6)),
        (ended_since(NOON, now=NOON, scope=Scope.USER, context_id=None), (8,)),
        (ended_since(EARLIER, now=NOON, scope=Scope.USER, context_id=None), (1, 2, 8)),
    ],
)
def test_searches_see_what_is_visible(
    conversation: tuple[SearchIndex, list[IndexDocument]], seen: Filter, numbers: tuple[int, ...]
) -> None:
    index, stored = conversation

    assert {one.id for one in stored if matches(seen, one)} == ids(*numbers)
    assert set(near(index, vectors(1)[0], filter=seen)) == ids(*numbers)
    assert set(matching(index, "place", filter=seen)) == ids(*numbers)


def test_a_field_that_no_filter_may_name_is_refused(index: SearchIndex) -> None:
    apply(index, document(1))
    for field in ("text", "vector", "slot", "rowid", "id; --"):
        unknown = Comparison(field, Comparator.EQ, "x")
        with pytest.raises(ValueError, match="field"):
            near(index, vectors(1)[0], filter=unknown)
        with pytest.raises(ValueError, match="field"):
            index.match(OWNER, "place", filter=unknown, limit=1)
