"""Filters as masks: which documents of an open shard may be found."""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import datetime
from functools import reduce
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cognis_memory.adapters.shards.comparisons import compile_comparison, scalars
from cognis_memory.adapters.shards.database import ShardDatabase
from cognis_memory.adapters.shards.sql import numbers_of
from cognis_memory.domain.filters import (
    EVERYTHING,
    FIELD_TYPES,
    And,
    Comparator,
    Comparison,
    FieldType,
    Filter,
    Not,
    Or,
)
from cognis_memory.domain.times import microseconds

Mask = NDArray[np.bool_]
"""By slot: shape (slots,)."""

_KEPT_MASKS: Final = 64

_RELATIONS: Final = MappingProxyType[Comparator, Callable[[Any, Any], Any]](
    {
        Comparator.EQ: operator.eq,
        Comparator.IN: operator.eq,
        Comparator.GT: operator.gt,
        Comparator.GTE: operator.ge,
        Comparator.LT: operator.lt,
        Comparator.LTE: operator.le,
    }
)


class TimeColumn(NamedTuple):
    """A field of times. `instants` are microseconds since 1970 where `present`, else 0: shape (slots,)."""

    present: Mask
    instants: NDArray[np.int64]

    def satisfying(self, comparison: Comparison) -> Mask:
        """`comparison` is no NE, and EXISTS with True only."""
        if comparison.comparator is Comparator.EXISTS:
            return self.present
        satisfying = np.zeros_like(self.present)
        relation = _RELATIONS.get(comparison.comparator)
        for value in scalars(comparison.value):
            if relation and isinstance(value, datetime):  # nothing else is in order with times
                satisfying |= relation(self.instants, microseconds(value))
        return satisfying & self.present


class FilterMasks:
    """Answers filters for one shard file.

    The file never changes, and searches ask for the same few things: what a comparison selects is read once
    and kept, and so are fields of times, as the present, with which they are compared, is always another.
    """

    def __init__(self, database: ShardDatabase, slots: int) -> None:
        self._database = database
        self._slots = slots
        self._everything = np.ones(slots, np.bool_)
        self._latest: tuple[Filter, Mask] = (EVERYTHING, self._everything)
        self._times: dict[str, TimeColumn] = {}
        self._selected: dict[tuple[Comparison, tuple[type, ...]], Mask] = {}

    def satisfying(self, filter: Filter) -> Mask:
        """The documents that satisfy the filter; slots without one may be among them. Not to be changed.

        Raises ValueError for a field that no filter may name.
        """
        latest, mask = self._latest
        if latest is not filter:  # as the second of two searches for one query has it
            mask = self._evaluate(filter)
            self._latest = filter, mask
        return mask

    def _evaluate(self, filter: Filter) -> Mask:
        match filter:
            case And(filters):
                return reduce(operator.and_, map(self._evaluate, filters), self._everything)
            case Or(filters):
                return reduce(operator.or_, map(self._evaluate, filters), ~self._everything)
            case Not(negated):
                return ~self._evaluate(negated)
            case Comparison(field, Comparator.NE, value):
                return ~self._compared(Comparison(field, Comparator.EQ, value))
            case Comparison(field, Comparator.EXISTS, value):
                present = self._compared(Comparison(field, Comparator.EXISTS, True))
                return present if value is True else ~present if value is False else ~self._everything
            case Comparison():
                return self._compared(filter)

    def _compared(self, comparison: Comparison) -> Mask:
        if FIELD_TYPES.get(comparison.field) is FieldType.TIME:
            return self._time_column(comparison.field).satisfying(comparison)
        # The types belong to the key, as 1 equals True, which means something else in metadata.
        key = comparison, tuple(map(type, scalars(comparison.value)))
        mask = self._selected.get(key)
        if mask is None:
            if len(self._selected) >= _KEPT_MASKS:
                self._selected.clear()
            mask = self._selected[key] = self._select(comparison)
        return mask

    def _select(self, comparison: Comparison) -> Mask:
        query, parameters = compile_comparison(comparison)
        with self._database.connection() as connection:
            slots = connection.execute(f"SELECT group_concat(slot, ' ') FROM ({query})", parameters).get  # noqa: S608
        mask = np.zeros(self._slots, np.bool_)
        mask[numbers_of(slots)] = True
        return mask

    def _time_column(self, name: str) -> TimeColumn:
        column = self._times.get(name)
        if column is None:
            column = self._times[name] = self._read_times(name)
        return column

    def _read_times(self, name: str) -> TimeColumn:
        with self._database.connection() as connection:
            slots, instants = connection.execute(
                f"SELECT group_concat(slot, ' '), group_concat({name}, ' ') FROM documents"  # noqa: S608
                f" WHERE {name} IS NOT NULL"
            ).get
        column = TimeColumn(np.zeros(self._slots, np.bool_), np.zeros(self._slots, np.int64))
        places = numbers_of(slots)
        column.present[places] = True
        column.instants[places] = numbers_of(instants)
        return column
