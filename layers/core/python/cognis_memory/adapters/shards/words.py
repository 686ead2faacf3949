"""The words of an open shard file."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Final

from cognis_memory.adapters.shards.database import ShardDatabase
from cognis_memory.adapters.shards.keywords import (
    IntArray,
    Postings,
    postings_of,
    read_frequencies,
    read_occurrences,
)

_KEPT_FREQUENCIES: Final = 10_000
_KEPT_OCCURRENCES: Final = 20
"""For each document, about half of what there is."""


class Words:
    """Reads what queries ask for. The commonest words take longest to read and are asked for most, so what
    was read is kept; all of it goes when it is too much."""

    def __init__(self, database: ShardDatabase, documents: int) -> None:
        self._database = database
        self._frequencies: dict[str, int] = {}
        self._occurrences: dict[str, IntArray] = {}
        self._room = self._all_room = _KEPT_OCCURRENCES * documents
        self._keeping = threading.Lock()

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        """In how many documents each of the distinct terms is."""
        found = {term: kept for term in terms if (kept := self._frequencies.get(term)) is not None}
        unread = [term for term in terms if term not in found]
        if unread:
            with self._database.connection() as connection:
                read = dict(zip(unread, read_frequencies(connection, unread), strict=True))
            if len(self._frequencies) >= _KEPT_FREQUENCIES:
                self._frequencies.clear()
            self._frequencies |= read
            found |= read
        return [found[term] for term in terms]

    def postings(self, terms: Sequence[str], context_weight: float) -> Postings:
        """Of distinct terms; an occurrence in the context counts as `context_weight`."""
        found = {term: kept for term in terms if (kept := self._occurrences.get(term)) is not None}
        unread = [term for term in terms if term not in found]
        if unread:
            with self._database.connection() as connection:
                read = dict(zip(unread, read_occurrences(connection, unread), strict=True))
            self._keep(read)
            found |= read
        return postings_of([found[term] for term in terms], context_weight)

    def _keep(self, read: Mapping[str, IntArray]) -> None:
        needed = sum(map(len, read.values()))
        with self._keeping:
            if needed > self._room:
                self._occurrences.clear()
                self._room = self._all_room
            if needed <= self._room:
                self._occurrences.update(read)
                self._room -= needed
