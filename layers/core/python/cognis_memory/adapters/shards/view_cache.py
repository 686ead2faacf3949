"""Open views, the least recently used closed first."""

from __future__ import annotations

import threading
from collections import OrderedDict

from cognis_memory.adapters.shards.view import ShardView


class ViewCache:
    """Bounded by the number of owners and by what their views take in memory; the newest always stays.

    A view that falls out closes when the last search that uses it ends.
    """

    def __init__(self, max_views: int, max_bytes: int) -> None:
        self._max_views = max_views
        self._max_bytes = max_bytes
        self._views: OrderedDict[str, ShardView] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> ShardView | None:
        with self._lock:
            view = self._views.get(key)
            if view is not None:
                self._views.move_to_end(key)
            return view

    def put(self, key: str, view: ShardView) -> None:
        with self._lock:
            self._views[key] = view
            self._views.move_to_end(key)
            while len(self._views) > 1 and self._is_full():
                self._views.popitem(last=False)

    def discard(self, key: str) -> None:
        with self._lock:
            self._views.pop(key, None)

    def _is_full(self) -> bool:
        taken = sum(view.memory_bytes for view in self._views.values())
        return len(self._views) > self._max_views or taken > self._max_bytes
