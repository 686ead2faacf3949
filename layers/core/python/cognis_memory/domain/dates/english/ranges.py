"""Ranges: "Monday to Friday", "13-15 July", "between May and July", "from 3 to 8pm"."""

from __future__ import annotations

from typing import NamedTuple

from cognis_memory.domain.dates.details import Clock, DayOfMonth, Rank
from cognis_memory.domain.dates.english.context import is_day_number
from cognis_memory.domain.dates.english.lexicon import PREPOSITIONS, RANGE_SIGNS, RANGE_WORDS
from cognis_memory.domain.dates.english.named import named
from cognis_memory.domain.dates.english.numbers import ordinal
from cognis_memory.domain.dates.english.tokens import Words
from cognis_memory.domain.dates.terms import Chain, Range, Year


class Sides(NamedTuple):
    left: Chain
    right: Chain
    stop: int


def range_of(words: Words, index: int) -> tuple[Range, int] | None:
    """As "Monday to Friday", "13-15 July", "2023 to 2025"; after "between" also with "and"."""
    if words.text(index) == "now" and words.text(index + 1) in (*RANGE_WORDS, "and"):
        piece = words.chain(words.skip(index + 2, "the"))
        return (Range(None, piece.chain), piece.stop) if piece and piece.chain.is_dated else None
    sides = sides_of(words, index)
    if sides is None or not (sides.left.is_dated or sides.right.is_dated):
        return None
    return Range(sides.left, sides.right), sides.stop


def sides_of(words: Words, index: int, outer: Chain | None = None) -> Sides | None:
    """The two sides of a range that starts at `index`, `outer` being the chain before it."""
    before = words.text(index - 1)
    left = _side(words, words.skip(index, "the"))
    if left is None:
        return None
    separator = words.text(left[1])
    if not (
        separator in RANGE_SIGNS or separator in RANGE_WORDS or (before == "between" and separator == "and")
    ):
        return None
    right = _side(words, words.skip(left[1] + 1, "the"), is_right=True)
    if right is None:
        return None
    stop = right[1]
    if isinstance(left[0], int) and isinstance(right[0], int) and outer is None:
        days = _days_of_month_after(words, left[0], right[0], stop)
        if days is not None:
            return days
    placed = before in PREPOSITIONS or separator in RANGE_SIGNS
    pair = _alike(left[0], right[0], outer, placed=placed)
    if pair is None or (separator in RANGE_SIGNS and not _are_of_one_kind(*pair)):
        return None
    return Sides(*pair, stop)


def _are_of_one_kind(left: Chain, right: Chain) -> bool:
    """A dash may also part two clauses: "I was ill last week - yesterday I got up"."""
    return left.finest == right.finest or min(left.finest, right.finest) >= Rank.DAY


def _days_of_month_after(words: Words, left: int, right: int, index: int) -> Sides | None:
    """As "4-23 next month", "between 3 and 12 of September"."""
    following = words.chain(words.skip(words.skip(index, "of", "in", ","), "the"))
    days = _numbers_in(left, right, following.chain) if following else None
    if following is None or days is None or following.chain.finest is not Rank.MONTH:
        return None
    first, last = (following.chain.joined(day) or day for day in days)
    return Sides(first, last, following.stop)


def _numbers_in(left: int, right: int, outer: Chain) -> tuple[Chain, Chain] | None:
    """Two numbers as days of a month ("4-23 next month") or hours of a day ("yesterday from 3 to 5")."""
    if outer.finest is Rank.MONTH and 1 <= left < right <= 31:
        return Chain((DayOfMonth(left),)), Chain((DayOfMonth(right),))
    if Rank.DAY <= outer.finest <= Rank.PART_OF_DAY and max(left, right) <= 12:
        return Chain((Clock(left, bare=True),)), Chain((Clock(right, bare=True),))
    return None


def _side(words: Words, index: int, *, is_right: bool = False) -> tuple[Chain | int, int] | None:
    """A chain, or a number that the other side will explain."""
    token = words.at(index)
    if token.kind == "end":
        return None
    piece = words.chain(index) or (named(words, index, sure=True) if is_right else None)
    if piece is not None:
        return piece.chain, piece.stop
    found = ordinal(words, index)
    if found is not None:
        return found
    if token.kind == "number" and (is_day_number(words, index) or len(token.text) == 4):
        return int(token.text), index + 1
    return None


def _alike(
    left: Chain | int, right: Chain | int, outer: Chain | None, *, placed: bool
) -> tuple[Chain, Chain] | None:
    if isinstance(left, int) and isinstance(right, int):
        if outer is not None:
            return _numbers_in(left, right, outer)
        if placed and 1900 <= left < right <= 2100:
            return Chain((Year(left),)), Chain((Year(right),))
        return None
    if isinstance(left, int) and isinstance(right, Chain):
        alike = _like(left, right)
        return (alike, right) if alike else None
    if isinstance(right, int) and isinstance(left, Chain):
        alike = _like(right, left)
        return (left, alike) if alike else None
    return (left, right) if isinstance(left, Chain) and isinstance(right, Chain) else None


def _like(number: int, model: Chain) -> Chain | None:
    """The number as what the other side is: "13 to 15 July" two days, "3 to 8pm" two times."""
    finest = model.terms[-1]
    if isinstance(finest, Clock) and number <= 12:
        hour = number + 12 if finest.hour >= 12 and number + 12 <= finest.hour else number
        return Chain((Clock(hour, bare=finest.bare),))
    if any(isinstance(term, DayOfMonth) for term in model.terms) and 1 <= number <= 31:
        return Chain((DayOfMonth(number),))
    if any(isinstance(term, Year) for term in model.terms) and number >= 1000:
        return Chain((Year(number),))
    return None
