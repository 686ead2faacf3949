"""User shards behind the ports of both indexes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from cognis_memory.adapters.shards.keywords import KeywordQuery
from cognis_memory.adapters.shards.reader import ShardReader
from cognis_memory.adapters.shards.rows import row_of
from cognis_memory.adapters.shards.store import ShardStore, head_name
from cognis_memory.adapters.shards.view import ShardView
from cognis_memory.adapters.shards.view_cache import ViewCache
from cognis_memory.adapters.shards.writer import ShardWriter
from cognis_memory.domain.filters import Filter
from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.domain.text import query_terms
from cognis_memory.errors import CorruptData, ModelMismatch
from cognis_memory.models.document import Hit, IndexDocument, VectorHit
from cognis_memory.models.values import FloatVector, Owner

MAX_QUERY_TERMS: Final = 200
"""Of a longer query the first terms count: BM25 takes time with each."""


class UserShards:
    """`VectorIndex` and `KeywordIndex` over one small file for each owner.

    Every call asks the store whether the owner's file has changed, so that it finds what any process wrote
    before; only `rescore`, which follows a search, takes the file as that one found it. Safe for threads and,
    through the store, for processes.

    A file that is damaged, or of another layout than this version's, does not exist for `exists`; other calls
    raise CorruptData until `replace` has written it anew. A missing file is one without documents.

    `context_weight`: how much a word found in a document's context counts against one in its text.
    `split_at` and `compact_after`: see `ShardWriter`. `max_attempts`: how often a change is tried while other
    writers come first, with growing pauses; 30 take some ten seconds.
    `max_open` and `max_open_bytes` bound the files kept open, and about the memory that they take.
    """

    def __init__(
        self,
        store: ShardStore,
        model_id: str,
        *,
        context_weight: float = 0.4,
        split_at: int = 5_000,
        compact_after: int = 500,
        max_attempts: int = 30,
        max_open: int = 100,
        max_open_bytes: int = 32_000_000,
    ) -> None:
        if not 0 <= context_weight < np.inf:
            raise ValueError("the weight of the context is not negative")
        self._model_id = model_id
        self._context_weight = context_weight
        self._store = store
        self._views = ViewCache(max_open, max_open_bytes)
        self._reader = ShardReader(store, self._views)
        self._writer = ShardWriter(
            store,
            self._reader,
            model_id,
            split_at=split_at,
            compact_after=compact_after,
            max_attempts=max_attempts,
        )

    def apply(self, owner: Owner, upserts: Sequence[IndexDocument], deleted: Sequence[str]) -> None:
        """See `DocumentIndex`. What is deleted or reworded leaves no word and no vector in the files."""
        self._writer.apply(owner_key(owner), upserts, deleted)

    def replace(self, owner: Owner, documents: Iterator[IndexDocument]) -> None:
        """See `DocumentIndex`. Deletions are forgotten.

        `documents` has to read the ledger while it is iterated. Raises IndexUnavailable when another writer
        changed the index meanwhile: begin again with new documents.
        """
        self._writer.replace(owner_key(owner), documents)

    def exists(self, owner: Owner) -> bool:
        try:
            return self._reader.current(owner_key(owner)) is not None
        except CorruptData:
            return False

    def count(self, owner: Owner) -> int:
        view = self._reader.current(owner_key(owner))
        return view.count if view else 0

    def drop(self, owner: Owner) -> None:
        self.discard(owner_key(owner))

    def holdings(self, owner: Owner) -> Mapping[str, int]:
        """See `DocumentIndex`; counts files, damaged ones too."""
        return {"shard_files": len(self._store.names(owner_key(owner)))}

    def discard(self, key: str) -> None:
        self._writer.drop(key)
        self._views.discard(key)

    def owner_keys(self) -> Iterator[str]:
        return self._store.keys()

    def revisions(self, owner: Owner) -> Iterator[tuple[str, int]]:
        view = self._reader.current(owner_key(owner))
        yield from view.revisions() if view else ()

    def differing(self, owner: Owner, documents: Sequence[IndexDocument]) -> set[str]:
        """See `DocumentIndex`; words are compared by their digest."""
        view = self._reader.current(owner_key(owner))
        rows = {document.id: row_of(document) for document in documents}
        held = view.rows([row.id for row in rows.values()]) if view else {}
        return {id_ for id_, row in rows.items() if row.id not in held or not held[row.id].holds(row)}

    def leftovers(self, owner: Owner) -> int:
        """See `DocumentIndex`: files that the head does not name."""
        key = owner_key(owner)
        view = self._reader.current(key)
        named = {head_name(key), view.head.properties.base} if view else set()
        return len(set(self._store.names(key)) - named)

    def nearest(self, owner: Owner, vector: FloatVector, *, filter: Filter, limit: int) -> list[Hit]:
        """See `VectorIndex`; exact, the filter applied before the limit. Raises ModelMismatch."""
        view = self._reader.current(owner_key(owner))
        return self._comparable(view).nearest(vector, filter, limit) if view else []

    def rescore(self, owner: Owner, vector: FloatVector, ids: Sequence[str]) -> list[VectorHit]:
        """See `VectorIndex`. Raises ModelMismatch."""
        key = owner_key(owner)
        distinct = tuple(dict.fromkeys(ids))
        view = self._reader.opened(key)
        found = view.rescore(vector, distinct) if view else []
        if len(found) < len(distinct):  # written since, perhaps
            view = self._reader.current(key)
            found = view.rescore(vector, distinct) if view else []
        if view:
            self._comparable(view)
        return found

    def match(self, owner: Owner, query: str, *, filter: Filter, limit: int) -> list[Hit]:
        """See `KeywordIndex`; English is found by its stems, Japanese, Chinese and Korean by characters."""
        terms = tuple(query_terms(query)[:MAX_QUERY_TERMS])
        view = self._reader.current(owner_key(owner)) if terms else None
        return view.match(KeywordQuery(terms, self._context_weight), filter, limit) if view else []

    def _comparable(self, view: ShardView) -> ShardView:
        if view.head.properties.model_id != self._model_id:
            raise ModelMismatch("the shard holds vectors of another embedding model")
        return view
