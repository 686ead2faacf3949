"""BM25 over the postings of SQLite's FTS5.

FTS5 keeps the index, and `fts5vocab` (sqlite.org/fts5.html, section 9) reads the occurrences of a term from
it. Scores are computed here rather than by FTS5's own bm25(), which takes a microsecond a document and knows
one file only, while a head and its base are scored by the statistics of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import apsw
import numpy as np
from numpy.typing import NDArray

from cognis_memory.adapters.shards.sql import numbers_of

K1: Final = 1.2
B: Final = 0.75
"""BM25's usual constants: how soon repetition says no more, and how much long documents are held back."""

MAX_POSTINGS: Final = 10_000
"""How many postings one query is likely to read at most, some milliseconds' worth; see `affordable`."""

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_READ_FREQUENCIES: Final = """
    SELECT (SELECT doc FROM term_documents WHERE term = asked.value) FROM carray(?) AS asked
"""

_READ_OCCURRENCES: Final = """
    SELECT (
        SELECT group_concat(2 * doc + (col = 'context'), ' ') FROM term_instances WHERE term = asked.value
    ) FROM carray(?) AS asked
"""


@dataclass(frozen=True, slots=True)
class KeywordQuery:
    """Terms of which one has to match.

    What is found in `context` counts `context_weight` times as much as in `text`; at 0 it is not looked for.
    """

    terms: tuple[str, ...]
    context_weight: float


class Postings(NamedTuple):
    """Which documents have which terms, and how often: three arrays of one shape, ordered by term, then slot.

    `terms` are places in the list of terms asked for.
    """

    terms: IntArray
    slots: IntArray
    counts: FloatArray

    def among(self, shown: NDArray[np.bool_]) -> Postings:
        """Those of the documents shown, by slot."""
        kept = shown[self.slots]
        return Postings(self.terms[kept], self.slots[kept], self.counts[kept])

    def frequencies(self, terms: int) -> FloatArray:
        """How many documents have each of so many terms."""
        return np.bincount(self.terms, minlength=terms).astype(np.float64)


def read_occurrences(connection: apsw.Connection, terms: Sequence[str]) -> list[IntArray]:
    """For each term, by document: the slot and, in the last bit, whether it stands in the context."""
    rows = connection.execute(_READ_OCCURRENCES, (apsw.carray(tuple(terms)),)) if terms else ()
    return [numbers_of(text) for (text,) in rows]


def postings_of(occurrences: Sequence[IntArray], context_weight: float) -> Postings:
    """The postings of terms, given what `read_occurrences` found of each.

    An occurrence in the context counts as `context_weight`.
    """
    found = np.concatenate([np.empty(0, np.int64), *occurrences])
    term_of = np.repeat(np.arange(len(occurrences)), [len(of_term) for of_term in occurrences])
    slots = found >> 1
    is_first = np.ones(len(found), np.bool_)
    is_first[1:] = (slots[1:] != slots[:-1]) | (term_of[1:] != term_of[:-1])
    first = np.flatnonzero(is_first)
    counts = np.add.reduceat(np.where(found & 1, context_weight, 1.0), first) if len(first) else np.empty(0)
    return Postings(term_of[first], slots[first], counts)


def read_frequencies(connection: apsw.Connection, terms: Sequence[str]) -> list[int]:
    """In how many documents each term is."""
    rows = connection.execute(_READ_FREQUENCIES, (apsw.carray(tuple(terms)),)) if terms else ()
    return [frequency or 0 for (frequency,) in rows]


def bm25(
    postings: Postings, lengths: FloatArray, frequencies: FloatArray, *, documents: int, average_length: float
) -> FloatArray:
    """The score of each slot, 0 where nothing counts, with Lucene's inverse document frequency, never 0.

    `lengths` are the documents' numbers of terms by slot, `frequencies` how many of all `documents` have each
    term; `average_length` is that of all documents.
    """
    weights = np.log1p((documents - frequencies + 0.5) / (frequencies + 0.5))
    held_back = K1 * (1 - B + B * lengths[postings.slots] / average_length)
    parts = weights[postings.terms] * postings.counts * (K1 + 1) / (postings.counts + held_back)
    return np.bincount(postings.slots, parts, minlength=len(lengths)).astype(np.float64, copy=False)


def affordable(terms: Sequence[str], frequencies: Mapping[str, int]) -> tuple[str, ...]:
    """The rarest of the terms, as many as have MAX_POSTINGS postings together, one at least.

    The commonest terms take most of the time and say least.
    """
    chosen: list[str] = []
    postings = 0
    for term in sorted(terms, key=frequencies.__getitem__):
        postings += frequencies[term]
        if chosen and postings > MAX_POSTINGS:
            break
        chosen.append(term)
    return tuple(chosen)
