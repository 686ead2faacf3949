"""Numbers of payment cards (ISO/IEC 7812)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cognis_memory.domain.secrets.digits import digits_of, groups_of, is_called, numbers_in
from cognis_memory.domain.secrets.span import CARD_NUMBER, Span

_FORMS: Final = (
    numbers_in(groups_of("13,19")),
    numbers_in(groups_of(4, 4, 4, 4, "1,3")),
    numbers_in(groups_of(4, 4, 4, 4), groups_of(4, 4, 4, 1)),
    numbers_in(groups_of(4, 6, "4,5")),
)
_ISSUERS: Final = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})"  # Visa
    r"|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"  # Mastercard
    r"|3[47]\d{13}"  # American Express
    r"|3(?:0[0-5]|[689]\d)\d{11}"  # Diners Club
    r"|35(?:2[89]|[3-8]\d)\d{12,15}"  # JCB
    r"|(?:6011|64[4-9]\d|65\d\d|62\d\d|60\d\d|8[12]\d\d)\d{12,15}"  # Discover, UnionPay, RuPay
    r"|(?:50|5[6-8]|6[37])\d{14,17}|220[0-4]\d{12}"  # Maestro, Mir
)
"""Their first digits and lengths."""

_WORDS: Final = re.compile(
    r"credit|debit|card (?:number|no)|visa|master ?card|amex|クレジット|クレカ|デビット|カード(?:の)?番号",
    re.IGNORECASE,
)
_FRACTION: Final = re.compile(r"[0-9][.,]$")


def find_card_numbers(text: str, asked: str) -> Iterator[Span]:
    """Numbers with a right check digit which an issuer gives out, or which are called a card's."""
    for form in _FORMS:
        for match in form.finditer(text):
            digits = digits_of(match[1])
            if (
                passes_luhn(digits)
                and not _is_fraction(match)
                and (_ISSUERS.fullmatch(digits) or is_called(_WORDS, match, asked))
            ):
                yield Span(*match.span(1), CARD_NUMBER)


def _is_fraction(match: re.Match[str]) -> bool:
    """Whether the digits are a part of 3.14159… or of 1,234…"""
    start, end = match.span(1)
    return bool(_FRACTION.search(match.string[max(0, start - 2) : start])) or bool(
        re.match(r"[.,][0-9]", match.string[end : end + 2])
    )


def passes_luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of the others (ISO/IEC 7812-1, annex B)."""
    doubled = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
    values = [int(digit) for digit in reversed(digits)]
    return (sum(values[::2]) + sum(doubled[value] for value in values[1::2])) % 10 == 0
