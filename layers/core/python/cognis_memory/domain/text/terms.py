"""The terms of a document and of a query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from cognis_memory.domain.lazy_patterns import lazy_pattern
from cognis_memory.domain.text.bigrams import CHARACTERS, run_query_terms, run_terms
from cognis_memory.domain.text.normalisation import normalise_text
from cognis_memory.domain.text.words import word_terms

TOKENISATION_VERSION: Final = 1
"""Goes up with every change of the terms: an index made with other terms has to be built anew."""

_LETTERS: Final = f"[^\\W_{CHARACTERS}]+"
_TOKEN: Final = lazy_pattern(f"([{CHARACTERS}]+)|{_LETTERS}(?:['-]{_LETTERS})*")
_ASCII_TOKEN: Final = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
"""The same where there are no such characters, which finds its tokens sooner."""
_CJK: Final = lazy_pattern(f"[{CHARACTERS}]")


def index_terms(text: str) -> list[str]:
    """The terms to index a text by, in its order, repetitions included.

    A term is made of letters and digits, in ASCII or beyond, and never of spaces, quotes or operators.
    """
    return list(_terms(text, run_terms))


def query_terms(text: str) -> list[str]:
    """The terms to look for, each once, in the query's order; none when it holds no word to look for.

    All of them are terms that `index_terms` gives for the same text.
    """
    return list(dict.fromkeys(_terms(text, run_query_terms)))


def by_script(terms: Iterable[str]) -> tuple[list[str], list[str]]:
    """The terms of scripts with words, then those of Japanese, Chinese and Korean characters."""
    words: list[str] = []
    characters: list[str] = []
    for term in terms:
        (words if term.isascii() or not _CJK().match(term) else characters).append(term)
    return words, characters


def _terms(text: str, of_run: Callable[[str], Iterator[str]]) -> Iterator[str]:
    normalised = normalise_text(text)
    if normalised.isascii():
        for word in _ASCII_TOKEN.findall(normalised):
            yield from word_terms(word)
        return
    for token in _TOKEN().finditer(normalised):
        run = token.group(1)
        yield from of_run(run) if run else word_terms(token.group())
