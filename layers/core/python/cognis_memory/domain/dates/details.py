"""Parts of a span that have a name: "March", "Friday", "the second week", "evening", "at 8".

Each can pick its part of a span. One with a `cycle` also stands alone: it comes round once in that unit, and
the tense of the sentence tells which turn is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntEnum
from typing import ClassVar, Literal

from cognis_memory.domain.dates.holidays import HOLIDAYS
from cognis_memory.domain.dates.spans import (
    MONTHS_IN,
    ONE_DAY,
    CalendarUnitName,
    Span,
    add_months,
    days_in_month,
    days_span,
    midnight,
    nth_weekday,
    unit_span,
)


class Rank(IntEnum):
    """Coarse to fine: the order in which the terms of a chain narrow each other."""

    DECADE = 0
    YEAR = 1
    HALF_YEAR = 2
    QUARTER = 3
    SEASON = 4
    MONTH = 5
    WEEK = 6
    WEEKEND = 7
    DAY = 8
    WEEKDAY = 9
    FRACTION = 10
    PART_OF_DAY = 11
    CLOCK = 12


UNIT_RANKS: dict[str, Rank] = {
    "decade": Rank.DECADE,
    "year": Rank.YEAR,
    "half_year": Rank.HALF_YEAR,
    "quarter": Rank.QUARTER,
    "month": Rank.MONTH,
    "week": Rank.WEEK,
    "weekend": Rank.WEEKEND,
    "day": Rank.DAY,
    "hour": Rank.CLOCK,
    "minute": Rank.CLOCK,
}
Cycle = CalendarUnitName | None
LONGEST_YEAR = 366  # days


@dataclass(frozen=True, slots=True)
class Month:
    number: int
    rank: ClassVar[Rank] = Rank.MONTH
    cycle: ClassVar[Cycle] = "year"

    def narrow(self, container: Span) -> Span | None:
        if container.days > LONGEST_YEAR:
            return None
        span = unit_span("month", _first_in(container, self.number, 1))
        # a season begins and ends within a month
        last = span.start if container.granularity == "season" else span.end - ONE_DAY
        return span if last < container.end else None


SeasonName = Literal["spring", "summer", "autumn", "winter"]

# First and last day, both inclusive, of the astronomical seasons of the north.
SEASONS: dict[SeasonName, tuple[tuple[int, int], tuple[int, int]]] = {
    "spring": ((3, 20), (6, 21)),
    "summer": ((6, 21), (9, 23)),
    "autumn": ((9, 23), (12, 21)),
    "winter": ((12, 21), (3, 20)),
}


@dataclass(frozen=True, slots=True)
class Season:
    """The winter of a year is the one that begins in it."""

    name: SeasonName
    rank: ClassVar[Rank] = Rank.SEASON
    cycle: ClassVar[Cycle] = "year"

    def narrow(self, container: Span) -> Span | None:
        if container.granularity != "year":
            return None
        start, last = SEASONS[self.name]
        first = _first_in(container, *start)
        after = date(first.year + (last < start), *last) + ONE_DAY
        return Span(midnight(first), midnight(after), "season")


@dataclass(frozen=True, slots=True)
class PartOfYear:
    """The `number`-th quarter or half of a year."""

    number: int
    unit: Literal["quarter", "half_year"]
    cycle: ClassVar[Cycle] = "year"

    @property
    def rank(self) -> Rank:
        return UNIT_RANKS[self.unit]

    def narrow(self, container: Span) -> Span | None:
        months = MONTHS_IN[self.unit]
        if container.granularity != "year" or not 1 <= self.number <= 12 // months:
            return None
        first = add_months(container.first_day, (self.number - 1) * months)
        return Span(midnight(first), midnight(add_months(first, months)), self.unit)


@dataclass(frozen=True, slots=True)
class Holiday:
    """A name of `holidays.HOLIDAYS`."""

    name: str
    rank: ClassVar[Rank] = Rank.DAY
    cycle: ClassVar[Cycle] = "year"

    def narrow(self, container: Span) -> Span | None:
        if container.granularity != "year":
            return None
        rule, days = HOLIDAYS[self.name]
        first = rule(container.first_day.year)
        if first < container.first_day:
            first = rule(container.first_day.year + 1)
        return days_span(first, days, "day" if days == 1 else "range")


@dataclass(frozen=True, slots=True)
class DayOfMonth:
    number: int
    rank: ClassVar[Rank] = Rank.DAY
    cycle: ClassVar[Cycle] = "month"

    def narrow(self, container: Span) -> Span | None:
        first = container.first_day
        if container.granularity == "day":
            return container if first.day == self.number else None
        if container.granularity != "month" or not 1 <= self.number <= days_in_month(first.year, first.month):
            return None
        return days_span(first.replace(day=self.number), 1, "day")


@dataclass(frozen=True, slots=True)
class Weekday:
    """0 is Monday. Within a single day it confirms the day."""

    number: int
    rank: ClassVar[Rank] = Rank.WEEKDAY
    cycle: ClassVar[Cycle] = "week"

    def narrow(self, container: Span) -> Span | None:
        if container.days > 7:
            return None
        day = nth_weekday(container.first_day, container.last_day, self.number, 1)
        return days_span(day, 1, "day") if day else None


@dataclass(frozen=True, slots=True)
class Weekend:
    rank: ClassVar[Rank] = Rank.WEEKEND
    cycle: ClassVar[Cycle] = "week"

    def narrow(self, container: Span) -> Span | None:
        return unit_span("weekend", container.first_day) if container.granularity == "week" else None


@dataclass(frozen=True, slots=True)
class Nth:
    """The `nth` (-1 the last) unit or weekday of a span, or `count` of them from there ("first ten days").

    A week counts where it lies in the span as a whole, a weekend where its Saturday does.
    """

    nth: int
    target: CalendarUnitName | Weekday
    count: int = 1

    @property
    def cycle(self) -> Cycle:
        return "month" if isinstance(self.target, Weekday) else None

    @property
    def rank(self) -> Rank:
        return Rank.WEEKDAY if isinstance(self.target, Weekday) else UNIT_RANKS[self.target]

    def narrow(self, container: Span) -> Span | None:
        if container.days <= 1:
            return None
        if isinstance(self.target, Weekday):
            day = nth_weekday(container.first_day, container.last_day, self.target.number, self.nth)
            return days_span(day, 1, "day") if day else None
        units = self._units(container, self.target)
        last = units.start if self.target == "weekend" else units.end - ONE_DAY
        return units if container.start <= units.start and last < container.end else None

    def _units(self, container: Span, unit: CalendarUnitName) -> Span:
        """From the `nth` whole unit on, or back from the last one for a negative `nth`."""
        if self.nth > 0:
            first = unit_span(unit, container.first_day)
            skipped = self.nth - (first.start >= container.start)
            first = unit_span(unit, container.first_day, skipped)
            last = unit_span(unit, first.first_day, self.count - 1)
        else:
            last = unit_span(unit, container.last_day)
            is_inside = last.start < container.end if unit == "weekend" else last.end <= container.end
            last = unit_span(unit, container.last_day, self.nth + is_inside)
            first = unit_span(unit, last.first_day, 1 - self.count)
        return Span(first.start, last.end, first.granularity if self.count == 1 else "range")


# Days of a week, counted from Monday: early, middle and late; first and second half.
_WEEK_PARTS: dict[int, tuple[tuple[int, int], ...]] = {3: ((0, 2), (2, 3), (4, 6)), 2: ((0, 2), (3, 6))}


@dataclass(frozen=True, slots=True)
class Fraction:
    """The `number`-th of `parts` parts: "early March" is 1 of 3, "the second half of June" 2 of 2.

    The thirds of a month are its days to the 10th, to the 20th, and the rest.
    """

    number: int
    parts: Literal[2, 3]
    rank: ClassVar[Rank] = Rank.FRACTION
    cycle: ClassVar[Cycle] = None

    def narrow(self, container: Span) -> Span | None:
        if container.days <= 1:
            return None
        first, after = self._bounds(container)
        return Span(midnight(first), midnight(after), "range")

    def _bounds(self, container: Span) -> tuple[date, date]:
        first, before = container.first_day, self.number - 1
        if container.granularity == "year":
            months = 12 // self.parts
            return add_months(first, before * months), add_months(first, self.number * months)
        if container.granularity == "week":
            start, last = _WEEK_PARTS[self.parts][before]
            return first + timedelta(days=start), first + timedelta(days=last + 1)
        length = 10 if container.granularity == "month" and self.parts == 3 else container.days // self.parts
        start_day = first + timedelta(days=before * length)
        is_last = self.number == self.parts
        return start_day, container.last_day + ONE_DAY if is_last else start_day + timedelta(days=length)


@dataclass(frozen=True, slots=True)
class PartOfDay:
    """Wall hours from `start` to `end` of one day."""

    start: int
    end: int
    rank: ClassVar[Rank] = Rank.PART_OF_DAY
    cycle: ClassVar[Cycle] = None

    def narrow(self, container: Span) -> Span | None:
        if container.days != 1:
            return None
        day = midnight(container.first_day)
        return Span(day + timedelta(hours=self.start), day + timedelta(hours=self.end), "part_of_day")


EVENING, SMALL_HOURS, EARLY_HOURS = 18, 4, range(1, 7)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day. `bare`: nothing said whether before or after noon."""

    hour: int
    minute: int = 0
    bare: bool = False
    rank: ClassVar[Rank] = Rank.CLOCK
    cycle: ClassVar[Cycle] = None

    def narrow(self, container: Span) -> Span | None:
        if container.days != 1:
            return None
        hours = self._hour_in(container) if self.bare else self.hour
        moment = midnight(container.first_day) + timedelta(hours=hours, minutes=self.minute)
        return Span(moment, moment, "minute")

    def _hour_in(self, container: Span) -> int:
        """The hour from midnight: "Friday evening at 8" is 20, "Friday night at 1" 25, "Friday at 3" 15."""
        hour = self.hour % 12
        if container.granularity != "part_of_day":
            return self.hour + 12 if self.hour in EARLY_HOURS else self.hour
        if container.start.hour >= EVENING and hour <= SMALL_HOURS:
            return hour + 24
        middle = container.start + (container.end - container.start) / 2
        return hour + 12 if middle.hour >= 12 else hour


Detail = (
    Month
    | Season
    | PartOfYear
    | Holiday
    | DayOfMonth
    | Weekday
    | Weekend
    | Nth
    | Fraction
    | PartOfDay
    | Clock
)


def narrowed(container: Span, details: Sequence[Detail]) -> Span | None:
    """The container narrowed by each detail in turn, or None where one has no part in it."""
    span: Span | None = container
    for detail in details:
        span = detail.narrow(span) if span else None
    return span


def _first_in(container: Span, month: int, day: int) -> date:
    """The first such day of the year on or after the start of the container."""
    first = container.first_day
    return date(first.year + ((month, day) < (first.month, first.day)), month, day)
