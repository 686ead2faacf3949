"""Stretches of local wall time and the arithmetic of calendar units.

Everything here is naive wall time; the zone is attached once, at the end. Weeks start on Monday.
Dates outside the years 1 to 9999 raise `OverflowError` or `ValueError`, as in `datetime`.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Literal, NamedTuple

from cognis_memory.domain.dates.mention import Granularity

CalendarUnitName = Literal["day", "weekend", "week", "month", "quarter", "half_year", "year", "decade"]

MONTHS_IN: dict[str, int] = {"month": 1, "quarter": 3, "half_year": 6, "year": 12, "decade": 120}
ONE_DAY = timedelta(days=1)


class Span(NamedTuple):
    """[start, end) in wall time; `start == end` is an instant."""

    start: datetime
    end: datetime
    granularity: Granularity

    @property
    def first_day(self) -> date:
        return self.start.date()

    @property
    def last_day(self) -> date:
        return max(self.start, self.end - timedelta(microseconds=1)).date()

    @property
    def days(self) -> int:
        return (self.last_day - self.first_day).days + 1


def midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def days_span(first: date, days: int, granularity: Granularity) -> Span:
    start = midnight(first)
    return Span(start, start + timedelta(days=days), granularity)


def add_months(day: date, months: int) -> date:
    """The same day `months` later, or the last day of that month where it is shorter (31 January + 1)."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, days_in_month(year, month + 1)))


def days_in_month(year: int, month: int) -> int:
    following = date(year + month // 12, month % 12 + 1, 1) if (year, month) != (9999, 12) else None
    return (following - ONE_DAY).day if following else 31


def unit_span(unit: CalendarUnitName, day: date, shift: int = 0) -> Span:
    """The calendar unit `shift` units after the one that holds `day`.

    A weekend is the Saturday and Sunday of a week, so Wednesday's weekend (shift 0) is the one ahead.
    """
    if unit == "day":
        return days_span(day + timedelta(days=shift), 1, "day")
    if unit in ("week", "weekend"):
        monday = day - timedelta(days=day.weekday()) + timedelta(weeks=shift)
        if unit == "week":
            return days_span(monday, 7, "week")
        return days_span(monday + timedelta(days=5), 2, "weekend")
    months = MONTHS_IN[unit]
    index = day.year * 12 + day.month - 1
    year, month = divmod(index - index % months + shift * months, 12)
    first = date(year, month + 1, 1)
    return Span(midnight(first), midnight(add_months(first, months)), unit)


def nth_weekday(first: date, last: date, weekday: int, nth: int) -> date | None:
    """The `nth` (1 is the first, -1 the last) `weekday` (0 is Monday) of the days `first` to `last`."""
    if nth > 0:
        day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    else:
        day = last - timedelta(days=(last.weekday() - weekday) % 7 - 7 * (nth + 1))
    return day if first <= day <= last else None
