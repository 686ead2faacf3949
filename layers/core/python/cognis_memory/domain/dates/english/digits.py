"""Dates in digits and the numbers in them: "2021-03-05", "3/5", "5 March 2021", "on the 15th", "in 2019"."""

from __future__ import annotations

import re

from cognis_memory.domain.dates.details import DayOfMonth, Month
from cognis_memory.domain.dates.english.context import (
    ends_clause,
    follows_preposition,
    is_counted,
    is_day_number,
)
from cognis_memory.domain.dates.english.lexicon import (
    ADJECTIVE_THIRDS,
    MONTHS,
    PREPOSITIONS,
    RANGE_SIGNS,
    WEEKDAYS,
)
from cognis_memory.domain.dates.english.named import after_month_name, month_date, with_year
from cognis_memory.domain.dates.english.numbers import FIRST_YEAR, LAST_YEAR, Number, full_year, ordinal, year
from cognis_memory.domain.dates.english.tokens import Piece, Words
from cognis_memory.domain.dates.terms import Chain, Term, Year

_ISO = re.compile(r"(\d{4})([-/.])(\d\d?)\2(\d\d?)")
_ISO_MONTH = re.compile(r"(\d{4})[-/](\d\d?)")
_DAY_MONTH_YEAR = re.compile(r"(\d\d?)([-/.])(\d\d?)\2(\d{4}|\d\d)")
_MONTH_YEAR = re.compile(r"(\d\d?)/(\d{4})")
_MONTH_DAY = re.compile(r"(\d\d?)/(\d\d?)")


def numeric_date(words: Words, index: int) -> Piece | None:
    """As 2021-03-05, 3/5/2021 (month first, unless it is above 12), 13.5.2015 (day first), "on 3/5"."""
    text, before = words.text(index), words.text(index - 1)
    terms = _full_date(text)
    if terms is None and (follows_preposition(words, index) or before in WEEKDAYS or before in RANGE_SIGNS):
        terms = _part_date(text)
    if terms is None and (match := _ISO_MONTH.fullmatch(text)):
        terms = _checked(int(match[1]), int(match[2]), None)
    return Piece(Chain(terms), index + 1) if terms else None


def _full_date(text: str) -> tuple[Term, ...] | None:
    if match := _ISO.fullmatch(text):
        return _checked(int(match[1]), int(match[3]), int(match[4]))
    match = _DAY_MONTH_YEAR.fullmatch(text)
    if match is None or (len(match[4]) == 2 and match[2] != "/"):
        return None
    first, second = int(match[1]), int(match[3])
    number = int(match[4]) if len(match[4]) == 4 else full_year(int(match[4]))
    day_first = match[2] == "." or first > 12
    return _checked(number, second, first) if day_first else _checked(number, first, second)


def _part_date(text: str) -> tuple[Term, ...] | None:
    if match := _MONTH_YEAR.fullmatch(text):
        return _checked(int(match[2]), int(match[1]), None)
    if match := _MONTH_DAY.fullmatch(text):
        first, second = int(match[1]), int(match[2])
        return _checked(None, second, first) if first > 12 else _checked(None, first, second)
    return None


def _checked(number: int | None, month: int, day: int | None) -> tuple[Term, ...] | None:
    if not 1 <= month <= 12 or not 1 <= (day or 1) <= 31 or day == 0:
        return None
    if number is not None and not FIRST_YEAR <= number <= LAST_YEAR:
        return None
    terms: tuple[Term, ...] = (Month(month),) if day is None else (Month(month), DayOfMonth(day))
    return terms if number is None else (Year(number), *terms)


def day_before_month(words: Words, index: int) -> Piece | None:
    """As "5 March 2021", "14nov", "14-Nov-2020", "the 5th of March", "third of march"."""
    if is_day_number(words, index):
        found: Number | None = (int(words.text(index)), index + 1)
    else:
        found = ordinal(words, index)
    if found is None or not 1 <= found[0] <= 31:
        return None
    month_at = words.skip(found[1], "of", "-", "/")
    number = MONTHS.get(words.text(month_at))
    if number is None:
        return None
    return with_year(words, after_month_name(words, month_at), (Month(number), DayOfMonth(found[0])))


def year_before_month(words: Words, index: int) -> Piece | None:
    """As "2016 December", "2016 Dec 24"."""
    found = year(words, index) if words.at(index).kind == "number" else None
    if found is None or words.text(found[1]) not in MONTHS:
        return None
    piece = month_date(words, found[1], sure=True)
    together = piece.chain.joined(Chain((Year(found[0]),))) if piece else None
    return Piece(together, piece.stop) if piece and together else None


def lone_day(words: Words, index: int) -> Piece | None:
    """As "on the 15th", "on the 27", "on the fifteenth": after a preposition, with no noun after it."""
    if words.at(index).kind == "number":
        placed = words.text(index - 1) == "the" and is_day_number(words, index)
        found = (int(words.text(index)), index + 1) if placed else None
    else:
        placed = words.at(index).kind == "ordinal" or words.text(index - 1) == "the"
        found = ordinal(words, index) if placed else None
    if found is None or not follows_preposition(words, index) or not ends_clause(words, found[1]):
        return None
    if words.text(index - 1) in _NO_DAY_AFTER or words.text(index - 2) in _NO_DAY_AFTER:
        return None
    return _day(found)


_NO_DAY_AFTER = frozenset({"in", "at", "over"})  # "we trailed in the 4th"


def day_beside(words: Words, index: int) -> Piece | None:
    """The day of the month beside other terms: "Tuesday the 4th"."""
    found = ordinal(words, index)
    return _day(found) if found else None


def _day(found: Number) -> Piece | None:
    number, stop = found
    return Piece(Chain((DayOfMonth(number),)), stop) if 1 <= number <= 31 else None


def lone_year(words: Words, index: int) -> Piece | None:
    """As "in 2019", "the year 2008", "since 1995": a number in the place of a year."""
    before = words.text(index - 2) if words.text(index - 1) == "-" else words.text(index - 1)
    if before not in PREPOSITIONS and before != "year" and before not in ADJECTIVE_THIRDS:
        return None
    found = year(words, index)
    if found is None:
        return None
    after = words.at(found[1])
    counts = after.kind == "word" and after.text.endswith("s") and not ends_clause(words, found[1])
    if counts or after.text in (":", "%") or is_counted(after.text):
        return None
    return Piece(Chain((Year(found[0]),)), found[1])


def year_beside(words: Words, index: int) -> Piece | None:
    """A year that follows other terms: "the last Sunday of March 2014"."""
    found = year(words, index)
    if found is None or words.text(found[1]) == ":":
        return None
    return Piece(Chain((Year(found[0]),)), found[1])
