"""A migration that is killed at a chosen step: run as a program, as its process ends by SIGKILL."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from itertools import count

STEPS = ("copying", "refused", "changed")
"""After some owners are copied; while writes are refused; when the aliases lead to the new index."""


def script_of(step: str, node: str, index: str) -> list[str]:
    """The arguments of Python that run it."""
    return [__file__, step, node, index]


def _migrate_until(step: str, node: str, base: str) -> None:
    from search_indexes import MODEL, documents  # noqa: PLC0415 - what the tests import need not be loaded

    from cognis_memory.adapters.opensearch import IndexNames, OpenSearchConnection  # noqa: PLC0415
    from cognis_memory.adapters.opensearch.migration import IndexMigration, MigrationProgress  # noqa: PLC0415
    from cognis_memory.models.document import IndexDocument  # noqa: PLC0415
    from cognis_memory.models.values import Owner  # noqa: PLC0415

    read = count(1)

    def ledger(_: Owner) -> Iterator[IndexDocument]:
        yield from documents(1, 2)
        if step == "copying" and next(read) == 4:
            _die()
        yield from documents(3)

    class Migration(IndexMigration):
        def _pass(self, copy: object, number: int, *, last: bool) -> int:
            if step == "refused" and last:
                _die()
            return super()._pass(copy, number, last=last)  # type: ignore[arg-type]

    def report(_: MigrationProgress) -> None:
        return

    migration = Migration(
        OpenSearchConnection(node), IndexNames(base), MODEL, ledger, workers=1, report=report
    )
    migration.run()
    _die()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    _migrate_until(*sys.argv[1:])
