"""What an index holds, listed and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

from cognis_memory.adapters.opensearch.connection import OpenSearchConnection
from cognis_memory.adapters.opensearch.documents import Body, document_body
from cognis_memory.adapters.opensearch.filters import Clause
from cognis_memory.adapters.opensearch.generations import OwnerCopy, RecordVersion
from cognis_memory.adapters.opensearch.mapping import UNSTORED
from cognis_memory.adapters.opensearch.names import Address
from cognis_memory.adapters.opensearch.queries import VECTOR_FIELD, OwnerQueries
from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.domain.text import storable_text
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import Owner

_PAGE: Final = 2_000
_KEYS_PAGE: Final = 10_000
_LIST_SECONDS: Final = 60.0

_RECORDS: Final = {"term": {"record": True}}


class IndexContents:
    """Lists what readers of the address see, and what lies beside it."""

    def __init__(self, connection: OpenSearchConnection, address: Address, queries: OwnerQueries) -> None:
        self._connection = connection
        self._address = address
        self._queries = queries

    def revisions(self, owner: Owner) -> Iterator[tuple[str, int]]:
        """Ids and revisions of the documents that are to be seen, in order of id."""
        body = {"query": self._queries.owned(owner), "version": True, "sort": [{"id": "asc"}]}
        for hit in self._pages(body, _PAGE, routing=owner_key(owner)):
            yield hit["sort"][0], hit["_version"]

    def differing(self, owner: Owner, documents: Sequence[IndexDocument], model_id: str) -> set[str]:
        """Ids of those documents which are not to be seen just as they are, in every stored field and the
        768 components; what is derived from these and not stored is left out."""
        held = self._held(owner, [document.id for document in documents])
        return {
            document.id
            for document in documents
            if storable_text(document.id) not in held
            or not _same(held[storable_text(document.id)], owner, document, model_id)
        }

    def leftovers(self, owner: Owner) -> int:
        """How many documents of the owner no reader sees."""
        own = {"term": {"owner": owner_key(owner)}}
        unseen = {"bool": {"filter": [own], "must_not": [self._queries.seen(owner), _RECORDS]}}
        path = f"/{self._address.read}/_count"
        count: int = self._connection.request(
            "POST", path, {"query": unseen}, params={"routing": owner_key(owner)}
        )["count"]
        return count

    def owner_keys(self) -> Iterator[str]:
        """The keys of all owners with a record or documents, in order."""
        return (key for key, _ in self._owners({"match_all": {}}))

    def document_counts(self) -> Iterator[tuple[str, int]]:
        """The keys of all owners with documents, in order, and how many these are, seen or not."""
        return self._owners({"bool": {"must_not": [_RECORDS]}})

    def _owners(self, query: Clause) -> Iterator[tuple[str, int]]:
        after: Body = {}
        sources = [{"owner": {"terms": {"field": "owner"}}}]
        while True:
            composite = {"size": _KEYS_PAGE, "sources": sources, **after}
            aggregations = {"owners": {"composite": composite}}
            body = {"size": 0, "track_total_hits": False, "query": query, "aggs": aggregations}
            found = self._search(body)["aggregations"]["owners"]
            yield from ((bucket["key"]["owner"], bucket["doc_count"]) for bucket in found["buckets"])
            if "after_key" not in found:
                return
            after = {"after": found["after_key"]}

    def records(self) -> Iterator[tuple[str, RecordVersion]]:
        """The keys of all owners with a record, in order, and the record's version."""
        body = {
            "query": _RECORDS,
            "stored_fields": "_none_",
            "seq_no_primary_term": True,
            "sort": [{"owner": "asc"}],
        }
        needed = ",".join(f"hits.hits.{name}" for name in ("sort", "_seq_no", "_primary_term"))
        for hit in self._pages(body, _KEYS_PAGE, filter_path=needed):
            yield hit["sort"][0], (hit["_seq_no"], hit["_primary_term"])

    def copies(self) -> Iterator[tuple[str, OwnerCopy | None]]:
        """The keys of all owners with a record, in order, and what it is a copy of, if it is one."""
        body = {"query": _RECORDS, "_source": ["copied"], "sort": [{"owner": "asc"}]}
        for hit in self._pages(body, _KEYS_PAGE, filter_path="hits.hits.sort,hits.hits._source"):
            copied = hit.get("_source", {}).get("copied")
            yield hit["sort"][0], OwnerCopy(**copied) if copied else None

    def _held(self, owner: Owner, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        body = {
            "query": self._queries.of_ids(owner, ids),
            "version": True,
            "_source": True,
            "docvalue_fields": [VECTOR_FIELD],
            "sort": [{"id": "asc"}],
        }
        hits = self._pages(body, _PAGE, routing=owner_key(owner))
        return {hit["_source"]["id"]: hit for hit in hits}

    def _pages(self, body: Body, size: int, **params: str) -> Iterator[dict[str, Any]]:
        """All hits of a sorted search, page after page."""
        after: Body = {}
        while True:
            page = {"_source": False, "size": size, "track_total_hits": False} | body | after
            hits = self._search(page, **params).get("hits", {}).get("hits", [])
            yield from hits
            if len(hits) < size:
                return
            after = {"search_after": hits[-1]["sort"]}

    def _search(self, body: Clause, **params: str) -> Any:
        path = f"/{self._address.read}/_search"
        return self._connection.request("POST", path, body, params=params, seconds=_LIST_SECONDS)


def _same(hit: dict[str, Any], owner: Owner, document: IndexDocument, model_id: str) -> bool:
    body = document_body(owner, "", model_id, document, full_graph=False)
    stored = {n: v for n, v in body.items() if not any(fnmatchcase(n, pattern) for pattern in UNSTORED)}
    held = hit["_source"] | {"generation": ""}
    same_vector = hit["fields"][VECTOR_FIELD][0] == body[VECTOR_FIELD]
    return bool(hit["_version"] == document.revision and held == stored and same_vector)
