"""Filters compiled to SQL, with the meaning that `cognis_memory.domain.filters.matching` gives them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from types import MappingProxyType
from typing import Final, NamedTuple

import apsw

from cognis_memory.adapters.shards.rows import (
    instant_of,
    microseconds,
    storable_number,
    storable_text,
)
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

_OPERATORS: Final = MappingProxyType(
    {
        Comparator.EQ: "=",
        Comparator.IN: "=",
        Comparator.GT: ">",
        Comparator.GTE: ">=",
        Comparator.LT: "<",
        Comparator.LTE: "<=",
    }
)


class Condition(NamedTuple):
    """A Boolean SQL expression over `documents`, never NULL, and what its question marks stand for."""

    sql: str
    parameters: tuple[str | int | float, ...] = ()


TRUE: Final = Condition("1")
_FALSE: Final = Condition("0")


def compile_filter(filter: Filter) -> Condition:
    """Raises ValueError for a field that no filter may name."""
    match filter:
        case And(filters):
            return _joined("AND", [compile_filter(part) for part in filters], TRUE)
        case Or(filters):
            return _any([compile_filter(part) for part in filters])
        case Not(negated):
            return _not(compile_filter(negated))
        case Comparison(comparator=Comparator.NE):
            return _not(compile_filter(Comparison(filter.field, Comparator.EQ, filter.value)))
        case Comparison() if filter.field.startswith(METADATA_PREFIX):
            return _metadata(filter)
        case Comparison():
            return _column(filter)


def register_functions(connection: apsw.Connection) -> None:
    """Makes the functions that conditions call known to the connection."""
    connection.create_scalar_function("instant", _instant, 1, deterministic=True)
    connection.create_scalar_function("contains_folded", _contains_folded, 2, deterministic=True)


def _instant(*arguments: apsw.SQLiteValue) -> int | None:
    (text,) = arguments
    return instant_of(text) if isinstance(text, str) else None


def _contains_folded(*arguments: apsw.SQLiteValue) -> bool:
    text, part = arguments
    return isinstance(text, str) and isinstance(part, str) and part in text.casefold()


def _column(comparison: Comparison) -> Condition:
    column, comparator, value = comparison.field, comparison.comparator, comparison.value
    if column not in FIELD_TYPES:
        raise ValueError(f"no filter can name the field {column!r}")
    present = Condition(f"{column} IS NOT NULL")
    match comparator:
        case Comparator.EXISTS:
            return _exists(present, value)
        case Comparator.CONTAINS if isinstance(value, str) and FIELD_TYPES[column] is FieldType.TEXT:
            return Condition(f"contains_folded({column}, ?)", (storable_text(value.casefold()),))
        case Comparator.CONTAINS:
            return _FALSE
    relation = _any([_column_relation(column, comparator, scalar) for scalar in _scalars(value)])
    return _joined("AND", [present, relation], TRUE)


def _column_relation(column: str, comparator: Comparator, value: FilterScalar) -> Condition:
    """How a column that is not NULL relates to a value; a value of another type than its own never does."""
    match FIELD_TYPES[column], value:
        case FieldType.BOOLEAN, bool() if _OPERATORS[comparator] == "=":
            return Condition(f"{column} = ?", (int(value),))
        case FieldType.TIME, datetime():
            return Condition(f"{column} {_OPERATORS[comparator]} ?", (microseconds(value),))
        case FieldType.TEXT, str():
            return _text_relation(column, f"instant({column})", _OPERATORS[comparator], value)
    return _FALSE


def _metadata(comparison: Comparison) -> Condition:
    comparator, value = comparison.comparator, comparison.value
    if comparator is Comparator.EXISTS:
        return _exists(_has_metadata(comparison.field, TRUE), value)
    if comparator is not Comparator.CONTAINS:
        relation = _any([_metadata_relation(comparator, scalar) for scalar in _scalars(value)])
        return _has_metadata(comparison.field, relation)
    element = _any([_metadata_relation(Comparator.EQ, scalar) for scalar in _scalars(value)])
    part = _FALSE
    if isinstance(value, str):
        folded = storable_text(value.casefold())
        part = Condition("NOT is_list AND type = 'text' AND contains_folded(value, ?)", (folded,))
    whole = _joined("AND", [Condition("is_list"), element], TRUE)
    return _has_metadata(comparison.field, _any([part, whole]))


def _has_metadata(field: str, condition: Condition) -> Condition:
    key = storable_text(field.removeprefix(METADATA_PREFIX))
    return Condition(
        f"documents.slot IN (SELECT slot FROM metadata WHERE key = ? AND {condition.sql})",  # noqa: S608
        (key, *condition.parameters),
    )


def _metadata_relation(comparator: Comparator, value: FilterScalar) -> Condition:
    """How one value of the metadata, of whatever type, relates to the value given."""
    sign = _OPERATORS[comparator]
    match value:
        case bool():
            return Condition("(type = 'boolean' AND value = ?)", (int(value),)) if sign == "=" else _FALSE
        case int() | float():
            return Condition(f"(type = 'number' AND value {sign} ?)", (storable_number(value),))
        case str():
            text = _text_relation("value", "instant", sign, value)
            return Condition(f"(type = 'text' AND {text.sql})", text.parameters)
    return _FALSE


def _text_relation(value: str, instant: str, sign: str, given: str) -> Condition:
    """Two texts that both name an instant are compared as such, others by code point."""
    text, moment = storable_text(given), instant_of(given)
    if moment is None:
        return Condition(f"{value} {sign} ?", (text,))
    return Condition(
        f"CASE WHEN {instant} IS NULL THEN {value} {sign} ? ELSE {instant} {sign} ? END", (text, moment)
    )


def _exists(present: Condition, value: object) -> Condition:
    return present if value is True else _not(present) if value is False else _FALSE


def _scalars(value: FilterScalar | tuple[FilterScalar, ...]) -> tuple[FilterScalar, ...]:
    return value if isinstance(value, tuple) else (value,)


def _any(conditions: Iterable[Condition]) -> Condition:
    return _joined("OR", conditions, _FALSE)


def _not(condition: Condition) -> Condition:
    return Condition(f"NOT {condition.sql}", condition.parameters)


def _joined(operator: str, conditions: Iterable[Condition], neutral: Condition) -> Condition:
    parts = tuple(conditions)
    if not parts:
        return neutral
    sql = f" {operator} ".join(part.sql for part in parts)
    return Condition(f"({sql})", tuple(value for part in parts for value in part.parameters))
