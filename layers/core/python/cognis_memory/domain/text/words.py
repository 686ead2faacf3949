"""Terms of scripts that put spaces between words: English words stemmed, others as they stand."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Final

import snowballstemmer

from cognis_memory.domain.text.stopwords import ENGLISH_STOP_WORDS

MAX_TERM_CHARACTERS: Final = 64
"""A longer run of letters, base64 for example, is known by its beginning."""


class _Stemmers(threading.local):
    """One stemmer a thread: a stemmer keeps the word it works on in itself."""

    def __init__(self) -> None:
        self.english = snowballstemmer.stemmer("english")


_stemmers: Final = _Stemmers()


def word_terms(compound: str) -> Iterator[str]:
    """The terms of a word in normalised spelling, which may have apostrophes and hyphens inside.

    A hyphenated compound gives its parts, then itself written together, so that "e-mail" and "email" meet.
    """
    parts = compound.split("-")
    for part in parts:
        yield from _simple_terms(part)
    if len(parts) > 1:
        yield from _simple_terms("".join(parts))


def _simple_terms(word: str) -> Iterator[str]:
    if word not in ENGLISH_STOP_WORDS:
        bare = word.removesuffix("'s").replace("'", "")[:MAX_TERM_CHARACTERS]
        if bare and bare not in ENGLISH_STOP_WORDS:
            yield _stemmers.english.stemWord(bare) if bare.isascii() and bare.isalpha() else bare
