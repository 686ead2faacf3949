"""Dates told by their turn: "last week", "this past Friday", "next March", "the last three days"."""

from __future__ import annotations

from cognis_memory.domain.dates.details import Weekday, Weekend
from cognis_memory.domain.dates.english.amounts import count
from cognis_memory.domain.dates.english.lexicon import (
    AMOUNT_UNITS,
    COUNTED_FROM_MENTION,
    MODIFIERS,
    NEAREST_AHEAD,
    NIGHT,
    PARTS_OF_DAY,
    PLURAL_AMOUNT_UNITS,
    UNITS,
)
from cognis_memory.domain.dates.english.named import named
from cognis_memory.domain.dates.english.tokens import Piece, Words
from cognis_memory.domain.dates.lengths import length
from cognis_memory.domain.dates.terms import Chain, Offset, Term, Unit, Window

DAY_WORDS = {"today": 0, "tonight": 0, "tonite": 0, "yesterday": -1, "tomorrow": 1, "tmrw": 1, "tmr": 1}


def day_word(words: Words, index: int) -> Piece | None:
    """As "today", "yesterday", "tomorrow", "tonight"."""
    text = words.text(index)
    if text not in DAY_WORDS:
        return None
    day = Unit("day", DAY_WORDS[text])
    return Piece(Chain((day, NIGHT) if text.startswith("toni") else (day,)), index + 1)


def modified(words: Words, index: int) -> Piece | None:
    """As "last week", "this past Friday", "the next two months", "this morning"."""
    modifier = _modifier(words, index)
    if modifier is None:
        return None
    word, stop = modifier
    return (
        _window(words, stop, MODIFIERS[word])
        or _unit(words, stop, word)
        or _part_of_day(words, stop, word)
        or _turn(words, stop, word)
    )


def _modifier(words: Words, index: int) -> tuple[str, int] | None:
    """As "last", "this past", "these last", "this coming": the word that counts, and the index after it."""
    word, stop = words.text(index), index + 1
    while word in ("this", "these") and words.text(stop) in MODIFIERS and words.text(stop) != "this":
        word, stop = words.text(stop), stop + 1
    return (word, stop) if word in MODIFIERS else None


def same_time(words: Words, index: int) -> Piece | None:
    """As "this time last year", "the same day next week"."""
    if words.text(index) not in ("this", "same") or words.text(index + 1) not in ("time", "day"):
        return None
    shift = MODIFIERS.get(words.text(index + 2), 0)
    unit = AMOUNT_UNITS.get(words.text(index + 3))
    if not shift or unit is None:
        return None
    return Piece(Chain((Offset(length(unit[1], unit[0]), shift),)), index + 4)


def _window(words: Words, index: int, shift: int) -> Piece | None:
    """As "last 3 days", "next couple of weeks"."""
    if shift == 0:
        return None
    counted = count(words, index)
    if counted is None:
        return None
    return _counted_window(words, counted.stop, counted.number, shift)


def _counted_window(words: Words, index: int, number: int, shift: int) -> Piece | None:
    text = words.text(index)
    unit = PLURAL_AMOUNT_UNITS.get(text) or AMOUNT_UNITS.get(text)
    if unit is None or number == 0:
        return None
    return Piece(Chain((Window(length(number * unit[1], unit[0]), shift),)), index + 1)


def window_count_first(words: Words, index: int) -> Piece | None:
    """As "two upcoming weeks"."""
    counted = count(words, index)
    shift = MODIFIERS.get(words.text(counted.stop), 0) if counted else 0
    if counted and words.text(counted.stop + 1) not in PLURAL_AMOUNT_UNITS:
        return None
    return _counted_window(words, counted.stop + 1, counted.number, shift) if counted and shift else None


def _unit(words: Words, index: int, word: str) -> Piece | None:
    shift, text = MODIFIERS[word], words.text(index)
    rolls = word == "past" and text in ("month", "year") and words.text(index - 2) in ("the", "this")
    if shift and (rolls or text in ("hour", "minute", "fortnight")):
        return _counted_window(words, index, 1, shift)
    unit = UNITS.get(text)
    if unit is None or (unit == "day" and word in ("last", "past", "this", "current")):
        return None
    term: Term = Unit(unit, shift, after_mention=word in COUNTED_FROM_MENTION)
    if unit == "day":
        term = Unit("day", shift, after_mention=True, needs_mention=True)
    if unit == "weekend" and word in ("coming", "upcoming"):
        return Piece(Chain((Weekend(),), which=1), index + 1)
    return Piece(Chain((term,)), index + 1)


def _part_of_day(words: Words, index: int, word: str) -> Piece | None:
    part = PARTS_OF_DAY.get(words.text(index))
    if part is None:
        return None
    shift = MODIFIERS[word]
    if shift == 0:
        day = Unit("day")
    elif shift > 0 or word in COUNTED_FROM_MENTION:
        day = Unit("day", shift, after_mention=True, needs_mention=True)
    elif words.text(index) in ("night", "evening"):
        day = Unit("day", -1)
    else:
        return None
    return Piece(Chain((day, part)), index + 1)


def _turn(words: Words, index: int, word: str) -> Piece | None:
    """A name with a modifier: "next Friday" is that of next week, "the coming Friday" the nearest."""
    piece = named(words, index, sure=True)
    if piece is None:
        return None
    terms: tuple[Term, ...] = piece.chain.terms
    if piece.chain.frame is not None:
        return piece
    shift = MODIFIERS[word]
    if shift > 0 and isinstance(terms[0], Weekday) and word not in NEAREST_AHEAD:
        return Piece(Chain((Unit("week", shift), *terms)), piece.stop)
    return Piece(Chain(terms, which=shift), piece.stop)
