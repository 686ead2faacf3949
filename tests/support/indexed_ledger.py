"""The little of a ledger that an index is filled from, for tests of indexes alone."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator

from cognis_memory.errors import IndexUnavailable
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import Owner
from cognis_memory.ports import DocumentIndex


class IndexedLedger:
    """Documents of owners; a change is written here first, then to the index until it takes it.

    `written` are the documents of which the index has said that they can be found.
    """

    def __init__(self, index: DocumentIndex) -> None:
        self._index = index
        self._lock = threading.Lock()
        self._documents: defaultdict[Owner, dict[str, IndexDocument]] = defaultdict(dict)
        self._written: defaultdict[Owner, set[str]] = defaultdict(set)
        self.refused = 0

    def documents(self, owner: Owner) -> Iterator[IndexDocument]:
        with self._lock:
            return iter(list(self._documents[owner].values()))

    def written(self, owner: Owner) -> set[str]:
        with self._lock:
            return set(self._written[owner])

    def put(self, owner: Owner, *documents: IndexDocument) -> None:
        with self._lock:
            self._documents[owner] |= {document.id: document for document in documents}
        self._until_taken(lambda: self._index.apply(owner, documents, []))
        with self._lock:
            self._written[owner] |= {document.id for document in documents}

    def delete(self, owner: Owner, *ids: str) -> None:
        with self._lock:
            for id_ in ids:
                del self._documents[owner][id_]
            self._written[owner] -= set(ids)
        self._until_taken(lambda: self._index.apply(owner, [], ids))

    def erase(self, owner: Owner) -> None:
        with self._lock:
            self._documents[owner].clear()
            self._written[owner].clear()
        self._until_taken(lambda: self._index.drop(owner))

    def _until_taken(self, write: Callable[[], None]) -> None:
        while True:
            try:
                return write()
            except IndexUnavailable:
                self.refused += 1
