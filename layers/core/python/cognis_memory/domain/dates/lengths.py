"""Lengths of time from a count of units."""

from __future__ import annotations

from cognis_memory.domain.dates.terms import Amount, AmountUnit

A_FEW = 3
_IN_MONTHS: dict[AmountUnit, int] = {"month": 1, "quarter": 3, "half_year": 6, "year": 12, "decade": 120}
_IN_MINUTES: dict[AmountUnit, int] = {"minute": 1, "hour": 60}


def length(count: int, unit: AmountUnit, *, halves: int = 0) -> Amount:
    """`count` units and `halves` halves of one; a half month is 15 days, a half week 3."""
    if unit in _IN_MONTHS:
        doubled = (2 * count + halves) * _IN_MONTHS[unit]
        return Amount(unit, months=doubled // 2, days=15 * (doubled % 2))
    if unit == "week":
        return Amount(unit, days=7 * count + 3 * halves)
    if unit == "day":
        return Amount(unit, days=count, minutes=720 * halves)
    return Amount(unit, minutes=(2 * count + halves) * _IN_MINUTES[unit] // 2)
