"""Individual numbers of Japan's social security and tax system, called My Number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cognis_memory.domain.secrets.digits import digits_of, groups_of, is_called, numbers_in
from cognis_memory.domain.secrets.span import MY_NUMBER, Span

_NUMBER: Final = numbers_in(groups_of(12), groups_of(4, 4, 4))
_WORDS: Final = re.compile(
    r"マイナンバー|個人番号|(?<![A-Za-z])My Number(?![A-Za-z])|(?i:(?<![a-z])my[ -]?number card"
    r"|mynumber|individual number)"
)
"""Without capitals and a card, "my number" is a telephone's."""


def find_my_numbers(text: str, asked: str) -> Iterator[Span]:
    """Twelve digits with a right check digit that are called so."""
    for match in _NUMBER.finditer(text):
        if passes_my_number(digits_of(match[1])) and is_called(_WORDS, match, asked):
            yield Span(*match.span(1), MY_NUMBER)


def passes_my_number(digits: str) -> bool:
    """Whether the last of twelve digits is the check digit of the others.

    With P the digits before it, n = 1 to 11 from the right, and Q = n + 1 up to the sixth, n - 5 from there:
    11 - ΣPQ mod 11, or 0 where the remainder is 0 or 1 (ordinance of the MIC no. 85 of 2014, article 5).
    """
    *others, check = [int(digit) for digit in digits]
    weights = (2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6)
    remainder = sum(p * q for p, q in zip(reversed(others), weights, strict=True)) % 11
    return check == (0 if remainder <= 1 else 11 - remainder)
