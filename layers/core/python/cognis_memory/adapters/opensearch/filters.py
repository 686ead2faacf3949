"""Filters as OpenSearch queries; what they mean, `cognis_memory.domain.filters.matching` says."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from cognis_memory.adapters.opensearch.documents import number_parts, time_text
from cognis_memory.adapters.opensearch.mapping import FOLDED, INSTANTS
from cognis_memory.domain.filters import (
    FIELD_TYPES,
    METADATA_PREFIX,
    And,
    Comparator,
    Comparison,
    FieldType,
    Filter,
    FilterScalar,
    Not,
    Or,
)
from cognis_memory.domain.text import storable_text
from cognis_memory.domain.times import instant_of

Clause = dict[str, Any]

NOTHING: Final[Clause] = {"match_none": {}}

_Values = tuple[FilterScalar, ...]

_EQUALITIES: Final = frozenset({Comparator.EQ, Comparator.IN})
_ORDERINGS: Final = frozenset({Comparator.GT, Comparator.GTE, Comparator.LT, Comparator.LTE})
_PAST_FLOOR: Final = MappingProxyType({Comparator.GTE: Comparator.GT, Comparator.LT: Comparator.LTE})
"""What asks the same of whole milliseconds when the time asked for is cut to one."""

_METADATA: Final = "metadata"

_CONTAINS: Final = "doc[params.field].size() != 0 && doc[params.field].value.contains(params.part)"
"""A script looks at the documents that the other clauses leave; a wildcard would at every term there is."""

_RANGE_BYTES: Final = 500
"""A range takes a text of at most 999 bytes."""

_ORDER: Final = """
if (doc[params.field].size() == 0) { return false; }
String a = doc[params.field].value, b = params.bound;
int shared = (int) Math.min(a.length(), b.length()), order = a.length() - b.length();
for (int i = 0; i < shared; ++i) {
  int x = a.charAt(i), y = b.charAt(i);
  if (x != y) {
    order = (x >= 0xD800 && y >= 0xD800 ? (x + 0x2000) % 0x10000 - (y + 0x2000) % 0x10000 : x - y);
    break;
  }
}
return params.least ? order > 0 || order == 0 && params.equal : order < 0 || order == 0 && params.equal;
"""
"""By code point, as a range is: in UTF-16 the halves of characters above U+FFFF come before U+E000."""


def compile_filter(filter: Filter) -> Clause:
    """Raises ValueError for a field that no filter may name."""
    match filter:
        case And(filters):
            return all_of(compile_filter(part) for part in filters)
        case Or(filters):
            return any_of([compile_filter(part) for part in filters])
        case Not(negated):
            return none_of(compile_filter(negated))
        case Comparison(field, Comparator.NE, value):
            return none_of(_comparison(Comparison(field, Comparator.EQ, value)))
        case Comparison():
            return _comparison(filter)


def all_of(clauses: Iterable[Clause]) -> Clause:
    return {"bool": {"filter": list(clauses)}}


def any_of(clauses: list[Clause]) -> Clause:
    return {"bool": {"should": clauses, "minimum_should_match": 1}} if clauses else NOTHING


def none_of(clause: Clause) -> Clause:
    return {"bool": {"must_not": [clause]}}


def _comparison(comparison: Comparison) -> Clause:
    field = comparison.field
    if field.startswith(METADATA_PREFIX):
        return _of_metadata(storable_text(field.removeprefix(METADATA_PREFIX)), comparison)
    if field not in FIELD_TYPES:
        raise ValueError(f"no filter can name the field {field!r}")
    if comparison.comparator is Comparator.EXISTS:
        return _existence({"exists": {"field": field}}, comparison.value)
    compare = {FieldType.TEXT: _text, FieldType.TIME: _time, FieldType.BOOLEAN: _boolean}[FIELD_TYPES[field]]
    return compare(field, comparison.comparator, _values(comparison))


def _values(comparison: Comparison) -> _Values:
    value = comparison.value
    return value if isinstance(value, tuple) else (value,)


def _existence(present: Clause, wanted: object) -> Clause:
    if not isinstance(wanted, bool):
        return NOTHING
    return all_of([present]) if wanted else none_of(present)


def _boolean(field: str, comparator: Comparator, values: _Values) -> Clause:
    if comparator not in _EQUALITIES:
        return NOTHING
    return any_of(_terms(field, [value for value in values if isinstance(value, bool)]))


def _time(field: str, comparator: Comparator, values: _Values) -> Clause:
    """Stored times are whole milliseconds, those asked for may lie between two."""
    times = [value for value in values if isinstance(value, datetime)]
    if comparator in _EQUALITIES:
        return any_of(_terms(field, [time_text(time) for time in times if not time.microsecond % 1000]))
    if comparator not in _ORDERINGS:
        return NOTHING
    return any_of([_time_range(field, comparator, time) for time in times])


def _time_range(field: str, comparator: Comparator, bound: datetime) -> Clause:
    between = bound.microsecond % 1000
    shifted = _PAST_FLOOR.get(comparator, comparator) if between else comparator
    return _range(field, **{shifted.value: time_text(bound - timedelta(microseconds=between))})


def _text(field: str, comparator: Comparator, values: _Values) -> Clause:
    texts = [storable_text(value) for value in values if isinstance(value, str)]
    if comparator is Comparator.CONTAINS:
        return any_of([_contains(f"{FOLDED}.{field}", text) for text in texts])
    return any_of(_compare_texts(field, f"{INSTANTS}.{field}", comparator, texts))


def _compare_texts(field: str, instants: str, comparator: Comparator, texts: list[str]) -> list[Clause]:
    """By code point; by instant where both are times. One of the clauses has to match."""
    if comparator in _EQUALITIES:
        times = {text: instant for text in texts if (instant := instant_of(text)) is not None}
        return [
            *_terms(field, [text for text in texts if text not in times]),
            *_terms(instants, times.values()),
        ]
    if comparator not in _ORDERINGS:
        return []
    return [_text_order(field, instants, comparator, text) for text in texts]


def _text_order(field: str, instants: str, comparator: Comparator, text: str) -> Clause:
    instant = instant_of(text)
    by_text = _text_range(field, comparator, text)
    if instant is None:
        return by_text
    no_time = none_of({"exists": {"field": instants}})
    return any_of([_range(instants, **{comparator.value: instant}), all_of([by_text, no_time])])


def _text_range(field: str, comparator: Comparator, bound: str) -> Clause:
    if len(bound.encode()) <= _RANGE_BYTES:
        return _range(field, **{comparator.value: bound})
    least = comparator in (Comparator.GT, Comparator.GTE)
    equal = comparator in (Comparator.GTE, Comparator.LTE)
    return _script(_ORDER, field=field, bound=bound, least=least, equal=equal)


def _contains(field: str, text: str) -> Clause:
    return _script(_CONTAINS, field=field, part=text.casefold())


def _script(source: str, **params: Any) -> Clause:
    return {"script": {"script": {"source": source, "params": params}}}


def _terms(field: str, values: Iterable[Any]) -> list[Clause]:
    """One clause, however many values there are; none for no values."""
    distinct = list(dict.fromkeys(values))
    return [{"terms": {field: distinct}}] if distinct else []


def _range(field: str, **bounds: Any) -> Clause:
    return {"range": {field: bounds}}


def _of_metadata(key: str, comparison: Comparison) -> Clause:
    comparator, values = comparison.comparator, _values(comparison)
    if comparator is Comparator.EXISTS:
        return _existence(_nested(key), comparison.value)
    if comparator is Comparator.CONTAINS:
        return any_of([_nested(key, _metadata_contains(value)) for value in values])
    return _nested(key, _metadata_values(comparator, values))


def _nested(key: str, *clauses: Clause) -> Clause:
    query = all_of([{"term": {f"{_METADATA}.key": key}}, *clauses])
    return {"nested": {"path": _METADATA, "query": query, "score_mode": "none"}}


def _metadata_contains(value: FilterScalar) -> Clause:
    """A part of a text, or a whole element of a list."""
    element = all_of([_listed(True), _metadata_values(Comparator.EQ, (value,))])
    if not isinstance(value, str):
        return element
    part = _contains(f"{_METADATA}.folded", storable_text(value))
    return any_of([element, all_of([_listed(False), part])])


def _listed(listed: bool) -> Clause:
    return {"term": {f"{_METADATA}.listed": listed}}


def _metadata_values(comparator: Comparator, values: _Values) -> Clause:
    texts = [storable_text(value) for value in values if isinstance(value, str)]
    numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    return any_of(
        [
            _boolean(f"{_METADATA}.boolean", comparator, values),
            *_compare_texts(f"{_METADATA}.string", f"{_METADATA}.date", comparator, texts),
            *_compare_numbers(comparator, numbers),
        ]
    )


def _compare_numbers(comparator: Comparator, numbers: list[float]) -> list[Clause]:
    """By the nearest float, then by what that leaves. One of the clauses has to match."""
    if comparator in _ORDERINGS:
        return [_number_order(comparator, *number_parts(number)) for number in numbers]
    if comparator not in _EQUALITIES:
        return []
    nearest: dict[int, list[float]] = {}
    for number, remainder in map(number_parts, numbers):
        nearest.setdefault(remainder, []).append(number)
    return [
        all_of([*_terms(f"{_METADATA}.number", found), {"term": {f"{_METADATA}.remainder": remainder}}])
        for remainder, found in nearest.items()
    ]


def _number_order(comparator: Comparator, number: float, remainder: int) -> Clause:
    nearest = {"term": {f"{_METADATA}.number": number}}
    beyond = _range(f"{_METADATA}.number", **{comparator.value.removesuffix("e"): number})
    within = _range(f"{_METADATA}.remainder", **{comparator.value: remainder})
    return any_of([beyond, all_of([nearest, within])])
