"""Comparisons compiled to SQL, with the meaning that `cognis_memory.domain.filters.matching` gives them."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final, NamedTuple

import apsw

from cognis_memory.adapters.shards.rows import storable_number
from cognis_memory.domain.filters import (
    FIELD_TYPES,
    METADATA_PREFIX,
    Comparator,
    Comparison,
    FieldType,
    FilterScalar,
)
from cognis_memory.domain.text import storable_text
from cognis_memory.domain.times import instant_of

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
    """A Boolean SQL expression, which may be NULL for false, and what its question marks stand for."""

    sql: str
    parameters: tuple[str | int | float, ...] = ()


_TRUE: Final = Condition("1")
_FALSE: Final = Condition("0")


def compile_comparison(comparison: Comparison) -> Condition:
    """A query for the slots of the documents that satisfy the comparison, as rows of one column `slot`.

    `comparison` is no NE, and EXISTS with True only, as the others are negations; its field is not one of
    times. Raises ValueError for a field that no filter may name.
    """
    field = comparison.field
    if field.startswith(METADATA_PREFIX):
        condition = _joined("AND", [_key_is(field.removeprefix(METADATA_PREFIX)), _metadata(comparison)])
        return Condition(f"SELECT slot FROM metadata WHERE {condition.sql}", condition.parameters)  # noqa: S608
    if field not in FIELD_TYPES:
        raise ValueError(f"no filter can name the field {field!r}")
    condition = _column(comparison)
    return Condition(f"SELECT slot FROM documents WHERE {condition.sql}", condition.parameters)  # noqa: S608


def scalars(value: FilterScalar | tuple[FilterScalar, ...]) -> tuple[FilterScalar, ...]:
    """The values of which a comparison needs one."""
    return value if isinstance(value, tuple) else (value,)


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
    match comparator:
        case Comparator.EXISTS:
            return Condition(f"{column} IS NOT NULL")
        case Comparator.CONTAINS if isinstance(value, str) and FIELD_TYPES[column] is FieldType.TEXT:
            return Condition(f"contains_folded({column}, ?)", (storable_text(value.casefold()),))
        case Comparator.CONTAINS:
            return _FALSE
    return _any([_column_relation(column, comparator, scalar) for scalar in scalars(value)])


def _column_relation(column: str, comparator: Comparator, value: FilterScalar) -> Condition:
    """How a column relates to a value; a value of another type than its own never does."""
    match FIELD_TYPES[column], value:
        case FieldType.BOOLEAN, bool() if _OPERATORS[comparator] == "=":
            return Condition(f"{column} = ?", (int(value),))
        case FieldType.TEXT, str():
            return _text_relation(column, f"instant({column})", _OPERATORS[comparator], value)
    return _FALSE


def _key_is(key: str) -> Condition:
    return Condition("key = ?", (storable_text(key),))


def _metadata(comparison: Comparison) -> Condition:
    comparator, value = comparison.comparator, comparison.value
    if comparator is Comparator.EXISTS:
        return _TRUE
    if comparator is not Comparator.CONTAINS:
        return _any([_metadata_relation(comparator, scalar) for scalar in scalars(value)])
    element = _any([_metadata_relation(Comparator.EQ, scalar) for scalar in scalars(value)])
    part = _FALSE
    if isinstance(value, str):
        folded = storable_text(value.casefold())
        part = Condition("(NOT is_list AND type = 'text' AND contains_folded(value, ?))", (folded,))
    return _any([part, _joined("AND", [Condition("is_list"), element])])


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


def _any(conditions: Iterable[Condition]) -> Condition:
    parts = tuple(conditions)
    return _joined("OR", parts) if parts else _FALSE


def _joined(operator: str, conditions: Iterable[Condition]) -> Condition:
    parts = tuple(conditions)
    sql = f" {operator} ".join(part.sql for part in parts)
    return Condition(f"({sql})", tuple(value for part in parts for value in part.parameters))
