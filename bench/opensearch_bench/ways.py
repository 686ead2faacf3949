"""Ways of searching that are timed against one another, each with the queries that the adapter makes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from cognis_memory.adapters.opensearch import IndexNames, OpenSearchConnection, OpenSearchIndex
from cognis_memory.adapters.opensearch.connection import Json
from cognis_memory.adapters.opensearch.documents import components
from cognis_memory.adapters.opensearch.filters import Clause
from cognis_memory.adapters.opensearch.generations import OwnerRecords
from cognis_memory.adapters.opensearch.mapping import FULL_GRAPH_FIELD
from cognis_memory.adapters.opensearch.queries import OwnerQueries, search_body
from cognis_memory.domain.fusion import fuse
from cognis_memory.domain.matryoshka import candidate_vectors
from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.domain.settings import DEFAULT, KEYWORD, VECTOR
from cognis_memory.domain.text import by_script, query_terms
from cognis_memory.models.document import CandidateHits
from opensearch_bench.corpus import Question
from opensearch_bench.loading import MODEL

PLAIN: Final = "plain match"
WHOLE: Final = "search"
FUSED: Final = "search and fusion"
UNROUTED: Final = "search without routing"
TWO_TRIPS: Final = "search in two requests"
FULL_GRAPH: Final = "768 components alone"
RESCORED: Final = "OpenSearch's rescore"
_EXPLORED: Final = (200, 1_000, 2_000)

Way = Callable[[Question], list[str]]
"""The ids that a search finds, best first."""

ANSWER_SECONDS: Final = 60.0

_Alteration = Callable[[str], str]
"""Of a request's lines."""


class Ways:
    """`full_graph`: whether the index has one."""

    def __init__(self, endpoint: str, names: IndexNames, *, full_graph: bool) -> None:
        self._endpoint = endpoint
        self._names = names
        self._full_graph = full_graph
        self._connection = OpenSearchConnection(endpoint, read_seconds=ANSWER_SECONDS)
        self._index = OpenSearchIndex(self._connection, MODEL, names=names, full_graph=False)
        self._queries = OwnerQueries(OwnerRecords(self._connection, names, MODEL))

    def all(self) -> Mapping[str, Way]:
        """By name."""
        ways: dict[str, Way] = {
            PLAIN: self.plain,
            WHOLE: lambda question: _by_vector(_candidates(self._index, question)),
            FUSED: self.fused,
            UNROUTED: self._with(_unrouted),
            TWO_TRIPS: self.in_two,
        }
        for explored in _EXPLORED:
            ways[f"search, ef_search {explored}"] = self._with(_exploring(explored))
        if self._full_graph:
            full = OpenSearchIndex(self._connection, MODEL, names=self._names, full_graph=True)
            ways[FULL_GRAPH] = lambda question: _by_vector(_candidates(full, question))
            ways[RESCORED] = self.rescored_there
        return ways

    def plain(self, question: Question) -> list[str]:
        """The best ten of one word query among the user's documents, as they are stored."""
        english, cjk = by_script(query_terms(question.words))
        field, terms = ("content_english", english) if len(english) >= len(cjk) else ("content_cjk", cjk)
        owner = owner_key(question.user.owner)
        words = [{"match": {field: " ".join(terms)}}]
        body = {"size": 10, "query": {"bool": {"filter": [{"term": {"owner": owner}}], "must": words}}}
        path = f"/{self._names.read}/_search"
        answer = self._connection.request("POST", path, body, params={"routing": owner})
        return [hit["_source"]["id"] for hit in answer["hits"]["hits"]]

    def fused(self, question: Question) -> list[str]:
        found = _candidates(self._index, question)
        rankings = {VECTOR: _by_vector(found), KEYWORD: found.matched}
        fused = fuse(rankings, weights=DEFAULT.fusion_weights, k=DEFAULT.rrf_k)
        return [each.id for each in fused]

    def in_two(self, question: Question) -> list[str]:
        """Ids from one request, vectors from another."""
        near, *matched = self._ids(question, self._bodies(question))
        ids = [*near, *(id_ for found in matched for id_ in found)]
        rescored = self._index.rescore(question.user.owner, question.vector, ids)
        return _by_vector(CandidateHits(near, [], rescored, {}))

    def rescored_there(self, question: Question) -> list[str]:
        """OpenSearch orders the candidates by all 768 components and sends no vectors."""
        near, *words = self._bodies(question)
        params = {
            "field": FULL_GRAPH_FIELD,
            "query_value": components(question.vector),
            "space_type": "cosinesimil",
        }
        script = {"lang": "knn", "source": "knn_score", "params": params}
        query = {
            "rescore_query": {"script_score": {"query": {"match_all": {}}, "script": script}},
            "query_weight": 0,
            "rescore_query_weight": 1,
        }
        near["rescore"] = {"window_size": DEFAULT.candidates, "query": query}
        return self._ids(question, [near, *words])[0]

    def _with(self, alter: _Alteration) -> Way:
        """A search that differs in its request only."""
        altered = _Altered(self._endpoint, alter)
        index = OpenSearchIndex(altered, MODEL, names=self._names, full_graph=False)
        return lambda question: _by_vector(_candidates(index, question))

    def _bodies(self, question: Question) -> list[Clause]:
        """Those of a search, for ids alone."""
        owner, passing = question.user.owner, question.filter
        prefix, limit = candidate_vectors(question.vector), DEFAULT.candidates
        near = self._queries.nearest(owner, prefix, filter=passing, limit=limit)
        words = self._queries.matching(owner, question.words, filter=passing)
        matching = [search_body(words, DEFAULT.keyword_candidates)] if words else []
        return [search_body(near, limit), *matching]

    def _ids(self, question: Question, bodies: Sequence[Clause]) -> list[list[str]]:
        header = json.dumps({"routing": owner_key(question.user.owner)})
        lines = "".join(f"{header}\n{json.dumps(body)}\n" for body in bodies)
        answer = self._connection.request("POST", f"/{self._names.read}/_msearch", lines)
        return [[hit["fields"]["id"][0] for hit in found["hits"]["hits"]] for found in answer["responses"]]


class _Altered(OpenSearchConnection):
    """Sends the requests of searches altered."""

    def __init__(self, endpoint: str, alter: _Alteration) -> None:
        super().__init__(endpoint, read_seconds=ANSWER_SECONDS)
        self._alter = alter

    def request(self, method: str, path: str, body: Json | str | None = None, **options: Any) -> Any:
        return super().request(method, path, self._alter(body) if isinstance(body, str) else body, **options)


def _unrouted(lines: str) -> str:
    return re.sub(r'^\{"routing": "\w+"\}$', "{}", lines, flags=re.MULTILINE)


def _exploring(explored: int) -> _Alteration:
    return lambda lines: re.sub(r'"ef_search": \d+', f'"ef_search": {explored}', lines)


def _candidates(index: OpenSearchIndex, question: Question) -> CandidateHits:
    return index.candidates(
        question.user.owner,
        question.words,
        question.vector,
        filter=question.filter,
        nearest=DEFAULT.candidates,
        matching=DEFAULT.keyword_candidates,
    )


def _by_vector(found: CandidateHits) -> list[str]:
    near = set(found.nearest)
    return [hit.id for hit in found.rescored if hit.id in near]
