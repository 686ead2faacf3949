"""What the account holds is on disk soon after it was written, not only when the emulator is told to stop.

MiniStack saves its state when it ends in an orderly way, and S3 objects at once. Here every write to a table
is logged before it is answered, see `write_ahead`; the tables and the executions are saved some seconds after
a change, everything else after a deployment; and the end of the process that started the emulator is a reason
to end in an orderly way.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from cognis_local.stack.emulator.patching import Function, module, wrap
from cognis_local.stack.emulator.write_ahead import WriteAheadLog

_PERIOD_SECONDS: Final = 5.0
_SHARE_OF_TIME: Final = 20
"""Saving takes at most one part in so many of the time, however large the tables are."""

_READS: Final = ("Get", "BatchGet", "Query", "Scan", "Describe", "List", "TransactGet")
_TABLE_SERVICES: Final = ("dynamodb", "stepfunctions")

_log = logging.getLogger(__name__)


class Checkpoints:
    """Saves what has changed. `patch` notices changes, `run` saves for as long as the process lives."""

    def __init__(self, writes: WriteAheadLog) -> None:
        self._writes = writes
        self._tables_changed = threading.Event()
        self._stacks_changed = threading.Event()

    def patch(self) -> None:
        wrap(module("app"), "_dispatch_service_request", self._noticing)

    def _noticing(self, dispatch: Function) -> Function:
        async def dispatched(
            method: str, path: str, headers: Mapping[str, str], body: bytes, *rest: Any
        ) -> Any:
            answer = await dispatch(method, path, headers, body, *rest)
            self._notice(headers, body)
            return answer

        return dispatched

    def _notice(self, headers: Mapping[str, str], body: bytes) -> None:
        service, _, operation = headers.get("x-amz-target", "").partition(".")
        if service.startswith(("DynamoDB_", "AWSStepFunctions")) and not operation.startswith(_READS):
            self._tables_changed.set()
        elif "/cloudformation/" in headers.get("authorization", "") and b"Action=Describe" not in body:
            self._stacks_changed.set()

    def run(self) -> None:
        while True:
            started = time.monotonic()
            if self._stacks_changed.is_set() and not _deploying():
                self._save((self._stacks_changed, self._tables_changed), None)
            elif self._tables_changed.is_set():
                self._save((self._tables_changed,), _TABLE_SERVICES)
            time.sleep(max(_PERIOD_SECONDS, _SHARE_OF_TIME * (time.monotonic() - started)))

    def _save(self, changes: Sequence[threading.Event], services: Sequence[str] | None) -> None:
        for change in changes:
            change.clear()
        try:
            with self._writes.checkpoint():
                _save(services)
        except RuntimeError as error:  # another thread added to what was being copied, or the disk is full
            _log.warning("saving again soon: %s", error)
            for change in changes:
                change.set()


def _deploying() -> bool:
    stacks = module("services.cloudformation")._stacks._data
    return any(stack.get("StackStatus", "").endswith("_IN_PROGRESS") for stack in list(stacks.values()))


def _save(services: Sequence[str] | None) -> None:
    """Saves the services, or all of them, as they are at one moment of the loop that serves requests."""
    app, persistence = module("app"), module("core.persistence")
    states = asyncio.run_coroutine_threadsafe(_states(app, services), app._MAIN_LOOP).result()
    for name, state in states.items():
        persistence.save_state(name, state)


async def _states(app: Any, services: Sequence[str] | None) -> dict[str, Any]:
    copies = app._build_persistence_save_dict()
    return {name: copy() for name, copy in copies.items() if services is None or name in services}


def refuse_broken_state(load: Function) -> Function:
    """Ends the emulator when a saved state cannot be read; MiniStack would go on and write over it."""

    def loaded(service: str) -> Any:
        state = load(service)
        file = Path(module("core.persistence").STATE_DIR) / f"{service}.json"
        if state is None and file.exists():
            _log.critical("%s cannot be read; `make clean` removes it with all memories.", file)
            os._exit(1)
        return state

    return loaded


def end_with_parent() -> None:
    """Waits for the end of the standard input, which the parent holds open, and then ends this process as
    SIGTERM would."""
    while sys.stdin.buffer.read(4096):
        pass
    _log.warning("the process that started the emulator has ended")
    os.kill(os.getpid(), signal.SIGTERM)
