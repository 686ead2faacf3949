"""Replaces owners' shards, whatever other writers do at the same time."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from cognis_memory.adapters.shards.changes import apply_changes, merge
from cognis_memory.adapters.shards.draft import Draft
from cognis_memory.adapters.shards.properties import Properties
from cognis_memory.adapters.shards.reader import ShardReader
from cognis_memory.adapters.shards.store import (
    ShardStore,
    StaleWrite,
    StoredFile,
    base_name,
    generation_of,
    head_name,
)
from cognis_memory.adapters.shards.view import ShardView
from cognis_memory.deadline import pause
from cognis_memory.errors import IndexUnavailable, ModelMismatch
from cognis_memory.models.document import IndexDocument

_FIRST_PAUSE_SECONDS: Final = 0.005
_LONGEST_PAUSE_SECONDS: Final = 0.5
_BUILD_BATCH: Final = 1_000


class ShardWriter:
    """Reads a head, changes it in memory, and puts it back if nobody else did meanwhile; else begins again.

    A head of more than `split_at` documents becomes a base, which is never written again, under an empty
    head; from then on commits write the head alone. When more than `compact_after` changes lie in the head,
    or when words of the base have to go, both become a new base. The head is the only file that writers
    contend for: a base counts from the moment that a head names it.
    """

    def __init__(
        self,
        store: ShardStore,
        reader: ShardReader,
        model_id: str,
        *,
        split_at: int,
        compact_after: int,
        max_attempts: int,
    ) -> None:
        self._store = store
        self._reader = reader
        self._model_id = model_id
        self._split_at = split_at
        self._compact_after = compact_after
        self._max_attempts = max_attempts

    def apply(self, key: str, upserts: Sequence[IndexDocument], deleted: Sequence[str]) -> None:
        """Raises ModelMismatch, CorruptData, or IndexUnavailable when other writers are first every time."""
        for attempt in range(self._max_attempts):
            try:
                return self._apply_once(key, upserts, deleted)
            except StaleWrite:
                _pause(attempt)
        raise IndexUnavailable("other writers changed the shard every time")

    def replace(self, key: str, documents: Iterator[IndexDocument]) -> None:
        """Writes the shard anew, whatever is there now.

        Raises IndexUnavailable when another writer changed the shard since `replace` began, as the documents
        may be older than that change.
        """
        stored = self._store.fetch(head_name(key))
        etag = stored.etag if isinstance(stored, StoredFile) else None
        generation = 1 + max(map(generation_of, self._store.names(key)), default=0)
        whole = Draft.empty(Properties(key, self._model_id))
        while batch := list(islice(documents, _BUILD_BATCH)):
            apply_changes(whole, None, batch, ())
        try:
            self._publish_whole(whole, generation, etag)
        except StaleWrite as error:
            raise IndexUnavailable("the shard was changed while it was built anew") from error

    def drop(self, key: str) -> None:
        """The head first, so that no reader looks for what it names."""
        self._store.delete([head_name(key)])
        self._store.delete(self._store.names(key))

    def _apply_once(self, key: str, upserts: Sequence[IndexDocument], deleted: Sequence[str]) -> None:
        view = self._reader.current(key)
        if view is None:
            draft = Draft.empty(Properties(key, self._model_id))
            base = None
        else:
            draft = Draft.load(view.head.to_bytes(), view.head.properties)
            base = view.base
        if draft.properties.model_id != self._model_id:
            raise ModelMismatch("the shard holds vectors of another embedding model")
        outcome = apply_changes(draft, base, upserts, deleted)
        if outcome.changed:
            self._publish(draft, view, erases_base=outcome.erases_base)
        elif deleted and draft.properties.generation:
            # Whoever deleted these may have died before the older base was removed.
            self._remove_bases(key, draft.properties.generation, but=draft.properties.base)

    def _publish(self, head: Draft, view: ShardView | None, *, erases_base: bool) -> None:
        generation = head.properties.generation + 1
        if view and view.base and (erases_base or head.change_count > self._compact_after):
            whole = Draft.load(view.base.to_bytes(), view.base.properties)
            merge(whole, head)
            self._publish_whole(whole, generation, view.etag)
        elif not head.properties.base and head.document_count > self._split_at:
            self._publish_whole(head, generation, view.etag if view else None)
        else:
            self._write_head(head, view.etag if view else None)

    def _publish_whole(self, whole: Draft, generation: int, etag: str | None) -> None:
        """Writes everything as one head, or as a base under an empty head, and removes the older bases."""
        key = whole.properties.owner
        whole.properties = replace(whole.properties, base="", generation=generation)
        if whole.document_count <= self._split_at:
            self._write_head(whole, etag)
            self._remove_bases(key, generation, but="")
            return
        name = base_name(key, generation, uuid.uuid4().hex)
        self._store.write(name, whole.to_bytes(commit=""), replacing=None)
        try:
            self._write_head(Draft.empty(replace(whole.properties, base=name)), etag)
        except StaleWrite:
            current = self._current_properties(key)
            if current is None or current.base != name:  # unless others have already built on it
                self._store.delete([name])
                raise
        self._remove_bases(key, generation, but=name)

    def _write_head(self, head: Draft, etag: str | None) -> None:
        """Raises StaleWrite when another writer was first.

        A write whose answer was lost looks like that too; the head that is there shows whose it is.
        """
        key, commit = head.properties.owner, uuid.uuid4().hex
        try:
            self._store.write(head_name(key), head.to_bytes(commit), replacing=etag)
        except StaleWrite:
            current = self._current_properties(key)
            if current is None or current.commit != commit:
                raise
        self._reader.close_outdated(key, etag)

    def _current_properties(self, key: str) -> Properties | None:
        view = self._reader.current(key)
        return view.head.properties if view else None

    def _remove_bases(self, key: str, generation: int, *, but: str) -> None:
        """Removes what no head can name any more, bases of writers that died between both writes included."""
        names = self._store.names(key)
        self._store.delete([name for name in names if 0 < generation_of(name) <= generation and name != but])


def _pause(attempt: int) -> None:
    longest = min(_LONGEST_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2**attempt)
    pause(random.uniform(0, longest))  # noqa: S311
