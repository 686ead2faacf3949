"""Filters as large as the API takes them mean here what they mean everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from search_indexes import ANA, document, found, index_on

from cognis_memory.adapters.opensearch import OpenSearchIndex
from cognis_memory.domain.filters import And, Comparator, Comparison, Filter, FilterScalar, Not, Or, matches
from cognis_memory.domain.filters.parsing import MAX_COMPARISONS, MAX_VALUES

ORDERINGS = (Comparator.GT, Comparator.GTE, Comparator.LT, Comparator.LTE)
ENDS = ("", "a", "ab", "é", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0001f389", "\U0001f389b")
TEXTS = [*("x" * 1_000 + end for end in ENDS), "", "x", "y", "z" * 1_000]
DOCUMENTS = [
    document(number, speaker=text[-250:] or None, metadata={"text": text, "number": 2**60 + number})
    for number, text in enumerate(TEXTS)
]
LONG_QUERY = " ".join(f"word{number} 字{chr(0x4E00 + number)}" for number in range(300)) + " place"


@pytest.fixture(scope="module")
def index(opensearch_node: str) -> Iterator[OpenSearchIndex]:
    with index_on(opensearch_node) as made:
        index = made.open()
        index.replace(ANA, iter(DOCUMENTS))
        yield index


def passing(index: OpenSearchIndex, filter: Filter, query: str = "place") -> set[str]:
    return {hit.id for hit in index.match(ANA, query, filter=filter, limit=100)}


def test_long_texts_are_in_the_order_of_their_code_points(index: OpenSearchIndex) -> None:
    for bound, comparator, field in product(TEXTS, ORDERINGS, ("metadata.text", "speaker")):
        comparison = Comparison(field, comparator, bound)
        for wanted in (comparison, Not(comparison)):
            assert passing(index, wanted) == {d.id for d in DOCUMENTS if matches(wanted, d)}


VALUES: dict[str, list[FilterScalar]] = {
    "texts": [f"text {number}" for number in range(MAX_VALUES)],
    "times": [f"2026-07-15T12:00:{number % 60:02d}.{number:03d}Z" for number in range(MAX_VALUES)],
    "numbers": [number * 0.5 for number in range(MAX_VALUES)],
    "large_numbers": [2**60 + number for number in range(MAX_VALUES)],
}


@pytest.mark.parametrize("kind", VALUES)
def test_as_many_comparisons_as_are_taken_each_with_as_many_values(index: OpenSearchIndex, kind: str) -> None:
    field = "metadata.number" if "number" in kind else "metadata.text"
    wanted = Or((Comparison(field, Comparator.IN, tuple(VALUES[kind])),) * MAX_COMPARISONS)

    assert passing(index, wanted) == {d.id for d in DOCUMENTS if matches(wanted, d)}


@pytest.mark.parametrize("value", ["x", "2026-07-15T12:00:00Z", 5, 2**60 + 3, True])
@pytest.mark.parametrize("comparator", [Comparator.EQ, Comparator.GT, Comparator.CONTAINS])
def test_as_many_comparisons_as_are_taken_with_the_longest_query(
    index: OpenSearchIndex, comparator: Comparator, value: FilterScalar
) -> None:
    comparison = Comparison("metadata.text", comparator, value)
    wanted = And((Not(comparison),) * MAX_COMPARISONS)

    assert passing(index, wanted, f"place {LONG_QUERY}") == {d.id for d in DOCUMENTS if matches(wanted, d)}


def test_the_longest_words_of_a_query_are_looked_for(index: OpenSearchIndex) -> None:
    assert found(index, "x" * 5_000 + " place") == {d.id for d in DOCUMENTS}
