"""A rebuild that is killed after some users: run as a program, as its process ends by SIGKILL."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator

from engines import Description, open_deployment

from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import Owner
from cognis_memory.services import rebuilding
from cognis_memory.services.rebuilding import RebuildNotes, rebuild_all

BATCH = 4


def script_of(description: Description, engine: str, after: int) -> list[str]:
    """The arguments of Python that run it, until the index has been written for so many users."""
    return [__file__, json.dumps(description), engine, str(after)]


class Counted:
    """An index that remembers whom it was written for; with `after` the process dies with that user."""

    def __init__(self, index: object, after: int | None = None) -> None:
        self._index = index
        self._after = after
        self.owners: list[Owner] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._index, name)

    def replace(self, owner: Owner, documents: Iterator[IndexDocument]) -> None:
        self._index.replace(owner, documents)  # type: ignore[attr-defined]
        self.owners.append(owner)
        if len(self.owners) == self._after:
            os.kill(os.getpid(), signal.SIGKILL)


def _rebuild(description: Description, engine: str, after: int) -> None:
    opened = open_deployment(description)
    rebuilding.BATCH = BATCH
    index = Counted(opened.index, after)
    rebuild_all(opened.ledger, index, RebuildNotes(opened.payloads, engine))  # type: ignore[arg-type]


if __name__ == "__main__":
    _rebuild(json.loads(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
