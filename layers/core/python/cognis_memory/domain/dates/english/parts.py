"""Parts of a stretch of time: "the second Monday of May", "early March", "the rest of the week"."""

from __future__ import annotations

from cognis_memory.domain.dates.details import DayOfMonth, Fraction, Nth, PartOfYear, Rank, Weekday
from cognis_memory.domain.dates.english.context import ends_clause, follows_preposition, is_day_number
from cognis_memory.domain.dates.english.lexicon import (
    ADJECTIVE_THIRDS,
    NOUN_THIRDS,
    PLURAL_UNITS,
    PREPOSITIONS,
    UNITS,
    WEEKDAYS,
)
from cognis_memory.domain.dates.english.numbers import cardinal, full_year, ordinal, year
from cognis_memory.domain.dates.english.tokens import Piece, Words
from cognis_memory.domain.dates.terms import Chain, Clipped, Occurrence, Term, Unit, Year

_HALVES = {"first": 1, "second": 2, "last": 2, "latter": 2}
_LAST = frozenset({"last", "final"})


def period(words: Words, index: int) -> Piece | None:
    """A dated chain, or a unit that means the running one: "of 2019", "of last month", "of the year"."""
    start = words.skip(index, "the")
    piece = words.chain(start)
    if piece is not None and piece.chain.is_dated:
        return piece
    unit = UNITS.get(words.text(start))
    return Piece(Chain((Unit(unit),)), start + 1) if unit and unit != "day" else None


# The nth of something


def nth(words: Words, index: int) -> Piece | None:
    """As "the last Monday of March", "first ten days of last year", "the second half of 2020"."""
    number = _nth_number(words, index)
    if number is None:
        return None
    value, stop = number
    text = words.text(stop)
    if text == "half":
        return _half(words, words.text(index), stop + 1)
    if text in WEEKDAYS:
        weekday = Weekday(WEEKDAYS[text])
        return _within(words, Nth(value, weekday), stop + 1) or _beyond(words, value, weekday, stop + 1)
    if text == "quarter":
        return _quarter(words, value, stop + 1)
    if text in UNITS:
        return _within(words, Nth(value, UNITS[text]), stop + 1)
    return _first_units(words, value, stop) or _of_month(words, value, stop)


def _first_units(words: Words, number: int, index: int) -> Piece | None:
    """As "first ten days of"."""
    counted = cardinal(words, index)
    unit = PLURAL_UNITS.get(words.text(counted[1])) if counted else None
    if counted is None or unit is None or not 0 < counted[0] <= 100:
        return None
    return _within(words, Nth(number, unit, counted[0]), counted[1] + 1)


def _nth_number(words: Words, index: int) -> tuple[int, int] | None:
    """The place in the row, -1 for the last, and the index after it."""
    if words.text(index) in _LAST or words.text(index) == "latter":
        return -1, index + 1
    found = ordinal(words, index)
    if found and words.text(found[1]) == "to" and words.text(found[1] + 1) == "last":
        return -found[0], found[1] + 2
    return found if found and found[0] > 0 else None


def _within(words: Words, part: Nth, index: int) -> Piece | None:
    if words.text(index) not in ("of", "in"):
        return None
    piece = period(words, index + 1)
    return _joined(piece, part) if piece else None


def _joined(piece: Piece, *terms: Term) -> Piece | None:
    chain = piece.chain.joined(Chain(terms))
    return Piece(chain, piece.stop) if chain else None


def _beyond(words: Words, number: int, weekday: Weekday, index: int) -> Piece | None:
    """As "the third Tuesday after Christmas"."""
    sign = {"after": 1, "before": -1}.get(words.text(index), 0)
    piece = words.chain(words.skip(index + 1, "the")) if sign and number > 0 else None
    if piece is None or not piece.chain.is_dated:
        return None
    return Piece(Chain((Occurrence(number, weekday, sign, piece.chain),)), piece.stop)


def numbered_day(words: Words, index: int) -> Piece | None:
    """As "20 of next month"."""
    return _of_month(words, int(words.text(index)), index + 1) if is_day_number(words, index) else None


