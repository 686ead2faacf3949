"""JSON as callers may send it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.json_objects import MAX_FAULTS, MAX_VALUES, parse_object, unusable
from cognis_memory.errors import InvalidInput

TEXTS = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
VALUES = st.recursive(
    SCALARS, lambda values: st.lists(values) | st.dictionaries(TEXTS, values), max_leaves=20
)
OBJECTS = st.dictionaries(TEXTS, VALUES)


def faults(text: str) -> dict[str, str]:
    with pytest.raises(InvalidInput) as refused:
        parse_object(text)
    return {fault.field: fault.message for fault in refused.value.errors}


@given(OBJECTS, st.booleans())
def test_every_object_is_read_as_it_is(document: dict[str, Any], ascii_only: bool) -> None:
    assert parse_object(json.dumps(document, ensure_ascii=ascii_only)) == document


@given(st.text())
def test_any_other_text_is_refused_and_nothing_worse(text: str) -> None:
    try:
        read = parse_object(text)
    except InvalidInput:
        assert faults(text)
    else:
        assert json.loads(text) == read


@given(
    OBJECTS,
    TEXTS.filter(bool),
    st.sampled_from(["NaN", "Infinity", "-Infinity", "1e999", "9" * 30, "-" + "9" * 5_000]),
)
def test_numbers_that_are_none_are_refused_by_name(document: dict[str, Any], name: str, literal: str) -> None:
    text = json.dumps({**document, name: [0]}).replace("[0]", f"[{literal}]")

    assert any(field.endswith("[0]") for field in faults(text))


@pytest.mark.parametrize(
    "text", ["", " ", "{", "{]", "{'a': 1}", '{"a": 1,}', "\ufeff{}", '{"a": 01}', '{"a": "\t"}', "{} {}"]
)
def test_malformed_json_is_refused(text: str) -> None:
    assert "at line" in faults(text)[""]


@pytest.mark.parametrize("text", ["null", "true", "5", '"a"', "[]", "[{}]"])
def test_only_objects_are_taken(text: str) -> None:
    assert faults(text) == {"": "send an object such as {…}"}


@pytest.mark.parametrize("opening", ['{"a":', "[", '{"a":['])
def test_bottomless_nesting_is_refused(opening: str) -> None:
    assert faults(opening * 100_000) == {"": "is nested too deeply"}


def test_a_name_that_stands_twice_is_named() -> None:
    assert faults('{"a": [{"b": 1, "c": 2, "b": 1}]}') == {"b": "must not be given twice"}


@pytest.mark.parametrize(
    ("text", "field", "message"),
    [
        (r'{"a": {"b": ["x", "\u0000"]}}', "a.b[1]", "U+0000"),
        (r'{"a": "\ud800"}', "a", "surrogates"),
        (r'{"a\u0000": 1}', "a\x00", "its name"),
        (r'{"a": {"\udfff": 1}}', "a.\udfff", "its name"),
        ('{"a": 9223372036854775808}', "a", "64 bits"),
        ('{"a": {"b": -9223372036854775809}}', "a.b", "64 bits"),
    ],
)
def test_values_that_no_store_can_hold_are_named(text: str, field: str, message: str) -> None:
    assert message in faults(text)[field]


def test_surrogate_pairs_are_text() -> None:
    assert parse_object(r'{"a": "\ud83d\ude00"}') == {"a": "😀"}


@pytest.mark.parametrize(
    ("document", "field"),
    [({"a": {"b": [0] * MAX_VALUES}}, "a.b"), ({str(number): 0 for number in range(MAX_VALUES + 1)}, "")],
)
def test_more_values_than_any_request_can_use_are_refused(document: dict[str, Any], field: str) -> None:
    assert list(faults(json.dumps(document))) == [field]


def test_as_many_values_as_the_limit_says_are_read() -> None:
    document = {"a": [0] * (MAX_VALUES - 1)}

    assert parse_object(json.dumps(document)) == document


def test_the_faults_of_a_large_document_are_cut() -> None:
    assert len(faults(json.dumps({"a": ["\x00"] * 10_000}))) == MAX_FAULTS


@given(st.text())
def test_a_usable_text_can_be_encoded(text: str) -> None:
    if unusable(text) is None:
        assert "\x00" not in text
        assert text.encode().decode() == text
    else:
        assert "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text)
