"""Days, months, seasons and holidays called by name."""

from __future__ import annotations

from cognis_memory.domain.dates.details import (
    DayOfMonth,
    Holiday,
    Month,
    PartOfYear,
    Season,
    Weekday,
    Weekend,
)
from cognis_memory.domain.dates.english.context import (
    ends_clause,
    follows_preposition,
    is_counted,
    is_day_number,
    is_title,
)
from cognis_memory.domain.dates.english.lexicon import (
    ABBREVIATED_MONTHS,
    AMBIGUOUS_MONTHS,
    AMBIGUOUS_WEEKDAYS,
    HOLIDAY_STARTS,
    HOLIDAYS,
    LONGEST_HOLIDAY_NAME,
    MODIFIERS,
    MONTHS,
    NAME_MONTHS,
    PARTS_OF_DAY,
    PLANNING,
    PREPOSITIONS,
    RANGE_SIGNS,
    RANGE_WORDS,
    SEASONS,
    VERB_MONTHS,
    VERB_SEASONS,
    WEEKDAYS,
)
from cognis_memory.domain.dates.english.numbers import Number, below_hundred, full_year, ordinal, year
from cognis_memory.domain.dates.english.tokens import Piece, Words
from cognis_memory.domain.dates.terms import Chain, Term, Year


def named(words: Words, index: int, *, sure: bool = False) -> Piece | None:
    """`sure`: a word before shows that a time is meant ("last", "next"), so that "may" is the month."""
    return (
        month_date(words, index, sure=sure)
        or holiday(words, index, sure=sure)
        or weekday(words, index, sure=sure)
        or season(words, index, sure=sure)
        or part_of_year(words, index)
        or weekend(words, index)
    )


# Months


def month_date(words: Words, index: int, *, sure: bool = False) -> Piece | None:
    """As "March", "March 5", "March 5th, 2021", "Mar 2021", "May twenty-first"."""
    token = words.at(index)
    number = MONTHS.get(token.text)
    if number is None:
        return None
    stop = after_month_name(words, index)
    day = _day_after_month(words, stop)
    if day is not None:
        return with_year(words, day[1], (Month(number), DayOfMonth(day[0])))
    dated = with_year(words, stop, (Month(number),))
    is_noun = token.is_capital or token.text not in VERB_MONTHS or words.at(stop).kind == "number"
    if dated.stop > stop and is_noun:
        return dated
    is_month = _is_month_after_modifier(words, index) if sure else _is_month(words, index)
    return Piece(Chain((Month(number),)), index + 1) if is_month else None


def after_month_name(words: Words, index: int) -> int:
    """Over the full stop of "Oct.", the dash of "Oct-2" and the slash of "Oct/2"."""
    stop = index + 1
    if words.text(stop) == "." and (
        words.text(index) in ABBREVIATED_MONTHS or words.at(stop + 1).kind == "number"
    ):
        return stop + 1
    is_glued = words.touches(stop) and words.touches(stop + 1) and is_day_number(words, stop + 1)
    return words.skip(stop, "-", "/") if is_glued else stop


def _day_after_month(words: Words, index: int) -> Number | None:
    if is_day_number(words, index):
        return int(words.text(index)), index + 1
    start = words.skip(index, "the")
    found = ordinal(words, start)
    if found is None and words.at(start).kind == "word":
        found = below_hundred(words, start)
        if found and is_counted(words.text(found[1])):
            return None
    return found if found and 1 <= found[0] <= 31 else None


def with_year(words: Words, index: int, terms: tuple[Term, ...]) -> Piece:
    """The terms, and the year after them where there is one: "2021", ", 2021", "of 2021"."""
    start = words.skip(index, "-", "/") if words.touches(index) else index
    start = words.skip(words.skip(start, ",", "of", "in"), ",")
    found = year(words, start) or (_short_year(words, start) if isinstance(terms[-1], DayOfMonth) else None)
    if found is None or words.text(found[1]) == ":":
        return Piece(Chain(terms), index)
    return Piece(Chain((Year(found[0]), *terms)), found[1])


def _short_year(words: Words, index: int) -> Number | None:
    """As "3 Feb 82": two digits that can be no day, at the end of a clause."""
    token = words.at(index)
    if token.kind != "number" or len(token.text) != 2 or int(token.text) <= 31:
        return None
    return (full_year(int(token.text)), index + 1) if ends_clause(words, index + 1) else None


def _is_month_after_modifier(words: Words, index: int) -> bool:
    """Not so in "this may help", "this march was long"."""
    token = words.at(index)
    return token.is_capital or token.text not in VERB_MONTHS or words.text(index - 1) != "this"


