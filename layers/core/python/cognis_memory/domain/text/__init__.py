"""Texts as terms for keyword search: one tokenisation for documents and queries, whatever the engine."""

from cognis_memory.domain.text.normalisation import normalise_text, storable_text
from cognis_memory.domain.text.terms import TOKENISATION_VERSION, by_script, index_terms, query_terms

__all__ = [
    "TOKENISATION_VERSION",
    "by_script",
    "index_terms",
    "normalise_text",
    "query_terms",
    "storable_text",
]
