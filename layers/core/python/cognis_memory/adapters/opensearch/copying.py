"""Fills an index with what another one holds, from the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice
from typing import Final

from cognis_memory.adapters.opensearch.catalog import IndexCatalog
from cognis_memory.adapters.opensearch.connection import OpenSearchConnection
from cognis_memory.adapters.opensearch.contents import IndexContents
from cognis_memory.adapters.opensearch.generations import OwnerCopy, OwnerRecords
from cognis_memory.adapters.opensearch.index import OpenSearchIndex
from cognis_memory.adapters.opensearch.names import SingleIndex
from cognis_memory.adapters.opensearch.queries import OwnerQueries
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import Owner

_BATCH: Final = 200

ReadDocuments = Callable[[Owner], Iterator[IndexDocument]]
"""What an index has to hold of an owner, read from the ledger while it is iterated."""


class IndexCopy:
    """The owners of the index `old` in the index `new`, which nobody else writes to.

    A copied record names the version of the other record that it is the copy of, and the number of documents.
    So the first pass finds what is left to do, whoever made those before. The keys of all owners are held in
    memory, some 500 bytes each.
    """

    def __init__(
        self,
        connection: OpenSearchConnection,
        catalog: IndexCatalog,
        model_id: str,
        documents: ReadDocuments,
        *,
        old: str,
        new: str,
        workers: int,
    ) -> None:
        self._catalog = catalog
        self._names = (old, new)
        self._old_records = OwnerRecords(connection, SingleIndex(old), model_id)
        self._old = _contents(connection, old, model_id)
        self._new = _contents(connection, new, model_id)
        self._index = OpenSearchIndex(connection, model_id, names=SingleIndex(new), one_model=True)
        self._documents = documents
        self._workers = workers
        self._copied: dict[str, OwnerCopy] | None = None

    def copy_changed(self, report: Callable[[int], None]) -> int:
        """Copies whoever has changed since or is not here as a whole, and drops who is in `old` no more.

        Returns how many owners these were; 0: both indexes hold the same. `report` is told the number of
        those copied while it goes up. Everything can be found when it returns.
        """
        for name in self._names:
            self._catalog.refresh(name)
        counts = dict(self._new.document_counts())
        copies = self._copies()
        not_in_old = set(copies.keys() | counts.keys())
        outdated = self._outdated(counts, not_in_old)
        copied = 0
        with ThreadPoolExecutor(self._workers, thread_name_prefix="cognis-copy") as threads:
            while batch := list(islice(outdated, _BATCH)):
                list(threads.map(lambda each: self._copy(*each), batch))
                copied += len(batch)
                report(copied)
        for key in not_in_old:
            self._drop(key)
        self._catalog.refresh(self._names[1])
        return copied + len(not_in_old)

    def is_whole(self) -> bool:
        """Whether as many documents of each owner can be found as were copied, and none of anyone else."""
        copies, counts = self._copies(), dict(self._new.document_counts())
        return counts == {key: copy.documents for key, copy in copies.items() if copy.documents}

    def _copies(self) -> dict[str, OwnerCopy]:
        """By owner's key. Read once, as nobody else makes any."""
        if self._copied is None:
            self._copied = {key: copy for key, copy in self._new.copies() if copy}
        return self._copied

    def _outdated(self, counts: Mapping[str, int], not_in_old: set[str]) -> Iterator[tuple[str, bool]]:
        """The keys of owners to copy, and whether there is nothing of them yet; all of `old` leave
        `not_in_old`."""
        for key, (sequence, term) in self._old.records():
            is_new = key not in not_in_old
            not_in_old.discard(key)
            if self._copies().get(key) != OwnerCopy(sequence, term, counts.get(key, 0)):
                yield key, is_new

    def _copy(self, key: str, is_new: bool) -> None:
        record = self._old_records.read_key(key)  # before the ledger, so that what is written meanwhile shows
        if record is None:
            self._drop(key)
            return
        numbers = count()
        documents = (each for each, _ in zip(self._documents(record.owner), numbers, strict=False))
        self._index.replace(record.owner, documents, copied=record, is_new=is_new)
        self._copies()[key] = OwnerCopy(*record.version, next(numbers))

    def _drop(self, key: str) -> None:
        self._index.discard(key)
        self._copies().pop(key, None)


def _contents(connection: OpenSearchConnection, name: str, model_id: str) -> IndexContents:
    index = SingleIndex(name)
    queries = OwnerQueries(OwnerRecords(connection, index, model_id))
    return IndexContents(connection, index, queries)
