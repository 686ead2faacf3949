"""Times of day: "in the morning", "at 8", "7pm", "19:30", "half past eight", "noon"."""

from __future__ import annotations

import re

from cognis_memory.domain.dates.details import Clock
from cognis_memory.domain.dates.english.lexicon import NAMED_CLOCKS, PARTS_OF_DAY
from cognis_memory.domain.dates.english.numbers import below_hundred, cardinal
from cognis_memory.domain.dates.english.tokens import Piece, Words
from cognis_memory.domain.dates.terms import Chain

_TIME = re.compile(r"([01]?\d|2[0-4]):([0-5]\d)(?::[0-5]\d)?")
_PAST_HOUR = {"past": 1, "after": 1, "to": -1, "before": -1}


def part_of_day(words: Words, index: int) -> Piece | None:
    """As "morning", "in the evening"."""
    start = words.skip(words.skip(words.skip(index, "in", "during"), "the"), "early", "late")
    part = PARTS_OF_DAY.get(words.text(start))
    return Piece(Chain((part,)), start + 1) if part else None


def clock(words: Words, index: int) -> Piece | None:
    """As "at 7", "7pm", "19:30", "half past eight", "noon"."""
    start = words.skip(words.skip(index, "at", "around", "about", "by"), "a")
    if words.text(start) in NAMED_CLOCKS:
        return Piece(Chain((NAMED_CLOCKS[words.text(start)],)), start + 1)
    return _digital(words, start) or _spoken(words, start) or _hour(words, start, placed=start > index)


def _digital(words: Words, index: int) -> Piece | None:
    token = words.at(index)
    match = _TIME.fullmatch(token.text) if token.kind == "compound" else None
    if match is None:
        return None
    hour, minute = int(match[1]), int(match[2])
    meridiem = words.text(index + 1)
    if meridiem in ("am", "pm") and 1 <= hour <= 12:
        return Piece(Chain((Clock(_hour_of_24(hour, meridiem), minute),)), index + 2)
    if hour == 24:
        return None
    bare = hour <= 12 and not token.text.startswith("0")
    return Piece(Chain((Clock(hour, minute, bare),)), index + 1)


def _hour_of_24(hour: int, meridiem: str) -> int:
    return hour % 12 + (12 if meridiem == "pm" else 0)


def _spoken(words: Words, index: int) -> Piece | None:
    """As "half past eight", "quarter to nine", "ten past three"."""
    text = words.text(index)
    if text in ("half", "quarter"):
        minutes, stop = (30 if text == "half" else 15), index + 1
    else:
        found = below_hundred(words, index)
        if found is None or words.text(found[1]) != "past":
            return None
        minutes, stop = found
    side = _PAST_HOUR.get(words.text(stop), 0)
    hour = cardinal(words, stop + 1) if side else None
    if hour is None or not 1 <= hour[0] <= 12 or minutes > 59:
        return None
    total = hour[0] * 60 + side * minutes
    return Piece(Chain((Clock(total // 60, total % 60, bare=True),)), hour[1])


def _hour(words: Words, index: int, *, placed: bool) -> Piece | None:
    """As "7pm", "8 o'clock"; a number alone only after "at"."""
    found = cardinal(words, index)
    if found is None or found[0] > 23:
        return None
    hour, stop = found
    text = words.text(stop)
    if text in ("am", "pm") and 1 <= hour <= 12:
        return Piece(Chain((Clock(_hour_of_24(hour, text)),)), stop + 1)
    if text == "o'clock":
        return Piece(Chain((Clock(hour, bare=hour <= 12),)), stop + 1)
    return Piece(Chain((Clock(hour, bare=hour <= 12),)), stop) if placed else None
