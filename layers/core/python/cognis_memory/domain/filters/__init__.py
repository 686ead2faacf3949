"""Filters over documents: a small syntax tree that every index compiles, and its meaning in Python.

`syntax` holds the tree, `matching` defines what it means, `parsing` reads the API's JSON into it, and
`visibility` builds the filter that every search starts with.
"""

from cognis_memory.domain.filters.matching import matches
from cognis_memory.domain.filters.parsing import parse_filter
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
from cognis_memory.domain.filters.visibility import ended_since, known_at, visible

__all__ = [
    "EVERYTHING",
    "FIELD_TYPES",
    "FILTERABLE_FIELDS",
    "METADATA_PREFIX",
    "And",
    "Comparator",
    "Comparison",
    "FieldType",
    "Filter",
    "FilterScalar",
    "FilterValue",
    "Not",
    "Or",
    "ended_since",
    "known_at",
    "matches",
    "parse_filter",
    "visible",
]
