"""The same 2,000 documents and 200 queries in user shards and in OpenSearch.

docs/opensearch.md ("Beside user shards") explains the differences whose bounds stand here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Final

import numpy as np
import pytest
from corpus import Corpus
from deployment import Deployment, owner_of
from engines import describe, open_deployment
from search_indexes import index_on

from cognis_memory.domain.filters import EVERYTHING
from cognis_memory.domain.matryoshka import candidate_vectors
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import FloatVector, Owner
from cognis_memory.ports import KeywordIndex

pytestmark = pytest.mark.xdist_group("against_shards")  # one worker fills both

DOCUMENTS: Final = {"one": 1, "few": 4, "some": 15, "tens": 60, "hundred": 120, "more": 200, "many": 400}
LARGE: Final = "large"
SIZES: Final = DOCUMENTS | {LARGE: 1_200}
"""All but the last are searched exactly: the graph is walked with 512 candidates in mind."""

QUERIES: Final = 200
CANDIDATES: Final = 200
TOP: Final = 10
TIE: Final = 2e-4
"""Of a cosine: what six decimals of each component on one side, and float16 on the other, leave open."""


@dataclass(frozen=True, slots=True)
class Query:
    user: str
    text: str

    @property
    def owner(self) -> Owner:
        return owner_of(self.user)


@dataclass(frozen=True, slots=True)
class Both:
    """Two deployments on one ledger; `documents` are those of each user."""

    shards: Deployment
    opensearch: Deployment
    documents: dict[str, list[IndexDocument]]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, opensearch_node: str) -> Iterator[Both]:
    shards = open_deployment(describe(tmp_path_factory.mktemp("both")))
    corpus = Corpus(seed=7)
    for user, size in SIZES.items():
        said = [corpus.sentence() for _ in range(size)]
        for first in range(0, size, 400):
            shards.add(user, said[first : first + 400])
    with index_on(opensearch_node) as made:
        opensearch = shards.with_(index=made.open())
        for user in SIZES:
            opensearch.projector.rebuild(owner_of(user))
        documents = {user: list(shards.projector.documents(owner_of(user))) for user in SIZES}
        yield Both(shards, opensearch, documents)
    shards.close()


@pytest.fixture(scope="module")
def queries() -> list[Query]:
    """Three of ten to the largest user."""
    corpus = Corpus(seed=8)
    users = cycle([*SIZES, LARGE, LARGE])
    return [Query(user, corpus.question()) for user in islice(users, QUERIES)]


def test_vectors_come_in_the_same_order_where_the_search_is_exact(both: Both, queries: list[Query]) -> None:
    for query in queries:
        if query.user == LARGE:
            continue
        vector = both.shards.embedder.embed([query.text])[0]
        for find in (_nearest, _rescored):
            expected, found = find(both.shards, query, vector), find(both.opensearch, query, vector)
            # At each place as near, and each document as near: only ties change places, the last one too.
            np.testing.assert_allclose(list(found.values()), list(expected.values()), atol=TIE)
            for id_ in found.keys() & expected.keys():
                assert found[id_] == pytest.approx(expected[id_], abs=TIE)
            for id_ in expected.keys() - found.keys():
                assert expected[id_] == pytest.approx(min(expected.values()), abs=TIE)


def test_recall_where_the_graph_is_walked(both: Both, queries: list[Query]) -> None:
    stored = {d.id: d.vector for d in both.documents[LARGE]}
    recalls = []
    for query in queries:
        if query.user == LARGE:
            vector = both.shards.embedder.embed([query.text])[0]
            exact = sorted(stored, key=lambda id_: -float(stored[id_] @ vector))
            found = both.opensearch.index.candidates(
                query.owner, "", vector, filter=EVERYTHING, nearest=CANDIDATES, matching=1
            )
            recalls.append(_overlap(exact[:TOP], [hit.id for hit in found.rescored]))

    assert len(recalls) >= QUERIES * 3 // 10
    assert np.mean(recalls) >= 0.99


def test_keywords_find_the_same_documents(both: Both, queries: list[Query]) -> None:
    """Whichever comes first: every document that has one of the words, and no other."""
    for query in queries[:60]:
        assert set(_matching(both.shards.index, query, 2_000)) == set(
            _matching(both.opensearch.index, query, 2_000)
        )


def test_the_first_keyword_hits_are_nearly_the_same(both: Both, queries: list[Query]) -> None:
    """What is left are other users' documents in the statistics, one length for all averages, and ties."""
    overlaps = _overlaps(both.shards.index, both.opensearch.index, queries)

    assert np.mean(overlaps) >= 0.93


def test_searches_answer_mostly_the_same(both: Both, queries: list[Query]) -> None:
    overlaps, firsts = [], []
    for query in queries[:100]:
        answers = [
            [result.id for result in each.search(query.user, query.text).results]
            for each in (both.shards, both.opensearch)
        ]
        if any(answers):
            overlaps.append(_overlap(*answers))
            firsts.append(answers[0][:1] == answers[1][:1])

    assert np.mean(overlaps) >= 0.93
    assert np.mean(firsts) >= 0.9


def _nearest(deployment: Deployment, query: Query, vector: FloatVector) -> dict[str, float]:
    hits = deployment.index.nearest(
        query.owner, candidate_vectors(vector), filter=EVERYTHING, limit=CANDIDATES
    )
    return {hit.id: hit.score for hit in hits}


def _rescored(deployment: Deployment, query: Query, vector: FloatVector) -> dict[str, float]:
    hits = deployment.index.rescore(query.owner, vector, list(_nearest(deployment, query, vector)))
    return {hit.id: hit.score for hit in hits}


def _matching(index: KeywordIndex, query: Query, limit: int) -> list[str]:
    return [hit.id for hit in index.match(query.owner, query.text, filter=EVERYTHING, limit=limit)]


def _overlaps(one: KeywordIndex, other: KeywordIndex, queries: Sequence[Query]) -> list[float]:
    pairs = ((_matching(one, query, TOP), _matching(other, query, TOP)) for query in queries)
    return [_overlap(*pair) for pair in pairs if any(pair)]


def _overlap(one: Sequence[str], other: Sequence[str]) -> float:
    """The share of the first TOP that both have, of the longer one."""
    first, second = set(one[:TOP]), set(other[:TOP])
    return len(first & second) / max(len(first), len(second))