def _of_month(words: Words, number: int, index: int) -> Piece | None:
    """As "the 20th of next month"."""
    if words.text(index) != "of" or not 1 <= number <= 31:
        return None
    piece = period(words, index + 1)
    if piece is None or piece.chain.finest is not Rank.MONTH:
        return None
    return _joined(piece, DayOfMonth(number))


def _quarter(words: Words, number: int, index: int) -> Piece | None:
    """As "the third quarter 2018", "first quarter of next year"."""
    if not 1 <= number <= 4:
        return None
    start = words.skip(index, "of", "in")
    found = year(words, start)
    if found is not None:
        return Piece(Chain((Year(found[0]), PartOfYear(number, "quarter"))), found[1])
    piece = period(words, start)
    return _joined(piece, PartOfYear(number, "quarter")) if piece else None


def _half(words: Words, which: str, index: int) -> Piece | None:
    piece = period(words, index + 1) if words.text(index) == "of" and which in _HALVES else None
    if piece is None:
        return None
    number = _HALVES[which]
    if piece.chain.finest is Rank.YEAR:
        return _joined(piece, PartOfYear(number, "half_year"))
    return _joined(piece, Fraction(number, 2))


# Thirds and remainders


def third(words: Words, index: int) -> Piece | None:
    """As "early next week", "mid-April", "the end of June", "late in 2019"."""
    text = words.text(index)
    if text in ADJECTIVE_THIRDS:
        number, start = ADJECTIVE_THIRDS[text], words.skip(index + 1, "-", "in", "of")
    elif text in NOUN_THIRDS and words.text(index + 1) == "of":
        number, start = NOUN_THIRDS[text], index + 2
    else:
        return None
    piece = period(words, start)
    if piece is None:
        return None
    if piece.chain.finest >= Rank.WEEKEND:
        return piece if text in ADJECTIVE_THIRDS else None
    return _joined(piece, Fraction(number, 3))


def remainder(words: Words, index: int) -> Piece | None:
    """As "earlier this year", "later in the week", "the rest of the month", "year to date"."""
    text = words.text(index)
    if text in ("rest", "remainder") and words.text(index + 1) == "of":
        piece = period(words, index + 2)
    elif text in ("earlier", "later"):
        piece = period(words, words.skip(index + 1, "in", "on"))
    elif text in UNITS and [words.text(index + 1), words.text(index + 2)] == ["to", "date"]:
        return Piece(Chain((Clipped(Chain((Unit(UNITS[text]),)), "before"),)), index + 3)
    else:
        return None
    if piece is None or piece.chain.finest >= Rank.WEEKEND or not _is_running(piece.chain):
        return piece
    return Piece(Chain((Clipped(piece.chain, "before" if text == "earlier" else "after"),)), piece.stop)


def _is_running(chain: Chain) -> bool:
    """Whether the reference lies in it, so that it has a part before and one after."""
    return isinstance(chain.frame, Unit) and chain.frame.shift == 0 and len(chain.terms) == 1


DECADES = {"twenties": 2020, "thirties": 1930, "forties": 1940, "fifties": 1950, "sixties": 1960,
                 "seventies": 1970, "eighties": 1980, "nineties": 1990}  # fmt: skip


def decade(words: Words, index: int) -> Piece | None:
    """As "the 1990s", "the '90s", "the nineties"."""
    before = words.text(index - 1)
    if before not in PREPOSITIONS and before not in ("the", "-") and before not in ADJECTIVE_THIRDS:
        return None
    piece = _decade(words, index)
    if piece is None or follows_preposition(words, index) or ends_clause(words, piece.stop):
        return piece
    return None


def _decade(words: Words, index: int) -> Piece | None:
    if words.text(index) in DECADES:
        return Piece(Chain((Year(DECADES[words.text(index)], "decade"),)), index + 1)
    start = words.skip(index, "'", "’")
    digits = words.text(start)
    if words.at(start).kind != "number" or len(digits) not in (2, 4) or digits[-1] != "0":
        return None
    if words.text(start + 1) != "s" or not words.touches(start + 1):
        return None
    number = int(digits) if len(digits) == 4 else full_year(int(digits))
    if not 1000 <= number <= 2999 or (len(digits) == 2 and words.text(index - 1) != "the"):
        return None
    is_century = number % 100 == 0 and number < 2000
    return Piece(Chain((Year(number, "century" if is_century else "decade"),)), start + 2)
