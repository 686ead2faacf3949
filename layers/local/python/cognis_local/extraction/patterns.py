"""Building blocks that keep long patterns and word lists readable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping


def word_set(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


def by_word(meanings: Mapping[str, str]) -> dict[str, str]:
    """The meaning of each word, from the words of each meaning."""
    return {word: meaning for meaning, words in meanings.items() for word in words.split()}


def any_of(*alternatives: str) -> str:
    """A group that matches any of the alternatives; each may itself hold several, separated by "|"."""
    return f"(?:{'|'.join(alternatives)})"


def words_of(words: Iterable[str]) -> str:
    """A group that matches any of the words, the longest first."""
    return any_of(*sorted(map(re.escape, words), key=lambda word: (-len(word), word)))


def ignoring_case(*parts: str) -> re.Pattern[str]:
    """The parts in a row as one pattern that ignores case."""
    return re.compile("".join(parts), re.IGNORECASE)
