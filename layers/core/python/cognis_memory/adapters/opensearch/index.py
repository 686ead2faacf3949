"""Amazon OpenSearch behind the ports of both indexes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from cognis_memory.adapters.opensearch.bulk import CONFLICT, BulkWriter, Item, item
from cognis_memory.adapters.opensearch.connection import OpenSearchConnection
from cognis_memory.adapters.opensearch.contents import IndexContents
from cognis_memory.adapters.opensearch.documents import (
    checked_vector,
    document_body,
    document_key,
)
from cognis_memory.adapters.opensearch.generations import (
    OwnerCopy,
    OwnerRecord,
    OwnerRecords,
    new_generation,
)
from cognis_memory.adapters.opensearch.identity import IdentityCheck
from cognis_memory.adapters.opensearch.names import Address, IndexNames
from cognis_memory.adapters.opensearch.queries import OwnerQueries
from cognis_memory.adapters.opensearch.searching import IndexSearch
from cognis_memory.domain.filters import Filter
from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.errors import IndexUnavailable
from cognis_memory.models.document import CandidateHits, Hit, IndexDocument, VectorHit
from cognis_memory.models.values import FloatVector, Owner

_BATCH: Final = 500
_WRITE_ATTEMPTS: Final = 5
_REMOVAL_SECONDS: Final = 120.0

_GONE: Final = 2**62
"""The version of a deletion, above any revision: nothing written later brings the document back."""


class OpenSearchIndex:
    """`CandidateIndex` over one index for all owners, each owner's documents in one shard.

    Every write has been refreshed when it returns, so that any process finds it. Safe for threads and
    processes.
    `full_graph`: whether candidates come from the graph over all 768 components; None: where there is one.
    `one_model`: refuses to write into an index that was made for another embedding model than `model_id`,
    whoever's documents; without it each owner's documents are one model's.

    Writing raises IndexUnavailable while the index has another layout or tokenisation than this version's.
    """

    def __init__(
        self,
        connection: OpenSearchConnection,
        model_id: str,
        *,
        names: Address | None = None,
        full_graph: bool | None = None,
        one_model: bool = False,
    ) -> None:
        self._connection = connection
        self._names = names or IndexNames()
        self._model_id = model_id
        self._records = OwnerRecords(connection, self._names, model_id)
        self._queries = OwnerQueries(self._records)
        self._bulk = BulkWriter(connection, self._names.write, is_alias=self._names.are_aliases)
        self._identity = IdentityCheck(connection, self._names, model_id if one_model else None)
        self._searches = IndexSearch(
            connection,
            self._names,
            self._records,
            self._queries,
            identity=self._identity,
            full_graph=full_graph,
        )
        self._contents = IndexContents(connection, self._names, self._queries)

    def apply(self, owner: Owner, upserts: Sequence[IndexDocument], deleted: Sequence[str]) -> None:
        """See `DocumentIndex`. Raises IndexRefused for documents that the index cannot take."""
        for document in upserts:
            checked_vector(document)
        documents = _newest(upserts, without=set(deleted))
        if not documents and not deleted:
            return
        for _ in range(_WRITE_ATTEMPTS):
            self._identity.check()
            generation = self._records.opened(owner)
            changes = self._changes(owner, generation, documents, deleted)
            # Last, since it always changes something: the request waits until that and all before are found.
            items = [*changes, self._records.touch(owner, generation)]
            outcomes = self._bulk.write(items, refresh=True)
            in_one_index = len({outcome["_index"] for outcome in outcomes}) == 1
            if in_one_index and outcomes[-1].get("result") == "updated":
                return
            if outcomes[-1]["status"] != CONFLICT:  # else many write at once, and the generation stands
                # Replaced, dropped or moved meanwhile, and with it what was written.
                self._remove(owner_key(owner), [generation])
        raise IndexUnavailable("the user's index was replaced again and again while it was written to")

    def replace(
        self,
        owner: Owner,
        documents: Iterator[IndexDocument],
        *,
        copied: OwnerRecord | None = None,
        is_new: bool = False,
    ) -> None:
        """See `DocumentIndex`. Deletions are forgotten. `documents` has to read the ledger while iterated.

        In an index that is to take another's place, `copied` is the owner's record there: who has read it
        finds these documents, too. `is_new`: nothing of the owner is here; then nothing is refreshed.
        """
        self._identity.check()
        record = self._records.read_to_write(owner)
        earlier = [] if is_new else self._generations(owner_key(owner))
        generation = new_generation()
        also = copied.generation if copied else None
        try:
            written = self._write_all(owner, generation, also, documents)
            if len(written.keys() | ({record.index} if record else set())) > 1:
                raise IndexUnavailable("another index took this one's place while it was written to")
            if not is_new:
                self._refresh()
            copy = OwnerCopy(*copied.version, written.total()) if copied else None
            self._records.switch(owner, record, generation, copied=copy)
        except BaseException:
            self._remove(owner_key(owner), [generation])
            raise
        self._remove(owner_key(owner), earlier)

    def exists(self, owner: Owner) -> bool:
        return self._records.read(owner) is not None

    def count(self, owner: Owner) -> int:
        query = {"query": self._queries.owned(owner)}
        answer = self._connection.request(
            "POST", f"/{self._names.read}/_count", query, params={"routing": owner_key(owner)}
        )
        count: int = answer["count"]
        return count

    def drop(self, owner: Owner) -> None:
        self.discard(owner_key(owner))

    def holdings(self, owner: Owner) -> Mapping[str, int]:
        """See `DocumentIndex`; counts documents of every generation and the owner's record."""
        query = {"query": {"term": {"owner": owner_key(owner)}}}
        path, params = f"/{self._names.read}/_count", {"routing": owner_key(owner)}
        return {"opensearch_documents": self._connection.request("POST", path, query, params=params)["count"]}

    def discard(self, key: str) -> None:
        earlier = self._generations(key)
        self._records.delete(key)
        self._remove(key, earlier)

    def owner_keys(self) -> Iterator[str]:
        """See `DocumentIndex`; in order."""
        return self._contents.owner_keys()

    def revisions(self, owner: Owner) -> Iterator[tuple[str, int]]:
        """See `DocumentIndex`; in order of id."""
        return self._contents.revisions(owner)

    def differing(self, owner: Owner, documents: Sequence[IndexDocument]) -> set[str]:
        """See `DocumentIndex`; terms, and the graph's vectors, are not stored and left out."""
        return self._contents.differing(owner, documents, self._model_id)

    def leftovers(self, owner: Owner) -> int:
        return self._contents.leftovers(owner)

    def nearest(self, owner: Owner, vector: FloatVector, *, filter: Filter, limit: int) -> list[Hit]:
        """See `VectorIndex`; exact while the filter leaves few documents. Raises ModelMismatch."""
        return self._searches.nearest(owner, vector, filter=filter, limit=limit)

    def rescore(self, owner: Owner, vector: FloatVector, ids: Sequence[str]) -> list[VectorHit]:
        """See `VectorIndex`. Raises ModelMismatch."""
        return self._searches.rescore(owner, vector, ids)

    def match(self, owner: Owner, query: str, *, filter: Filter, limit: int) -> list[Hit]:
        """See `KeywordIndex`; how rare a word is, all documents in the owner's shard say."""
        return self._searches.match(owner, query, filter=filter, limit=limit)

    def candidates(
        self, owner: Owner, query: str, vector: FloatVector, *, filter: Filter, nearest: int, matching: int
    ) -> CandidateHits:
        """See `CandidateIndex`: one request, whose hits bring their vectors. Raises ModelMismatch."""
        return self._searches.candidates(
            owner, query, vector, filter=filter, nearest=nearest, matching=matching
        )

    def _write_all(
        self, owner: Owner, generation: str, also: str | None, documents: Iterator[IndexDocument]
    ) -> Counter[str]:
        """Adds the documents to a generation, and to `also`; how many each physical index took."""
        taken: Counter[str] = Counter()
        while batch := list(islice(documents, _BATCH)):
            outcomes = self._bulk.write(self._changes(owner, generation, batch, [], also), refresh=False)
            for outcome in outcomes:
                taken[outcome["_index"]] += outcome.get("result") == "created"
        return taken

    def _changes(
        self,
        owner: Owner,
        generation: str,
        documents: Iterable[IndexDocument],
        deleted: Sequence[str],
        also: str | None = None,
    ) -> Iterator[Item]:
        routing = owner_key(owner)
        full_graph = self._identity.known().full_graph
        for document in documents:
            action = {
                "_id": document_key(owner, generation, document.id),
                "routing": routing,
                "version": document.revision,
                "version_type": "external",
            }
            body = document_body(owner, generation, self._model_id, document, full_graph=full_graph)
            yield item({"index": action}, body | ({"generation": [generation, also]} if also else {}))
        for id_ in dict.fromkeys(deleted):
            action = {
                "_id": document_key(owner, generation, id_),
                "routing": routing,
                "version": _GONE,
                "version_type": "external",
            }
            yield item({"delete": action})

    def _generations(self, key: str) -> list[str]:
        """Those of which there are documents, begun and abandoned ones included."""
        self._refresh()
        body = {
            "size": 0,
            "query": {"bool": {"filter": [{"term": {"owner": key}}]}},
            "aggs": {"generations": {"terms": {"field": "generation", "size": 1_000}}},
        }
        path = f"/{self._names.write}/_search"
        answer = self._connection.request("POST", path, body, params={"routing": key})
        return [bucket["key"] for bucket in answer["aggregations"]["generations"]["buckets"]]

    def _remove(self, key: str, generations: Sequence[str]) -> None:
        """Removes the owner's documents of these generations, but for those that are to be seen."""
        if not generations:
            return
        self._refresh()
        own = [{"term": {"owner": key}}, {"terms": {"generation": list(generations)}}]
        seen = self._records.lookup_to_write(key)
        params = {"routing": key, "conflicts": "proceed", "refresh": "true"}
        path = f"/{self._names.write}/_delete_by_query"
        body = {"query": {"bool": {"filter": own, "must_not": [seen]}}}
        while self._connection.request("POST", path, body, params=params, seconds=_REMOVAL_SECONDS)[
            "version_conflicts"
        ]:
            self._refresh()

    def _refresh(self) -> None:
        self._connection.request("POST", f"/{self._names.write}/_refresh")


def _newest(documents: Sequence[IndexDocument], *, without: set[str]) -> list[IndexDocument]:
    """Each document once, in its newest revision."""
    newest: dict[str, IndexDocument] = {}
    for document in documents:
        held = newest.get(document.id)
        if document.id not in without and (held is None or held.revision < document.revision):
            newest[document.id] = document
    return list(newest.values())
