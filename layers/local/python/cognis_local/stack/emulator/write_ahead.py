"""Every write to a table is on disk before it is answered, so that a killed emulator has lost none.

Between two checkpoints the images of the changed items go to a log. Each checkpoint begins a new log before
the tables are copied, and drops the older ones once the copy is written. What the copy holds can therefore
stand in the logs, too: to put images in place in their order again ends in the same state.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from cognis_local.stack.emulator.patching import Function, module, wrap

_TRANSACTIONS: Final = ("_transact_write_items", "_execute_transaction")

_Change = tuple[str, str, str, dict[str, Any] | None]
"""TableId, partition key, sort key, and the item, or None when it was deleted."""


class WriteAheadLog:
    """The writes to items since the last checkpoint. The tables themselves come and go with their stacks, and
    are saved with them: a write to a table that no checkpoint holds, or that was made anew, is passed over.

    Thread-safe: the lock makes the order in the log the order in the tables.
    """

    def __init__(self, folder: Path) -> None:
        """`folder` is that of the checkpoints, and is made when it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._tables = module("services.dynamodb")
        self._set, self._remove = self._tables._set_item, self._tables._remove_item
        self._lock = threading.RLock()
        self._transaction: list[_Change] | None = None
        self._number = max(map(_number, self._logs()), default=0)
        self._begin()

    def patch(self) -> None:
        wrap(self._tables, "_set_item", self._logging)
        wrap(self._tables, "_remove_item", self._logging)
        for name in _TRANSACTIONS:
            wrap(self._tables, name, self._as_one)
        wrap(module("app"), "_load_persisted_state", self._replaying)

    @contextmanager
    def checkpoint(self) -> Iterator[None]:
        """Around the saving of the tables. RuntimeError when they were not saved; the logs stay then."""
        with self._lock:
            older = self._logs()
            self._log.close()
            self._begin()
        before = self._saved_at()
        yield
        if self._saved_at() == before:
            raise RuntimeError("the tables could not be written")
        for log in older:
            log.unlink()

    def _logging(self, change: Function) -> Function:
        def changed(table: dict[str, Any], partition: str, sort: str, *item: dict[str, Any]) -> Any:
            with self._lock:
                old = change(table, partition, sort, *item)
                self._append((table["TableId"], partition, sort, item[0] if item else None))
                return old

        return changed

    def _as_one(self, transact: Function) -> Function:
        """All its changes in one line, and none when it failed: it has then undone what it did."""

        def transacted(data: Any) -> Any:
            with self._lock:
                changes: list[_Change] = []
                self._transaction = changes
                try:
                    answer = transact(data)
                finally:
                    self._transaction = None
                if answer[0] < 400:
                    self._append(*changes)
                return answer

        return transacted

    def _replaying(self, load: Function) -> Function:
        def loaded() -> None:
            load()
            tables = {table["TableId"]: table for table in self._tables._tables.all_values()}
            for table_id, partition, sort, item in self._logged():
                if table := tables.get(table_id):
                    change = (table, partition, sort)
                    self._remove(*change) if item is None else self._set(*change, item)

        return loaded

    def _logged(self) -> Iterator[_Change]:
        for log in self._logs():
            for line in log.read_bytes().split(b"\n")[:-1]:  # a torn last line was never answered
                yield from json.loads(line)

    def _append(self, *changes: _Change) -> None:
        if self._transaction is not None:
            self._transaction += changes
            return
        self._log.write(json.dumps(changes).encode() + b"\n")
        self._log.flush()  # the process can be killed now; the machine's end is another matter

    def _begin(self) -> None:
        self._number += 1
        self._log = (self._folder / f"dynamodb.{self._number}.log").open("ab")

    def _logs(self) -> list[Path]:
        return sorted(self._folder.glob("dynamodb.*.log"), key=_number)

    def _saved_at(self) -> int | None:
        saved = self._folder / "dynamodb.json"
        return saved.stat().st_mtime_ns if saved.exists() else None


def _number(log: Path) -> int:
    return int(log.suffixes[0].removeprefix("."))
