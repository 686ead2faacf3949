"""Which writing system a text is in: what decides how much each of the two models says."""

from __future__ import annotations

import re

_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[A-Za-zªºÀ-ÖØ-öø-ɏḀ-ỿＡ-Ｚａ-ｚ]")
_SAMPLE = 2_000
_SATURATION = 0.5


def other_script_share(text: str) -> float:
    """How far a text is written in another script than Latin, 0 to 1, judged by its first 2,000 characters.

    1 from the point where half of the letters are not Latin, since a letter of Chinese or Japanese says
    more than a Latin one and names are often left in Latin. A text without letters counts as Latin.
    """
    sample = text[:_SAMPLE]
    letters = len(_LETTER.findall(sample))
    if letters == 0:
        return 0.0
    other = letters - len(_LATIN.findall(sample))
    return min(1.0, other / letters / _SATURATION)


def is_latin(text: str) -> bool:
    """Whether a text reads as Latin script rather than as another."""
    return other_script_share(text) < 0.5
