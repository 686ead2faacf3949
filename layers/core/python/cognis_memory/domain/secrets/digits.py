"""Numbers in groups of digits, and the words around them that say what they are."""

from __future__ import annotations

import re
from typing import Final

_SEPARATOR: Final = "[ .ー-]{1,3}"
_AROUND: Final = 40
"""Characters before and after a number whose words say what it is."""
_ASKED: Final = 200
"""Characters at the end of what was said before."""


def groups_of(*lengths: int | str) -> str:
    """A pattern of digits in groups of so many ("13,19" is 13 to 19), parted by spaces, hyphens or dots."""
    return _SEPARATOR.join(f"[0-9]{{{length}}}" for length in lengths)


def numbers_in(*forms: str) -> re.Pattern[str]:
    """Finds numbers of these forms, each as group 1 of a match without a length: they may overlap.

    They are no part of a longer number, a word or a name.
    """
    return re.compile(rf"(?<![A-Za-z0-9_])(?=({'|'.join(forms)})(?![A-Za-z0-9_]))")


def digits_of(number: str) -> str:
    return "".join(character for character in number if "0" <= character <= "9")


def is_called(words: re.Pattern[str], match: re.Match[str], asked: str) -> bool:
    """Whether the words stand beside the number that the match found, or in what was said before."""
    start, end = match.span(1)
    text = match.string
    contexts = (text[max(0, start - _AROUND) : start], text[end : end + _AROUND], asked[-_ASKED:])
    return any(words.search(context) for context in contexts)


def before(match: re.Match[str]) -> str:
    """The words just before the number."""
    return match.string[max(0, match.start(1) - _AROUND) : match.start(1)]
