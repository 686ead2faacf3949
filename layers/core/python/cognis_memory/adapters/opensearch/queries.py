"""Queries for one owner's documents: each is made by `OwnerQueries.owned`, which takes the owner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cognis_memory.adapters.opensearch.documents import Body, components
from cognis_memory.adapters.opensearch.filters import Clause, all_of, compile_filter
from cognis_memory.adapters.opensearch.generations import OwnerRecords
from cognis_memory.adapters.opensearch.mapping import DERIVED_TERMS, FULL_GRAPH_FIELD
from cognis_memory.domain.filters import EVERYTHING, Filter
from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.domain.text import by_script, query_terms, storable_text
from cognis_memory.models.values import FloatVector, Owner

MAX_QUERY_TERMS: Final = 200
"""Of a longer query the first terms count; each becomes one of the 1,024 clauses that a query may have."""

EXPLORED: Final = 512
"""Candidates that the walk through the graph keeps; a filter that leaves fewer is searched exactly."""

VECTOR_FIELD: Final = "embedding_768d"


class OwnerQueries:
    """Bodies of searches."""

    def __init__(self, records: OwnerRecords) -> None:
        self._records = records

    def owned(self, owner: Owner, *clauses: Clause, filter: Filter = EVERYTHING) -> Clause:
        """What every query consists of: the owner's documents that are to be seen, and pass the filter."""
        given = [] if filter == EVERYTHING else [compile_filter(filter)]
        return all_of([{"term": {"owner": owner_key(owner)}}, self._records.lookup(owner), *given, *clauses])

    def seen(self, owner: Owner) -> Clause:
        """Documents of the generation that is to be seen."""
        return self._records.lookup(owner)

    def nearest(
        self, owner: Owner, vector: FloatVector, *, filter: Filter, limit: int, full_graph: bool = False
    ) -> Clause:
        """`vector` of shape (256,), or (768,) for the full graph. The filter decides within the walk."""
        field = FULL_GRAPH_FIELD if full_graph else "embedding_256d"
        knn = {
            "vector": components(vector),
            "k": limit,
            # Without it the engine of 2.x explores k candidates only.
            "method_parameters": {"ef_search": max(limit, EXPLORED)},
            "filter": self.owned(owner, filter=filter),
        }
        return {"knn": {field: knn}}

    def matching(self, owner: Owner, query: str, *, filter: Filter) -> Clause | None:
        """None for a query without a word to look for."""
        scripts = zip(DERIVED_TERMS, by_script(query_terms(query)[:MAX_QUERY_TERMS]), strict=True)
        words = [{"match": {field: " ".join(terms)}} for field, terms in scripts if terms]
        if not words:
            return None
        among = self.owned(owner, filter=filter)
        return {"bool": {"should": words, "minimum_should_match": 1, "filter": [among]}}

    def of_ids(self, owner: Owner, ids: Sequence[str]) -> Clause:
        return self.owned(owner, {"terms": {"id": [storable_text(id_) for id_ in ids]}})


def search_body(query: Clause, limit: int, *, vectors: bool = False) -> Body:
    """A search for ids, with their vectors where asked for, which reads no stored document."""
    fields = ["id", VECTOR_FIELD] if vectors else ["id"]
    return {
        "size": limit,
        "query": query,
        "_source": False,
        "stored_fields": "_none_",
        "docvalue_fields": fields,
        "track_total_hits": False,
    }
