"""JSON Schema of the filters that `domain.filters.parse_filter` reads, but for its limits on nesting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cognis_memory.domain.filters.parsing import MAX_VALUES
from cognis_memory.domain.filters.syntax import (
    FIELD_TYPES,
    FILTERABLE_FIELDS,
    METADATA_PREFIX,
    Comparator,
    FieldType,
)
from cognis_memory.models.values import Category, Kind, Scope

FILTER: Final = "Filter"

_TEXT: Final = "TextComparison"
_TIME: Final = "TimeComparison"
_METADATA: Final = "MetadataComparison"

_ENUMERATIONS: Final = {"category": Category, "scope": Scope, "kind": Kind}
_EQUALITIES: Final = (Comparator.EQ, Comparator.NE)
_ORDERINGS: Final = (Comparator.GT, Comparator.GTE, Comparator.LT, Comparator.LTE)


def filter_schemas(prefix: str) -> dict[str, Any]:
    """`Filter` and what it refers to; `prefix` stands before names in references."""
    text = {"type": "string"}
    part = {"type": "string", "minLength": 1}
    time = {"type": "string", "format": "date-time"}
    scalar = {"type": ["string", "number", "boolean"]}
    return {
        FILTER: _filter(prefix),
        _TEXT: _comparison(text, ordered=text, part=part),
        _TIME: _comparison(time, ordered=time, part=None),
        _METADATA: _comparison(scalar, ordered={"type": ["string", "number"]}, part=scalar),
        **{
            _comparison_name(field): _comparison(
                {"type": "string", "enum": list(names)}, ordered=text, part=part
            )
            for field, names in _ENUMERATIONS.items()
        },
    }


def nullable_filter(prefix: str) -> dict[str, Any]:
    """What a request's `filters` may be; null and `{}` stand for everything."""
    nothing = [{"type": "object", "maxProperties": 0}, {"type": "null"}]
    return {"anyOf": [{"$ref": prefix + FILTER}, *nothing], "default": None}


def _filter(prefix: str) -> dict[str, Any]:
    itself = {"$ref": prefix + FILTER}
    several = {"type": "array", "items": itself, "minItems": 1}
    fields = {field: {"$ref": prefix + _comparison_name(field)} for field in FILTERABLE_FIELDS}
    return {
        "description": "Several entries must all hold.",
        "type": "object",
        "minProperties": 1,
        "properties": {"AND": several, "OR": several, "NOT": itself, **fields},
        "patternProperties": {f"^{METADATA_PREFIX.replace('.', '[.]')}.": {"$ref": prefix + _METADATA}},
        "additionalProperties": False,
    }


def _comparison_name(field: str) -> str:
    if field in _ENUMERATIONS:
        return f"{field.capitalize()}Comparison"
    return _TIME if FIELD_TYPES[field] is FieldType.TIME else _TEXT


def _comparison(
    value: Mapping[str, Any], *, ordered: Mapping[str, Any], part: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Operators over a field: `value` is what it equals, `ordered` what it lies before or after, `part` what
    it contains."""
    operators: dict[Comparator, Mapping[str, Any]] = {
        **dict.fromkeys(_EQUALITIES, value),
        Comparator.IN: {"type": "array", "items": value, "minItems": 1, "maxItems": MAX_VALUES},
        **dict.fromkeys(_ORDERINGS, ordered),
        Comparator.EXISTS: {"type": "boolean"},
    }
    if part is not None:
        operators[Comparator.CONTAINS] = part
    return {
        "description": "Several operators must all hold.",
        "type": "object",
        "minProperties": 1,
        "properties": {str(name): schema for name, schema in operators.items()},
        "additionalProperties": False,
    }
