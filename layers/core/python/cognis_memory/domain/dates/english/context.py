"""What stands around a word: whether it can be the time that it also names."""

from __future__ import annotations

from cognis_memory.domain.dates.english.lexicon import (
    ADJECTIVE_THIRDS,
    FUNCTION_WORDS,
    MEASURES,
    MODIFIERS,
    MONTHS,
    PARTS_OF_DAY,
    PLURAL_AMOUNT_UNITS,
    PREPOSITIONS,
)
from cognis_memory.domain.dates.english.tokens import Token, Words

_CURRENCY = frozenset("$£€¥#№")


def follows_preposition(words: Words, index: int) -> bool:
    """As after "in", "in the", "early", "mid-"."""
    before = index - 2 if words.text(index - 1) == "the" else index - 1
    if words.text(before) in PREPOSITIONS:
        return True
    return words.text(before - 1 if words.text(before) == "-" else before) in ADJECTIVE_THIRDS


def ends_clause(words: Words, index: int) -> bool:
    """Whether no noun can follow that the words before would only describe ("summer dress")."""
    after = words.at(index)
    return after.kind in ("sign", "end") or after.text in FUNCTION_WORDS or after.text in MODIFIERS


def is_day_number(words: Words, index: int) -> bool:
    """A number from 1 to 31 that counts nothing: no price, no clock time, no "5 miles"."""
    token = words.at(index)
    if token.kind != "number" or len(token.text) > 2 or not 1 <= int(token.text) <= 31:
        return False
    after = words.text(index + 1)
    return words.text(index - 1) not in _CURRENCY and after not in (":", "%") and not is_counted(after)


def is_counted(text: str) -> bool:
    """Whether a number before the word is an amount of it."""
    return text in PLURAL_AMOUNT_UNITS or text in MEASURES


def is_title(words: Words, index: int) -> bool:
    """Whether the word begins a run of capital words: "August Wilson", "Friday Night Lights"."""
    if not words.at(index).is_capital:
        return False
    if words.text(index + 1) in PARTS_OF_DAY and words.at(index + 1).is_capital:
        index += 1
    after = words.at(index + 1)
    return _is_name(after) and after.start == words.at(index).end + 1


def _is_name(token: Token) -> bool:
    if not token.is_capital or token.text.startswith("i'"):
        return False
    return not any(token.text in known for known in (FUNCTION_WORDS, MONTHS, MODIFIERS, PARTS_OF_DAY))