def _is_month(words: Words, index: int) -> bool:
    """Whether a lone month name is the month, and no verb, name of a person or part of a title."""
    token = words.at(index)
    if token.text not in AMBIGUOUS_MONTHS:
        return follows_preposition(words, index) or not is_title(words, index)
    if _is_side_of_range(words, index):
        return True
    before = words.text(index - 1)
    if before in ("to", "from") or (token.text in NAME_MONTHS and _is_for_person(words, index)):
        return False  # "to march", "a letter from June", "a present for April"
    if not token.is_capital and token.text in VERB_MONTHS:
        return before in ("in", "since", "until", "by")
    return follows_preposition(words, index)


def _is_side_of_range(words: Words, index: int) -> bool:
    before, after = words.text(index - 1), words.text(index + 1)
    if before in ("from", "between") and (after in RANGE_SIGNS or after in RANGE_WORDS or after == "and"):
        return True
    return after in RANGE_SIGNS and words.text(index + 2) in MONTHS


def _is_for_person(words: Words, index: int) -> bool:
    """As in "a present for April", but not in "the plans for April"."""
    before = words.text(index - 1)
    return before in ("about", "with") or (before == "for" and words.text(index - 2) not in PLANNING)


# Weekdays, seasons, holidays, parts of a year


def weekday(words: Words, index: int, *, sure: bool = False) -> Piece | None:
    token = words.at(index)
    number = WEEKDAYS.get(token.text)
    if number is None:
        return None
    stop = words.skip(index + 1, ".") if token.text in AMBIGUOUS_WEEKDAYS else index + 1
    if not sure:
        placed = words.text(index - 1) in PREPOSITIONS or words.text(index - 1) in MODIFIERS
        if token.text in AMBIGUOUS_WEEKDAYS and not (placed or _is_short_day(words, index, stop)):
            return None
        if not placed and (is_title(words, index) or words.text(index - 1) == "happy"):
            return None
    return Piece(Chain((Weekday(number),)), stop)


def _is_short_day(words: Words, index: int, stop: int) -> bool:
    """As "Mon, Feb 3", "Sun night", "see you Sat": a short form in the place of a weekday."""
    after = words.skip(stop, ",")
    if words.text(after) in MONTHS or ordinal(words, words.skip(after, "the")) or is_day_number(words, after):
        return True
    if not words.at(index).is_capital or words.at(index - 1).kind != "word" or words.text(index - 1) == "the":
        return words.at(index).is_capital and words.text(stop) in PARTS_OF_DAY
    return ends_clause(words, stop) or words.text(stop) in PARTS_OF_DAY


def season(words: Words, index: int, *, sure: bool = False) -> Piece | None:
    """As "Summer 2019", "the summer of 2019", and where a word before shows it, "in the summer"."""
    name = SEASONS.get(words.text(index))
    if name is None:
        return None
    stop = words.skip(index + 1, "break", "vacation", "holiday", "holidays")
    alone = Piece(Chain((Season(name),)), stop)
    falls = words.text(index) in VERB_SEASONS and words.text(stop) == "in"  # "prices fall in 2008"
    dated = alone if falls else with_year(words, stop, (Season(name),))
    if dated.stop > stop or sure:
        return dated
    return alone if ends_clause(words, stop) and follows_preposition(words, index) else None


def holiday(words: Words, index: int, *, sure: bool = False) -> Piece | None:
    if words.text(index) not in HOLIDAY_STARTS:
        return None
    for length in range(LONGEST_HOLIDAY_NAME, 0, -1):
        name = HOLIDAYS.get(tuple(words.text(index + step) for step in range(length)))
        if name is None:
            continue
        dated = with_year(words, index + length, (Holiday(name),))
        if sure or dated.stop > index + length or follows_preposition(words, index):
            return dated
        return None
    return None


def weekend(words: Words, index: int) -> Piece | None:
    """As "over the weekend": the word alone after a preposition."""
    if words.text(index) != "weekend" or not follows_preposition(words, index):
        return None
    return Piece(Chain((Weekend(),)), index + 1)


def part_of_year(words: Words, index: int) -> Piece | None:
    """As "Q3", "Q3 2019", "2018Q4", "18q4", "H1 2020"."""
    before = words.at(index)
    if before.kind == "number" and len(before.text) in (2, 4):
        start = words.skip(index + 1, "-")
        part = _letter_and_digit(words, start)
        number = int(before.text) if len(before.text) == 4 else full_year(int(before.text))
        return Piece(Chain((Year(number), part)), start + 2) if part and number else None
    part = _letter_and_digit(words, index)
    return with_year(words, index + 2, (part,)) if part else None


def _letter_and_digit(words: Words, index: int) -> PartOfYear | None:
    letter, digit = words.text(index), words.text(index + 1)
    if not words.touches(index + 1) or digit not in ("1", "2", "3", "4"):
        return None
    if letter == "q":
        return PartOfYear(int(digit), "quarter")
    return PartOfYear(int(digit), "half_year") if letter == "h" and digit in ("1", "2") else None
