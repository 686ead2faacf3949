"""What a time expression is made of, in no language.

A *frame* stands for a span by itself, given the reference: "last week", "2019", "three days ago". A *detail*
(`details`) names a part of some span. Both are terms and make a `Chain`; the coarsest is resolved first, and
each finer one narrows it ("next week" + "Friday" + "evening"). A chain without a frame comes round again and
again ("Friday", "March 5"); its `which`, or the tense of its sentence, decides which turn is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from cognis_memory.domain.dates.details import UNIT_RANKS, DayOfMonth, Detail, Nth, Rank
from cognis_memory.domain.dates.spans import CalendarUnitName

AmountUnit = Literal["minute", "hour", "day", "week", "month", "quarter", "half_year", "year", "decade"]


_CALENDAR_UNITS: dict[AmountUnit, CalendarUnitName] = {
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "half_year": "half_year",
    "year": "year",
    "decade": "decade",
}


@dataclass(frozen=True, slots=True)
class Amount:
    """A length of time; `unit` is the finest one named ("1 month 21 days": day)."""

    unit: AmountUnit
    months: int = 0
    days: int = 0
    minutes: int = 0

    @property
    def calendar_unit(self) -> CalendarUnitName:
        """The unit, or the day for what is finer."""
        return _CALENDAR_UNITS.get(self.unit, "day")

    def __add__(self, other: Amount) -> Amount:
        return Amount(
            other.unit, self.months + other.months, self.days + other.days, self.minutes + other.minutes
        )


# Frames


@dataclass(frozen=True, slots=True)
class Unit:
    """The calendar unit `shift` units from the one that holds the reference, or the anchor where given.

    `after_mention`: counted from what the text named before ("the next day"), else from the reference.
    `needs_mention`: without such a mention it means nothing.
    """

    unit: CalendarUnitName
    shift: int = 0
    anchor: Chain | None = None
    after_mention: bool = False
    needs_mention: bool = False

    @property
    def rank(self) -> Rank:
        return UNIT_RANKS[self.unit]


@dataclass(frozen=True, slots=True)
class Year:
    """A year, or the decade or century that starts with it.

    A fiscal year runs from April to March, as in Japan.
    """

    number: int
    length: Literal["year", "fiscal_year", "decade", "century"] = "year"

    @property
    def rank(self) -> Rank:
        return Rank.DECADE if self.length in ("decade", "century") else Rank.YEAR


@dataclass(frozen=True, slots=True)
class FiscalYear:
    """The Japanese fiscal year `shift` years from the running one."""

    shift: int

    @property
    def rank(self) -> Rank:
        return Rank.YEAR


@dataclass(frozen=True, slots=True)
class Offset:
    """A day (an instant, for hours and minutes) `amount` before (`sign` -1) or after the anchor.

    `only_ahead`: "in two days" is a date in a sentence about the future, a duration in one about the past.
    `other`: the second bound of "two or three days ago".
    """

    amount: Amount
    sign: int
    anchor: Chain | None = None
    from_mention: bool = False
    only_ahead: bool = False
    other: Amount | None = None

    @property
    def rank(self) -> Rank:
        return UNIT_RANKS[self.amount.unit]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """The `nth` turn of something that comes round ("Tuesday", "weekend", "summer") before or after."""

    nth: int
    detail: Detail
    sign: int
    anchor: Chain | None = None

    @property
    def rank(self) -> Rank:
        return self.detail.rank


@dataclass(frozen=True, slots=True)
class Window:
    """The time up to yesterday (`sign` -1) or from tomorrow on: "the last 3 days", "the next two weeks"."""

    amount: Amount
    sign: int

    @property
    def rank(self) -> Rank:
        return UNIT_RANKS[self.amount.unit]


@dataclass(frozen=True, slots=True)
class Clipped:
    """The part of a span before or after the reference: "earlier this year", "the rest of the week"."""

    chain: Chain
    side: Literal["before", "after"]

    @property
    def rank(self) -> Rank:
        return self.chain.finest


Frame = Unit | Year | FiscalYear | Offset | Occurrence | Window | Clipped
FRAMES = (Unit, Year, FiscalYear, Offset, Occurrence, Window, Clipped)


Term = Frame | Detail


@dataclass(frozen=True, slots=True)
class Chain:
    """Terms that narrow each other, coarse to fine.

    `which` picks a turn of a chain without a frame: -1 the last, -2 the one before it, 0 this one, 1 the
    coming, 2 the one after it; None leaves it to the tense.
    """

    terms: tuple[Term, ...]
    which: int | None = None

    @property
    def frame(self) -> Frame | None:
        return next((term for term in self.terms if isinstance(term, FRAMES)), None)

    @property
    def details(self) -> tuple[Detail, ...]:
        return tuple(term for term in self.terms if not isinstance(term, FRAMES))

    @property
    def coarsest(self) -> Rank:
        return self.terms[0].rank

    @property
    def finest(self) -> Rank:
        return self.terms[-1].rank

    @property
    def day_of_month(self) -> int | None:
        return next((term.number for term in self.terms if isinstance(term, DayOfMonth)), None)

    @property
    def is_dated(self) -> bool:
        """Whether it means a date at all; a clock time or a part of the day alone does not."""
        first = self.terms[0] if self.terms else None
        return isinstance(first, FRAMES) or (first is not None and first.cycle is not None)

    def joined(self, other: Chain) -> Chain | None:
        """Both in one, or None where they cannot speak of the same time."""
        terms = tuple(sorted(self.terms + other.terms, key=lambda term: term.rank))
        if _clash(terms) or (self.which is not None and other.which is not None):
            return None
        return Chain(terms, self.which if self.which is not None else other.which)


def _clash(terms: tuple[Term, ...]) -> bool:
    """Two of one kind, a detail coarser than the frame ("yesterday" + "March"), or a weekday of a month."""
    ranks = {term.rank for term in terms}
    if len(ranks) < len(terms) or any(isinstance(term, FRAMES) for term in terms[1:]):
        return True
    is_placed = Rank.DAY in ranks or Rank.WEEK in ranks or any(isinstance(term, Nth) for term in terms)
    return Rank.WEEKDAY in ranks and Rank.MONTH in ranks and not is_placed


@dataclass(frozen=True, slots=True)
class Range:
    """From the start of `left` to the end of `right`; a side that is None is the reference."""

    left: Chain | None
    right: Chain | None


def chain_of_days(chains: Sequence[Chain]) -> Range | None:
    """The range of days of one month that follow each other ("the 3rd, 4th and 5th"); None for others."""
    numbers = [chain.day_of_month for chain in chains if chain.finest <= Rank.WEEKDAY]
    in_a_row = all(before and after == before + 1 for before, after in pairwise(numbers))
    return Range(chains[0], chains[-1]) if in_a_row and len(numbers) == len(chains) > 1 else None


@dataclass(frozen=True, slots=True)
class Lasting:
    """`amount` long, from the start of `chain`: "for ten days from 18 December"."""

    chain: Chain
    amount: Amount


@dataclass(frozen=True, slots=True)
class Inside:
    """From `left` to `right` within one span: "last Friday from 3 to 5pm"."""

    outer: Chain
    left: Chain
    right: Chain


Body = Chain | Range | Lasting | Inside


@dataclass(frozen=True, slots=True)
class Expression:
    """A time expression found at `[start, end)` of a text, not yet resolved."""

    start: int
    end: int
    body: Body
