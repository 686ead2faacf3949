"""Nearest neighbours: exact, under filters too, in both stages."""

from __future__ import annotations

import numpy as np
import pytest

from cognis_memory.domain.filters import And, Comparator, Comparison
from cognis_memory.domain.matryoshka import candidate_vectors

from .builders import OWNER, SearchIndex, apply, document, documents, ids, near, vectors

NUMBERS = range(400)
SPEAKER = Comparison("speaker", Comparator.EQ, "Bo")


def filled(index: SearchIndex) -> SearchIndex:
    """400 documents, three of them spoken by Bo, some replaced or deleted on the way."""
    speakers = dict.fromkeys((7, 150, 311), "Bo")
    index.replace(OWNER, iter(document(number) for number in NUMBERS[:390]))
    apply(index, *(document(number, revision=2, speaker=speakers.get(number)) for number in NUMBERS))
    apply(index, *documents(401, 402), deleted=[document(401).id])
    apply(index, deleted=[document(402).id])
    return index


@pytest.fixture
def full(index: SearchIndex) -> SearchIndex:
    return filled(index)


@pytest.mark.parametrize("limit", [1, 10, 200, 1_000])
def test_candidates_come_in_the_order_of_an_exact_search(full: SearchIndex, limit: int) -> None:
    stored = np.stack([document(number).vector for number in NUMBERS])
    for query in vectors(5, seed=1_000):
        cosines = candidate_vectors(stored) @ candidate_vectors(query)
        hits = full.nearest(OWNER, candidate_vectors(query), filter=And(), limit=limit)

        expected = np.sort(cosines)[::-1][:limit]
        np.testing.assert_allclose([hit.score for hit in hits], expected, atol=1e-3)
        scores = {document(number).id: cosines[number] for number in NUMBERS}
        np.testing.assert_allclose([scores[hit.id] for hit in hits], expected, atol=1e-3)


def test_the_few_that_a_filter_lets_through_are_always_found(full: SearchIndex) -> None:
    for query in vectors(3, seed=1_000):
        assert set(near(full, query, filter=SPEAKER, limit=5)) == ids(7, 150, 311)
        assert len(near(full, query, filter=SPEAKER, limit=2)) == 2


def test_a_filter_that_fits_nothing_finds_nothing(full: SearchIndex) -> None:
    nobody = Comparison("speaker", Comparator.EQ, "nobody")

    assert near(full, vectors(1)[0], filter=nobody, limit=5) == []


def test_rescoring_orders_by_the_exact_cosine(full: SearchIndex) -> None:
    query = vectors(1, seed=1_000)[0]
    asked = [document(number).id for number in (5, 300, 17, 5, 399)]
    hits = full.rescore(OWNER, query, [*asked, "mem_unknown", document(401).id])

    cosines = {document(number).id: float(document(number).vector @ query) for number in (5, 300, 17, 399)}
    assert [hit.id for hit in hits] == sorted(cosines, key=cosines.__getitem__, reverse=True)
    for hit in hits:
        assert hit.score == pytest.approx(cosines[hit.id], abs=1e-3)
        assert hit.vector.shape == (768,)
        assert hit.vector.dtype == np.float32
        assert np.linalg.norm(hit.vector) == pytest.approx(1, abs=1e-5)
        number = int(hit.id.removeprefix("mem_"))
        np.testing.assert_allclose(hit.vector, document(number).vector, atol=1e-3)


def test_both_stages_find_what_an_exact_search_finds(full: SearchIndex) -> None:
    stored = np.stack([document(number).vector for number in NUMBERS])
    for query in vectors(5, seed=1_001):
        candidates = near(full, query, limit=200)
        hits = full.rescore(OWNER, query, candidates)
        exact = [document(int(number)).id for number in np.argsort(-(stored @ query))]
        expected = [id_ for id_ in exact if id_ in set(candidates)]

        assert [hit.id for hit in hits[:10]] == expected[:10]


def test_asking_for_nothing_finds_nothing(full: SearchIndex) -> None:
    assert full.rescore(OWNER, vectors(1)[0], []) == []


def test_a_zero_vector_is_near_nothing_and_breaks_nothing(index: SearchIndex) -> None:
    apply(index, document(1, vector=np.zeros(768, np.float32)), *documents(2, 3))

    assert near(index, document(2).vector)[0] == document(2).id
    (hit,) = index.rescore(OWNER, document(2).vector, [document(1).id])
    assert hit.score == 0
