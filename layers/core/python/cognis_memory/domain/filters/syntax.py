"""The syntax tree of filters and the fields that it may name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final

FilterScalar = str | int | float | bool | datetime
FilterValue = FilterScalar | tuple[FilterScalar, ...]


class Comparator(StrEnum):
    EQ = "eq"
    NE = "ne"
    IN = "in"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    CONTAINS = "contains"
    EXISTS = "exists"


@dataclass(frozen=True, slots=True)
class Comparison:
    """`field` is a name in `FIELD_TYPES`, or `metadata.<key>`; a key may hold dots.

    `value` is a tuple for IN, a boolean for EXISTS, and one scalar otherwise.
    """

    field: str
    comparator: Comparator
    value: FilterValue


@dataclass(frozen=True, slots=True)
class And:
    """True when all are; with none, always."""

    filters: tuple[Filter, ...] = ()


@dataclass(frozen=True, slots=True)
class Or:
    """True when one is; with none, never."""

    filters: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Not:
    filter: Filter


Filter = Comparison | And | Or | Not

EVERYTHING: Final = And()


class FieldType(StrEnum):
    """What a field of `IndexDocument` holds; a metadata value may be text, a number, a boolean or a list."""

    TEXT = "text"
    TIME = "time"
    BOOLEAN = "boolean"


METADATA_PREFIX: Final = "metadata."

FIELD_TYPES: Final = MappingProxyType(
    {
        "id": FieldType.TEXT,
        "kind": FieldType.TEXT,
        "category": FieldType.TEXT,
        "scope": FieldType.TEXT,
        "context_id": FieldType.TEXT,
        "agent_id": FieldType.TEXT,
        "speaker": FieldType.TEXT,
        "language": FieldType.TEXT,
        "replaces_id": FieldType.TEXT,
        "timestamp": FieldType.TIME,
        "created_at": FieldType.TIME,
        "event_time": FieldType.TIME,
        "event_end": FieldType.TIME,
        "valid_from": FieldType.TIME,
        "valid_until": FieldType.TIME,
        "expires_at": FieldType.TIME,
        "is_current": FieldType.BOOLEAN,
    }
)
"""Every field that a filter can name, metadata aside. All of them hold one value or are missing."""

FILTERABLE_FIELDS: Final = (
    "category",
    "scope",
    "context_id",
    "agent_id",
    "speaker",
    "timestamp",
    "event_time",
    "created_at",
    "kind",
)
"""The fields that a caller of the API may name, beside `metadata.<key>`; our own filters use the others."""
