"""Reads the API's JSON filters into the syntax tree, refusing whatever it does not understand.

    {"AND": [{"category": {"eq": "travel"}}, {"metadata.plan": {"in": ["pro"]}}]}

An object of several entries, and a field with several operators, mean that all must hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NoReturn

from cognis_memory.domain.filters.syntax import (
    EVERYTHING,
    FIELD_TYPES,
    FILTERABLE_FIELDS,
    METADATA_PREFIX,
    And,
    Comparator,
    Comparison,
    FieldType,
    Filter,
    FilterScalar,
    FilterValue,
    Not,
    Or,
)
from cognis_memory.domain.times import parse_time
from cognis_memory.errors import FieldError, InvalidInput
from cognis_memory.models.values import Category, Kind, Scope

MAX_DEPTH: Final = 8
"""Objects within objects; the outermost is the first."""

MAX_COMPARISONS: Final = 100
MAX_VALUES: Final = 100
"""Of one `in`."""

MAX_NAME_CHARACTERS: Final = 512

_ENUMERATIONS: Final = MappingProxyType[str, type[StrEnum]](
    {"category": Category, "scope": Scope, "kind": Kind}
)
_EQUALITIES: Final = frozenset({Comparator.EQ, Comparator.NE, Comparator.IN})
_ORDERINGS: Final = frozenset({Comparator.GT, Comparator.GTE, Comparator.LT, Comparator.LTE})

_Reader = Callable[[object, str], FilterScalar]


def parse_filter(raw: object, path: str = "filters") -> Filter:
    """The filter that a JSON value stands for; None and `{}` stand for everything.

    Raises InvalidInput at the first fault, its field a path such as `filters.AND[0].category.eq`: an unknown
    field or operator, a value of the wrong type, an empty list, nesting beyond MAX_DEPTH, more than
    MAX_COMPARISONS comparisons or than MAX_VALUES values in one `in`.
    """
    if raw is None or raw == {}:
        return EVERYTHING
    return _Parser().read(raw, path, depth=1)


class _Parser:
    """One reading of one filter; counts its comparisons."""

    def __init__(self) -> None:
        self._comparisons = 0

    def read(self, raw: object, path: str, depth: int) -> Filter:
        if depth > MAX_DEPTH:
            _refuse(path, f"is nested too deeply; at most {MAX_DEPTH} levels")
        entries = _entries(raw, path, "must be an object that names a field, AND, OR or NOT")
        return _all([self._entry(name, value, f"{path}.{name}", depth) for name, value in entries])

    def _entry(self, name: str, value: object, path: str, depth: int) -> Filter:
        match name:
            case "AND":
                return And(self._list(value, path, depth))
            case "OR":
                return Or(self._list(value, path, depth))
            case "NOT":
                return Not(self.read(value, path, depth + 1))
            case _:
                return self._field(name, value, path)

    def _list(self, raw: object, path: str, depth: int) -> tuple[Filter, ...]:
        if not isinstance(raw, list) or not raw:
            _refuse(path, "must be a list of at least one filter")
        return tuple(self.read(part, f"{path}[{index}]", depth + 1) for index, part in enumerate(raw))

    def _field(self, field: str, raw: object, path: str) -> Filter:
        if field not in FILTERABLE_FIELDS and not field.startswith(METADATA_PREFIX):
            _refuse(
                path, f"is not a field to filter on; use {', '.join(FILTERABLE_FIELDS)} or metadata.<key>"
            )
        if field == METADATA_PREFIX:
            _refuse(path, "must name a metadata key")
        entries = _entries(raw, path, 'must be an object such as {"eq": value}')
        return _all([self._comparison(field, name, value, f"{path}.{name}") for name, value in entries])

    def _comparison(self, field: str, name: str, raw: object, path: str) -> Comparison:
        self._comparisons += 1
        if self._comparisons > MAX_COMPARISONS:
            _refuse(path, f"is one comparison too many; at most {MAX_COMPARISONS}")
        if name not in tuple(Comparator):
            _refuse(path, f"is not an operator; use {', '.join(Comparator)}")
        comparator = Comparator(name)
        return Comparison(field, comparator, _value(field, comparator, raw, path))


def _all(filters: list[Filter]) -> Filter:
    return filters[0] if len(filters) == 1 else And(tuple(filters))


def _entries(raw: object, path: str, message: str) -> list[tuple[str, object]]:
    if not isinstance(raw, dict) or not raw:
        _refuse(path, message)
    for name in raw:
        # Names come back in the paths of errors, so they are checked before one is built.
        if not isinstance(name, str) or len(name) > MAX_NAME_CHARACTERS or _has_surrogates(name):
            _refuse(
                path, f"holds a name that is not valid Unicode of at most {MAX_NAME_CHARACTERS} characters"
            )
    return list(raw.items())


def _has_surrogates(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)


def _value(field: str, comparator: Comparator, raw: object, path: str) -> FilterValue:
    if comparator is Comparator.EXISTS:
        return _boolean(raw, path)
    read = _reader(field, comparator, path)
    if comparator is not Comparator.IN:
        return read(raw, path)
    if not isinstance(raw, list) or not 1 <= len(raw) <= MAX_VALUES:
        _refuse(path, f"must be a list of 1 to {MAX_VALUES} values")
    return tuple(read(value, f"{path}[{index}]") for index, value in enumerate(raw))


def _reader(field: str, comparator: Comparator, path: str) -> _Reader:
    """What reads a value of that field: its type, narrowed by what the comparator can use."""
    if FIELD_TYPES.get(field) is FieldType.TIME:
        if comparator is Comparator.CONTAINS:
            _refuse(path, "looks into texts and lists; use gt, gte, lt or lte for times")
        return _time
    if field in _ENUMERATIONS and comparator in _EQUALITIES:
        return _member_of(_ENUMERATIONS[field])
    if field in FIELD_TYPES:
        return _part if comparator is Comparator.CONTAINS else _text
    if comparator in _ORDERINGS:
        return _text_or_number
    return _metadata_part if comparator is Comparator.CONTAINS else _scalar


def _time(raw: object, path: str) -> FilterScalar:
    moment = parse_time(raw) if isinstance(raw, str) else None
    return moment or _refuse(path, "must be an RFC 3339 time such as 2026-07-08T11:00:00Z")


def _member_of(names: type[StrEnum]) -> _Reader:
    def read(raw: object, path: str) -> FilterScalar:
        if not isinstance(raw, str) or raw not in tuple(names):
            _refuse(path, f"must be one of {', '.join(names)}")
        return raw

    return read


def _text(raw: object, path: str) -> FilterScalar:
    if not isinstance(raw, str):
        _refuse(path, "must be a text; to ask whether the field is there, use exists")
    if _has_surrogates(raw):
        _refuse(path, "contains unpaired surrogates; send valid Unicode text")
    return raw


def _part(raw: object, path: str) -> FilterScalar:
    return _text(raw, path) or _refuse(path, "must not be empty")


def _boolean(raw: object, path: str) -> FilterScalar:
    return raw if isinstance(raw, bool) else _refuse(path, "must be true or false")


def _scalar(raw: object, path: str) -> FilterScalar:
    return raw if isinstance(raw, bool) else _text_or_number(raw, path)


def _text_or_number(raw: object, path: str) -> FilterScalar:
    if isinstance(raw, str):
        return _text(raw, path)
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        _refuse(path, "must be a text or a number; to ask whether the field is there, use exists")
    if not (math.isfinite(raw) if isinstance(raw, float) else -(2**63) <= raw < 2**63):
        _refuse(path, "must be a finite number; integers have at most 64 bits")
    return raw


def _metadata_part(raw: object, path: str) -> FilterScalar:
    return _part(raw, path) if isinstance(raw, str) else _scalar(raw, path)


def _refuse(path: str, message: str) -> NoReturn:
    raise InvalidInput(f"{path}: {message}", [FieldError(path, message)])
