"""Social security numbers of the United States."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cognis_memory.domain.secrets.digits import before, digits_of, groups_of, is_called, numbers_in
from cognis_memory.domain.secrets.span import SSN, Span

_NUMBER: Final = numbers_in(groups_of(9), groups_of(3, 2, 4))
_HYPHENATED: Final = re.compile(r"[0-9]{3}-[0-9]{2}-[0-9]{4}")
_WORDS: Final = re.compile(
    r"(?<![a-z])(?:ssn|soc(?:ial)?\.? sec(?:urity)?|my social|social:)(?![a-z])|社会保障番号"
    r"|ソーシャル・?セキュリティ",
    re.IGNORECASE,
)
_OTHER_NUMBERS: Final = re.compile(
    r"\b(?:part|order|invoice|ticket|tracking|serial|model|item|product|case|reference|ref|sku|parcel|policy"
    r"|account|member(?:ship)?|phone|fax|tel)\b(?: ?(?:no|nr|num)\.)?[^.!?\n]{0,20}$"
    r"|(?:品番|型番|注文|伝票|請求|製造|会員|管理|受付|追跡|電話|商品|口座)[^。！？\n]{0,10}$",
    re.IGNORECASE,
)
"""What another number in this form is called just before it."""


def find_social_security_numbers(text: str, asked: str) -> Iterator[Span]:
    """`123-45-6789`, unless it is called otherwise; nine digits in another form where they are called so."""
    for match in _NUMBER.finditer(text):
        if _continues(match) or not is_issued(digits_of(match[1])):
            continue
        hyphenated = _HYPHENATED.fullmatch(match[1]) and not _OTHER_NUMBERS.search(before(match))
        if hyphenated or is_called(_WORDS, match, asked):
            yield Span(*match.span(1), SSN)


def _continues(match: re.Match[str]) -> bool:
    start, end = match.span(1)
    return "-" in (match.string[start - 1 : start], match.string[end : end + 1])


def is_issued(digits: str) -> bool:
    """Whether nine digits can be an SSN: no area 000, 666 or 900 to 999, no group 00, no serial 0000.

    The rule of the Social Security Administration since 2011.
    """
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"
