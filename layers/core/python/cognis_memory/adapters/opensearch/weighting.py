"""What a word counts in BM25: as in user shards, where text and context are one document of weighted words.

OpenSearch scores each field by itself. A word of the context would be scored by the statistics of contexts,
and a document of two scripts as two short ones, which BM25 prefers. So a term comes with a count that holds
its occurrences and the length of the whole document already: `kyoto|87`, read by delimited_term_freq. With
c occurrences in a document of l terms, where documents have a on average, BM25 is

    c / (c + k1 (1 - b + b l / a))  =  c' / (c' + k1)   for   c' = c / (1 - b + b l / a),

so the similarity has b = 0, and k1 times SCALE since counts are whole numbers. The average is a fixed one.
"""

from __future__ import annotations

from typing import Any, Final

from cognis_memory.domain.text import by_script, index_terms

CONTEXT_WEIGHT: Final = 0.4
"""Of a word in the context, beside one in the text."""

K1: Final = 1.2
B: Final = 0.75
AVERAGE_TERMS: Final = 50
"""Of a memory or a message with its context; half or twice as many change few ranks."""

SCALE: Final = 100

ANALYSIS: Final[dict[str, Any]] = {
    "analyzer": {
        "counted_terms": {"type": "custom", "tokenizer": "whitespace", "filter": ["delimited_term_freq"]}
    }
}
SIMILARITY: Final[dict[str, Any]] = {"counted_terms": {"type": "BM25", "k1": K1 * SCALE, "b": 0.0}}
COUNTED_TERMS: Final[dict[str, Any]] = {
    "type": "text",
    "analyzer": "counted_terms",
    "search_analyzer": "whitespace",
    "similarity": "counted_terms",
    "index_options": "freqs",
    "norms": False,
}
"""A field of terms that come tokenised: one tokenisation for documents and queries, whatever the engine."""


def counted_terms(text: str, context: str) -> tuple[str, str]:
    """What the fields for scripts with words and for Japanese, Chinese and Korean are given."""
    said, around = index_terms(text), index_terms(context)
    held_back = 1 - B + B * (len(said) + len(around)) / AVERAGE_TERMS
    weights: dict[str, float] = {}
    for terms, weight in ((said, 1.0), (around, CONTEXT_WEIGHT)):
        for term in terms:
            weights[term] = weights.get(term, 0.0) + weight
    english, cjk = by_script(weights)
    return _listed(english, weights, held_back), _listed(cjk, weights, held_back)


def _listed(terms: list[str], weights: dict[str, float], held_back: float) -> str:
    return " ".join(f"{term}|{max(1, round(SCALE * weights[term] / held_back))}" for term in terms)
