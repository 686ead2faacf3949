"""Lengths of time: "three weeks", "a year and a half", "1 month 21 days", "a couple of days"."""

from __future__ import annotations

from typing import NamedTuple

from cognis_memory.domain.dates.english.lexicon import AMOUNT_UNITS, PLURAL_AMOUNT_UNITS
from cognis_memory.domain.dates.english.numbers import cardinal
from cognis_memory.domain.dates.english.tokens import Words
from cognis_memory.domain.dates.lengths import A_FEW, length
from cognis_memory.domain.dates.terms import Amount

COLLECTIVES = {"couple": 2, "few": A_FEW, "several": A_FEW, "some": A_FEW, "dozen": 12, "hundred": 100}
_PADDING = frozenset({"full", "whole", "long", "short", "good", "more", "odd"})


class Counted(NamedTuple):
    number: int
    stop: int
    and_half: bool = False


def count(words: Words, index: int) -> Counted | None:
    """How many: "3", "three", "two and a half", "a", "a couple of", "few", "several"."""
    start = index
    index = words.skip(index, "a", "an")
    text = words.text(index)
    if text in COLLECTIVES:
        return Counted(COLLECTIVES[text], words.skip(index + 1, "of"))
    if index > start:
        return Counted(1, index)
    number = cardinal(words, index)
    if number is None:
        return None
    value, stop = number
    if [words.text(stop + step) for step in range(3)] == ["and", "a", "half"]:
        return Counted(value, stop + 3, and_half=True)
    return Counted(value, stop)


def amount(words: Words, index: int) -> tuple[Amount, int] | None:
    """A length of time, and the index after it."""
    if words.text(index) == "half" and words.text(index + 1) in ("a", "an"):
        unit = AMOUNT_UNITS.get(words.text(index + 2))
        return (length(0, unit[0], halves=unit[1]), index + 3) if unit else None
    found = _counted_unit(words, index)
    if found is None:
        return None
    total, stop = found
    while True:
        more = _counted_unit(words, words.skip(words.skip(stop, ","), "and"))
        if more is None or _is_coarser(more[0], total):
            return total, stop
        total, stop = total + more[0], more[1]


def _counted_unit(words: Words, index: int) -> tuple[Amount, int] | None:
    counted = count(words, index)
    if counted is None:
        return None
    stop = counted.stop
    while words.text(stop) in _PADDING:
        stop += 1
    text = words.text(stop)
    unit = PLURAL_AMOUNT_UNITS.get(text) or AMOUNT_UNITS.get(text)
    if unit is None:
        return None
    name, times = unit
    half = counted.and_half
    stop += 1
    if [words.text(stop + step) for step in range(3)] == ["and", "a", "half"]:
        half, stop = True, stop + 3
    return length(counted.number * times, name, halves=times if half else 0), stop


def _is_coarser(more: Amount, total: Amount) -> bool:
    """Whether another length begins: "1 month 21 days" is one, "two days, three weeks" is two."""
    return (more.months, more.days, more.minutes) >= (total.months or 0, total.days, total.minutes)
