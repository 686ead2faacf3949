"""Projects every user anew into an index, from the ledger, while it is read and written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.errors import CognisError, NotFound
from cognis_memory.models.values import Owner
from cognis_memory.ports import DocumentIndex, Ledger, PayloadStore
from cognis_memory.services.projection import Projector

_WORKERS: Final = 4
BATCH: Final = 100
"""Owners between two notes of how far it is: a rebuild that was cut off repeats so many at most."""


@dataclass(slots=True)
class Rebuilt:
    """How far a rebuild is: `owners` of `total` are done, with so many `documents`.

    `failed` ones are among them, with the error of each; they keep what they had.
    """

    total: int = 0
    owners: int = 0
    documents: int = 0
    failed: dict[Owner, CognisError] = field(default_factory=dict)

    def count(self, owner: Owner, outcome: int | CognisError) -> None:
        """An owner more, with the number of documents or the error."""
        self.owners += 1
        if isinstance(outcome, CognisError):
            self.failed[owner] = outcome
        else:
            self.documents += outcome


def rebuild_all(
    ledger: Ledger,
    index: DocumentIndex,
    notes: RebuildNotes,
    *,
    resume: bool = False,
    report: Callable[[Rebuilt], None] = lambda _: None,
) -> Rebuilt:
    """Projects every owner of the ledger anew, in order of their keys, which are held in memory.

    Readers see an owner's old documents or the new ones. With `resume` it goes on where an earlier run, whose
    notes are there, was cut off. Owners who fail are passed over, and tried again by a run with `resume`.
    """
    done_to, again = notes.read() if resume else ("", set())
    keyed = {owner_key(owner): owner for owner in ledger.owners()}
    due = [keyed[key] for key in sorted(keyed) if key > done_to or key in again]
    rebuilt = Rebuilt(total=len(due))
    projector = Projector(ledger, [index])
    with ThreadPoolExecutor(_WORKERS, thread_name_prefix="cognis-rebuild") as threads:
        for start in range(0, len(due), BATCH):
            batch = due[start : start + BATCH]
            for owner, outcome in zip(
                batch, threads.map(lambda o: _outcome(projector, o), batch), strict=True
            ):
                rebuilt.count(owner, outcome)
            again = again - set(map(owner_key, batch)) | set(map(owner_key, rebuilt.failed))
            notes.write(max(done_to, owner_key(batch[-1])), again)
            report(rebuilt)
    if not rebuilt.failed:
        notes.delete()
    return rebuilt


def _outcome(projector: Projector, owner: Owner) -> int | CognisError:
    """The number of documents, or why it failed."""
    try:
        return projector.rebuild(owner)
    except CognisError as error:
        return error


class RebuildNotes:
    """How far the rebuild of one engine's index is, kept with the deployment's payloads."""

    def __init__(self, payloads: PayloadStore, engine: str) -> None:
        self._payloads = payloads
        self._prefix = f"rebuilds/{engine}/"

    def read(self) -> tuple[str, set[str]]:
        """The key up to which owners are done, "" for none, and the keys of those who failed."""
        try:
            noted = json.loads(self._payloads.get(f"{self._prefix}progress"))
        except NotFound:
            return "", set()
        return noted["done_to"], set(noted["failed"])

    def write(self, done_to: str, failed: Iterable[str]) -> None:
        noted = {"done_to": done_to, "failed": sorted(failed)}
        self._payloads.put(f"{self._prefix}progress", json.dumps(noted).encode())

    def delete(self) -> None:
        self._payloads.delete(self._prefix)
