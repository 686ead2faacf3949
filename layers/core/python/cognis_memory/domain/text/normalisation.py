"""One spelling for texts that differ in width, case, accents or punctuation only."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_LONG_RUN: Final = re.compile(r"([^\w\s]{30})[^\w\s]+")
"""Neither letters nor spaces: marks above all. Putting a long run of marks in canonical order takes quadratic
time, so a run ends after 30, as in the stream-safe format of Unicode (UAX #15)."""

_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
"""The combining marks of Latin, Greek and Cyrillic; those of other scripts tell words apart."""

_THOUSANDS: Final = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")

_SPELLINGS: Final = str.maketrans(
    dict.fromkeys("`\u2018\u2019\u02bc\u2032", "'")
    | {"\u2010": "-"}
    | dict.fromkeys("\u00ad\u200c\u200d\u2060\ufeff", "")
    | {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
"""Apostrophes, hyphens, invisible joiners, and letters from which Unicode's decomposition takes no accent."""


def normalise_text(text: str) -> str:
    """The text in compatibility form (NFKC), casefolded, without accents and thousands separators.

    Full-width letters become ASCII and half-width katakana full-width. Takes any string, unpaired surrogates
    included, and time in proportion to its length.
    """
    if text.isascii():
        return _THOUSANDS.sub("", text.lower().replace("`", "'"))
    bounded = _LONG_RUN.sub(r"\1", text)
    folded = unicodedata.normalize("NFKC", bounded).casefold().translate(_SPELLINGS)
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", folded))
    return _THOUSANDS.sub("", unicodedata.normalize("NFC", bare))


def storable_text(text: str) -> str:
    """The text with unpaired surrogates, which UTF-8 does not know, as question marks."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
