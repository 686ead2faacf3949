"""Searches of one owner's documents, and what their answers hold."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from cognis_memory.adapters.opensearch.connection import OpenSearchConnection, error_of
from cognis_memory.adapters.opensearch.filters import Clause
from cognis_memory.adapters.opensearch.generations import OwnerRecords
from cognis_memory.adapters.opensearch.identity import IdentityCheck
from cognis_memory.adapters.opensearch.names import Address
from cognis_memory.adapters.opensearch.queries import VECTOR_FIELD, OwnerQueries, search_body
from cognis_memory.adapters.opensearch.vectors import decode
from cognis_memory.domain.filters import Filter
from cognis_memory.domain.matryoshka import candidate_vectors, normalise
from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.errors import IndexRefused
from cognis_memory.models.document import CandidateHits, Hit, VectorHit
from cognis_memory.models.values import FloatVector, Owner

_Hits = list[dict[str, Any]]


class IndexSearch:
    """Answers the searches of `OpenSearchIndex`."""

    def __init__(
        self,
        connection: OpenSearchConnection,
        names: Address,
        records: OwnerRecords,
        queries: OwnerQueries,
        *,
        identity: IdentityCheck,
        full_graph: bool | None,
    ) -> None:
        self._connection = connection
        self._names = names
        self._records = records
        self._queries = queries
        self._identity = identity
        self._full_graph = full_graph

    def nearest(self, owner: Owner, vector: FloatVector, *, filter: Filter, limit: int) -> list[Hit]:
        """See `VectorIndex`; exact while the filter leaves few documents. Raises ModelMismatch."""
        hits = self._search(owner, self._queries.nearest(owner, vector, filter=filter, limit=limit), limit)
        return [Hit(_id(hit), 2 * hit["_score"] - 1) for hit in hits]

    def rescore(self, owner: Owner, vector: FloatVector, ids: Sequence[str]) -> list[VectorHit]:
        """See `VectorIndex`. Raises ModelMismatch."""
        distinct = list(dict.fromkeys(ids))
        if not distinct:
            return []
        query = self._queries.of_ids(owner, distinct)
        return _rescored(vector, self._search(owner, query, len(distinct), vectors=True))

    def match(self, owner: Owner, query: str, *, filter: Filter, limit: int) -> list[Hit]:
        """See `KeywordIndex`; how rare a word is, all documents in the owner's shard say."""
        words = self._queries.matching(owner, query, filter=filter)
        hits = self._search(owner, words, limit) if words else []
        return [Hit(_id(hit), hit["_score"]) for hit in hits]

    def candidates(
        self, owner: Owner, query: str, vector: FloatVector, *, filter: Filter, nearest: int, matching: int
    ) -> CandidateHits:
        """See `CandidateIndex`: one request, whose hits bring their vectors. Raises ModelMismatch.

        The nearest come from the graph over all 768 components where the index has one.
        """
        words = self._queries.matching(owner, query, filter=filter)
        also = [search_body(words, matching, vectors=True)] if words else []

        def found(full_graph: bool) -> list[tuple[_Hits, float]]:
            walked = vector if full_graph else candidate_vectors(vector)
            near = self._queries.nearest(owner, walked, filter=filter, limit=nearest, full_graph=full_graph)
            return self._search_all(owner, [search_body(near, nearest, vectors=True), *also])

        full_graph = self._has_full_graph()
        try:
            answers = found(full_graph)
        except IndexRefused:  # an index without one may have taken this one's place
            if not full_graph or self._has_full_graph(anew=True):
                raise
            answers = found(full_graph=False)
        (near, near_ms), (matched, matched_ms) = [*answers, ([], 0.0)][:2]
        if not near and not matched:
            self._check_model(owner)
        started = time.perf_counter()
        rescored = _rescored(vector, [*near, *matched])
        passed = (time.perf_counter() - started) * 1000
        stages = {"vector_256d_ms": near_ms, "bm25_ms": matched_ms, "vector_768d_ms": passed}
        return CandidateHits([*map(_id, near)], [*map(_id, matched)], rescored, stages)

    def _has_full_graph(self, *, anew: bool = False) -> bool:
        return (
            self._full_graph if self._full_graph is not None else self._identity.known(anew=anew).full_graph
        )

    def _search(self, owner: Owner, query: Clause, limit: int, *, vectors: bool = False) -> _Hits:
        body = search_body(query, limit, vectors=vectors)
        ((hits, _),) = self._search_all(owner, [body])
        if not hits:
            self._check_model(owner)
        return hits

    def _search_all(self, owner: Owner, bodies: Sequence[dict[str, Any]]) -> list[tuple[_Hits, float]]:
        """The hits of each search, sent as one request, and the milliseconds that the cluster took for it."""
        header = json.dumps({"routing": owner_key(owner)})
        lines = "".join(f"{header}\n{json.dumps(body)}\n" for body in bodies)
        answer = self._connection.request("POST", f"/{self._names.read}/_msearch", lines)
        found = []
        for response in answer["responses"]:
            if "error" in response:
                raise error_of(response["status"], response["error"].get("type", ""))
            found.append((response["hits"]["hits"], float(response["took"])))
        return found

    def _check_model(self, owner: Owner) -> None:
        """Where nothing was found: whether that is because all there is belongs to another model."""
        record = self._records.read(owner)
        if record is not None:
            self._records.checked(record)


def _id(hit: dict[str, Any]) -> str:
    id_: str = hit["fields"]["id"][0]
    return id_


def _rescored(vector: FloatVector, hits: _Hits) -> list[VectorHit]:
    """Each document once, by the exact cosine of its 768 components."""
    encoded = {_id(hit): hit["fields"][VECTOR_FIELD][0] for hit in hits}
    if not encoded:
        return []
    vectors = normalise(decode(list(encoded.values())))
    cosines = vectors @ vector
    ids = list(encoded)
    return [VectorHit(ids[place], float(cosines[place]), vectors[place]) for place in np.argsort(-cosines)]
