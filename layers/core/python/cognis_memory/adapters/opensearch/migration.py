"""Moves a deployment from one index to the next while it is read and written.

The next version is filled from the ledger, owner by owner, in passes: each copies the owners whose record has
changed since. When few are left, writes are refused for the moment that the last passes and the change of the
aliases take; writers repeat, or leave their documents marked pending.

A search that falls upon the change may read an owner's record in one index and the documents in the other. So
copies belong to the generation that the record of the older index names, too.

All state is in the cluster: an index that is being filled says in its `_meta` whose place it will take.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from cognis_memory.adapters.opensearch.catalog import IndexCatalog, IndexVersion
from cognis_memory.adapters.opensearch.connection import OpenSearchConnection
from cognis_memory.adapters.opensearch.copying import IndexCopy, ReadDocuments
from cognis_memory.adapters.opensearch.mapping import IndexSettings
from cognis_memory.adapters.opensearch.names import IndexNames
from cognis_memory.errors import Conflict, IndexUnavailable, NotFound

FEW_OWNERS: Final = 20
"""So many may be left when writes begin to be refused: a second's work, unless they are very large."""

_MAX_PASSES: Final = 50
_LAST_PASSES: Final = 3


@dataclass(frozen=True, slots=True)
class MigrationProgress:
    """`copied` owners so far in a pass, which are counted from 1; in the `last` ones writes are refused."""

    number: int
    copied: int
    last: bool


@dataclass(frozen=True, slots=True)
class Migrated:
    """The index that is in use now and the one before; how long writes were refused."""

    name: str
    before: str
    refused_seconds: float


class IndexMigration:
    """One move, to be run by one process at a time; after a kill another `run` goes on.

    `documents`: what an index has to hold of an owner, from the ledger.
    """

    def __init__(
        self,
        connection: OpenSearchConnection,
        names: IndexNames,
        model_id: str,
        documents: ReadDocuments,
        *,
        workers: int = 4,
        report: Callable[[MigrationProgress], None] = lambda _: None,
    ) -> None:
        self._connection = connection
        self._catalog = IndexCatalog(connection, names)
        self._model_id = model_id
        self._documents = documents
        self._workers = workers
        self._report = report

    def run(self, settings: IndexSettings | None = None) -> Migrated:
        """Has the next version take the place of the index in use, and keeps that one.

        `settings`: those of the next version; None for the same again. Where an earlier run ended before its
        end, this one goes on. Whatever happens, writes are not refused any more when it returns.

        Raises NotFound when no index is in use, Conflict when a version is being built with other settings or
        for another embedding model, IndexUnavailable when writers are faster than the copy.
        """
        old = self._in_use()
        if old.blocked:  # by a run that was killed
            self._catalog.allow_writes(old.name)
        if old.replaces is not None:  # the aliases were changed already
            return Migrated(old.name, old.replaces, 0.0)
        new = self._next(old, settings or old.settings, chosen=settings is not None)
        copy = IndexCopy(
            self._connection,
            self._catalog,
            self._model_id,
            self._documents,
            old=old.name,
            new=new,
            workers=self._workers,
        )
        self._catch_up(copy)
        return Migrated(new, old.name, self._take_over(copy, old.name, new))

    def finish(self) -> None:
        """Notes that nothing is left to be done for the index in use."""
        version = self._in_use()
        if version.replaces is not None:
            self._catalog.finish(version)

    def abort(self) -> list[str]:
        """Removes what unfinished runs have built, whose names it returns, and lets writes go on."""
        used = self._in_use()
        if used.blocked:
            self._catalog.allow_writes(used.name)
        unfinished = [each.name for each in self._unfinished()]
        for name in unfinished:
            self._catalog.delete(name)
        return unfinished

    def _in_use(self) -> IndexVersion:
        version = self._catalog.in_use()
        if version is None:
            raise NotFound("no index is in use; run `cognis-admin index create`")
        return version

    def _unfinished(self) -> list[IndexVersion]:
        return [each for each in self._catalog.versions() if each.replaces is not None and not each.write]

    def _next(self, old: IndexVersion, settings: IndexSettings, *, chosen: bool) -> str:
        """The version that is being built, or a new one."""
        for version in self._unfinished():
            fits = version.replaces == old.name and version.identity.is_current
            if not fits or version.identity.model_id != self._model_id:
                raise Conflict(f"{version.name} was begun for another index or model; use --abort first")
            if chosen and version.settings != settings:
                raise Conflict(f"{version.name} was begun with other settings; go on without, or use --abort")
            return version.name
        return self._catalog.create(settings, self._model_id, replaces=old.name)

    def _catch_up(self, copy: IndexCopy) -> None:
        for number in range(1, _MAX_PASSES + 1):
            if self._pass(copy, number, last=False) <= FEW_OWNERS:
                return
        raise IndexUnavailable(f"writers are faster: owners were left to copy after {_MAX_PASSES} passes")

    def _take_over(self, copy: IndexCopy, old: str, new: str) -> float:
        """The last passes and the change of the aliases; the seconds that writes were refused."""
        started = time.monotonic()
        with self._writes_refused(old):
            for number in range(1, _LAST_PASSES + 1):
                self._pass(copy, number, last=True)
                if copy.is_whole():
                    self._catalog.lead_to(new)
                    return time.monotonic() - started
        raise IndexUnavailable(f"documents are missing after {_LAST_PASSES} passes without writes")

    def _pass(self, copy: IndexCopy, number: int, *, last: bool) -> int:
        return copy.copy_changed(lambda copied: self._report(MigrationProgress(number, copied, last)))

    @contextmanager
    def _writes_refused(self, name: str) -> Iterator[None]:
        """The index stays blocked only when another one has taken its place."""
        try:
            self._catalog.block_writes(name)
            yield
        finally:
            if self._in_use().name == name:
                self._catalog.allow_writes(name)
