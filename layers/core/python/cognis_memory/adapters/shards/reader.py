"""Opens owners' shards and keeps them open while they are current."""

from __future__ import annotations

import threading
from typing import Final

from cognis_memory.adapters.shards.segment import Segment
from cognis_memory.adapters.shards.store import Freshness, ShardStore, StoredFile, head_name
from cognis_memory.adapters.shards.view import ShardView
from cognis_memory.adapters.shards.view_cache import ViewCache
from cognis_memory.errors import CorruptData, IndexUnavailable

_ATTEMPTS: Final = 10
_STRIPES: Final = 64


class ShardReader:
    """Answers the current view of an owner with one conditional read, and opens what changed.

    Threads share the views. Of several that find a new version at once, one opens it.
    """

    def __init__(self, store: ShardStore, views: ViewCache) -> None:
        self._store = store
        self._views = views
        self._opening = [threading.Lock() for _ in range(_STRIPES)]

    def opened(self, key: str) -> ShardView | None:
        """The view as it was last seen, without asking whether it is current."""
        return self._views.get(key)

    def current(self, key: str) -> ShardView | None:
        """The view of the last write; None when there is no shard.

        Raises CorruptData for a shard that cannot be read, and IndexUnavailable when versions follow each
        other faster than they can be opened.
        """
        for _ in range(_ATTEMPTS):
            known = self._views.get(key)
            stored = self._store.fetch(head_name(key), known.etag if known else None)
            if stored is None:
                self._views.discard(key)
                return None
            if isinstance(stored, Freshness):
                return known
            try:
                return self._open(key, stored)
            except FileNotFoundError:  # a newer version has taken its place
                continue
        raise IndexUnavailable("the shard changes faster than it can be opened")

    def close_outdated(self, key: str, etag: str | None) -> None:
        """Closes the view of a version that has been replaced, unless its base may serve the next one too."""
        view = self._views.get(key)
        if view and view.etag == etag and not view.base:
            self._views.discard(key)

    def _open(self, key: str, stored: StoredFile) -> ShardView:
        with self._opening[hash(key) % _STRIPES]:
            known = self._views.get(key)
            if known and known.etag == stored.etag:
                return known
            head = Segment(stored.path, key)
            view = ShardView(stored.etag, head, self._base(key, stored.etag, head.properties.base, known))
            self._views.put(key, view)
            return view

    def _base(self, key: str, etag: str, name: str, known: ShardView | None) -> Segment | None:
        if not name:
            return None
        if known and known.base and known.head.properties.base == name:
            return known.base
        stored = self._store.fetch(name)
        if isinstance(stored, StoredFile):
            return Segment(stored.path, key)
        if self._store.fetch(head_name(key), etag) is Freshness.UNCHANGED:
            raise CorruptData("the shard's base is missing")
        raise FileNotFoundError(name)
