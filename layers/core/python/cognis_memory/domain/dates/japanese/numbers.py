"""Numbers in Japanese text, and text in one width."""

from __future__ import annotations

_DIGITS = {digit: value for value, digit in enumerate("〇一二三四五六七八九")} | {"零": 0}
_POWERS = {"十": 10, "百": 100, "千": 1000}

# Full-width letters, digits and signs, one to one, so that places in the text stay the same.
_HALF_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0x301C: 0x7E}

NUMBER = r"(?:\d{1,4}|[〇零一二三四五六七八九十百千]{1,7})"


def half_width(text: str) -> str:
    return text.translate(_HALF_WIDTH)


def value(digits: str) -> int:
    """As "15", "十五", "二〇〇九", "二千九"."""
    if digits.isdecimal():
        return int(digits)
    if not any(character in _POWERS for character in digits):
        return int("".join(str(_DIGITS[character]) for character in digits))
    total = pending = 0
    for character in digits:
        if character in _POWERS:
            total += (pending or 1) * _POWERS[character]
            pending = 0
        else:
            pending = pending * 10 + _DIGITS[character]
    return total + pending
