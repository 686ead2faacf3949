"""Terms of Japanese, Chinese and Korean: overlapping bigrams and single characters, without a dictionary."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from cognis_memory.domain.text.stopwords import JAPANESE_STOP_WORDS

_KANA: Final = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # with ー, without the middle dot

CHARACTERS: Final = (
    "\u3005-\u3007"  # 々 〆 〇
    f"{_KANA}"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Chinese characters
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3"  # hangul
    "\u3100-\u312f\u31a0-\u31bf"  # bopomofo
)
"""The inside of a regular expression's character class."""

_KANA_ONLY: Final = re.compile(f"[{_KANA}]+")
_STOP_BIGRAMS: Final = frozenset(
    first + second
    for word in JAPANESE_STOP_WORDS
    for first, second in pairwise(word)
    if len(word) == 2 or _KANA_ONLY.fullmatch(first + second)
)
"""Bigrams that are stop words, or the kana of one: the ます of います."""


def run_terms(run: str) -> Iterator[str]:
    """Every bigram of a run of such characters, then every character."""
    yield from _bigrams(run)
    yield from run


def run_query_terms(run: str) -> Iterator[str]:
    """Of the same terms those worth looking for: no stop words, and no single kana beside others.

    Single Chinese characters and syllables stay, as they are words; a run of one character stays as it is.
    """
    if len(run) == 1:
        yield from run
        return
    yield from _bigrams(run)
    for character in run:
        if character not in JAPANESE_STOP_WORDS and not _KANA_ONLY.fullmatch(character):
            yield character


def _bigrams(run: str) -> Iterator[str]:
    for first, second in pairwise(run):
        bigram = first + second
        if bigram not in _STOP_BIGRAMS:
            yield bigram
