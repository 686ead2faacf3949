"""Lengths of time in Japanese: 2週間, 1年3か月, 半年, 数日, 三日."""

from __future__ import annotations

import re

from cognis_memory.domain.dates.japanese.lexicon import AMOUNT_UNITS, KANA_AMOUNTS
from cognis_memory.domain.dates.japanese.numbers import NUMBER, value
from cognis_memory.domain.dates.japanese.patterns import words
from cognis_memory.domain.dates.lengths import A_FEW, length
from cognis_memory.domain.dates.terms import Amount, AmountUnit
from cognis_memory.domain.lazy_patterns import lazy_pattern

COUNT = rf"(?:{NUMBER}|数)"
UNIT = r"(?:世紀|年|[かヶカヵケ箇个]月|週|日|時間|分)"
_PIECE = rf"(?:{COUNT}{UNIT}間?半?|半(?:年|月|日|世紀)|(?:{words(KANA_AMOUNTS)}))"
AMOUNT = rf"{_PIECE}(?:と?{_PIECE}){{0,4}}"

_PIECES = lazy_pattern(
    rf"(?P<count>{COUNT})(?P<unit>{UNIT})間?(?P<half>半)?"
    rf"|半(?P<half_unit>年|月|日|世紀)|(?P<kana>{words(KANA_AMOUNTS)})"
)


def count_of(text: str) -> int:
    return A_FEW if text == "数" else value(text)


def unit_of(text: str) -> tuple[AmountUnit, int]:
    """The unit, and how many of it the word stands for."""
    return AMOUNT_UNITS[text.lstrip("かヶカヵケ箇个")], 10 if text == "世紀" else 1


def amount_of(text: str) -> Amount | None:
    """What `AMOUNT` matched."""
    total: Amount | None = None
    for match in _PIECES().finditer(text):
        piece = _piece(match)
        total = piece if total is None else total + piece
    return total


def _piece(match: re.Match[str]) -> Amount:
    if match["kana"]:
        kana_unit, count = KANA_AMOUNTS[match["kana"]]
        return length(count, kana_unit)
    unit, times = unit_of(match["half_unit"] or match["unit"])
    if match["half_unit"]:
        return length(0, unit, halves=times)
    return length(count_of(match["count"]) * times, unit, halves=times if match["half"] else 0)
