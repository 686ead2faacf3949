"""The ledger as one object."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from cognis_memory.adapters.sqlite.commits import Commits
from cognis_memory.adapters.sqlite.database import Database
from cognis_memory.adapters.sqlite.documents import Documents
from cognis_memory.adapters.sqlite.events import Events
from cognis_memory.adapters.sqlite.leases import Leases
from cognis_memory.adapters.sqlite.spending import TenantSpending
from cognis_memory.adapters.sqlite.upkeep import Upkeep


class SqliteLedger(Events, Leases, Commits, Documents, Upkeep, TenantSpending):
    """The `Ledger` port over one SQLite file, shared by any threads and processes of a machine.

    Beside the errors of the port: CorruptData for a file that is damaged or none of ours, PermanentError
    for one that cannot be used (no permission, disk full, a newer schema), LedgerUnavailable when another
    writer holds the file for longer than 15 seconds, ValueError after `close`.
    """

    def __init__(self, path: str | Path) -> None:
        """Opens the ledger, or creates it with the folders that lead to it."""
        super().__init__(Database(path))

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
