"""What a filter means. Every index that compiles filters has to agree with this module.

A field is *missing* when it is None, when the metadata has no such key, or when the metadata holds an empty
list under it. Logic is two-valued: a comparison is true or false, never unknown (no NULL of SQL).

- Values have one of four types: text, number, boolean, time. Values of different types are never equal and
  never in order: "3" is not 3, true is not 1, and a text is not a time, but 3 is 3.0.
- Two texts are equal and in order by code point, with one exception: when both are RFC 3339 times, as
  metadata holds them, they are compared as instants: `2026-07-15T00:00:00Z` equals
  `2026-07-15T09:00:00+09:00`. Booleans have no order: `gt`, `gte`, `lt`, `lte` are false between them.
- `eq`, `gt`, `gte`, `lt`, `lte` are true when the value is there and compares so; `in` is `eq` with one of
  the given values. A metadata list satisfies them when one of its elements does.
- `contains` is true when the value is a text that has the given text as a substring, both casefolded, or a
  list with an element equal to the given value (the whole element, with its case). It is false for others.
- `exists` is true when the field is missing or not as the given boolean says.
- `ne` is the negation of `eq`. So a missing field satisfies only `ne`, `exists: false`, and `Not` of a
  comparison that is false.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from cognis_memory.domain.filters.syntax import (
    FIELD_TYPES,
    METADATA_PREFIX,
    And,
    Comparator,
    Comparison,
    Filter,
    FilterScalar,
    Not,
    Or,
)
from cognis_memory.domain.times import parse_time
from cognis_memory.models.document import IndexDocument

_ORDERINGS: Final = MappingProxyType(
    {
        Comparator.GT: operator.gt,
        Comparator.GTE: operator.ge,
        Comparator.LT: operator.lt,
        Comparator.LTE: operator.le,
    }
)


def matches(filter: Filter, document: IndexDocument) -> bool:
    """Whether the document satisfies the filter; raises ValueError for a field that no filter may name."""
    match filter:
        case And(filters):
            return all(matches(part, document) for part in filters)
        case Or(filters):
            return any(matches(part, document) for part in filters)
        case Not(negated):
            return not matches(negated, document)
        case Comparison():
            return _holds(filter, _stored(document, filter.field))


def _stored(document: IndexDocument, field: str) -> FilterScalar | list[Any] | None:
    if field.startswith(METADATA_PREFIX):
        return document.metadata.get(field.removeprefix(METADATA_PREFIX))
    if field not in FIELD_TYPES:
        raise ValueError(f"no filter can name the field {field!r}")
    value: FilterScalar | None = getattr(document, field)
    return value


def _holds(comparison: Comparison, stored: FilterScalar | list[Any] | None) -> bool:
    value = comparison.value
    given = value if isinstance(value, tuple) else (value,)
    elements = stored if isinstance(stored, list) else [] if stored is None else [stored]
    match comparison.comparator:
        case Comparator.EXISTS:
            return bool(elements) is value
        case Comparator.EQ | Comparator.IN:
            return _compares(operator.eq, elements, given)
        case Comparator.NE:
            return not _compares(operator.eq, elements, given)
        case Comparator.CONTAINS if isinstance(stored, str):
            return isinstance(value, str) and value.casefold() in stored.casefold()
        case Comparator.CONTAINS:
            return isinstance(stored, list) and _compares(operator.eq, elements, given)
        case ordering:
            return _compares(_ORDERINGS[ordering], elements, given)


def _compares(
    relation: Callable[[Any, Any], bool], elements: list[Any], given: tuple[FilterScalar, ...]
) -> bool:
    return any(_relates(relation, element, value) for element in elements for value in given)


def _relates(relation: Callable[[Any, Any], bool], left: FilterScalar, right: FilterScalar) -> bool:
    """Whether the relation holds between two values of one type; False between values of two types."""
    if isinstance(left, bool) or isinstance(right, bool):
        return relation is operator.eq and left is right
    if isinstance(left, str) and isinstance(right, str):
        instants = parse_time(left), parse_time(right)
        return relation(left, right) if None in instants else relation(*instants)
    for kind in (int | float, datetime):
        if isinstance(left, kind) and isinstance(right, kind):
            return relation(left, right)
    return False
