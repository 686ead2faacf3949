"""The emulator's process. Its environment, made by `process`, says where it listens and keeps its state."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from pathlib import Path

import urllib3

from cognis_local.stack.emulator import api_gateway, cloudformation, lambda_workers, step_functions
from cognis_local.stack.emulator.bounds import forget_the_past
from cognis_local.stack.emulator.durability import Checkpoints, end_with_parent, refuse_broken_state
from cognis_local.stack.emulator.patching import check_version, module, wrap
from cognis_local.stack.emulator.process import FOLDER_VARIABLE
from cognis_local.stack.emulator.write_ahead import WriteAheadLog
from cognis_local.stack.folder import StackFolder

_FORGET_SECONDS = 30.0
_POLL_SECONDS = 0.05

_log = logging.getLogger(__name__)


def main() -> None:
    check_version()
    folder = StackFolder(Path(os.environ[FOLDER_VARIABLE]))
    with folder.emulator_lock().acquire(timeout=0):
        folder.emulator_pid_file.write_text(str(os.getpid()), encoding="utf-8")
        lambda_workers.patch(folder)
        api_gateway.patch()
        cloudformation.patch()
        executions = step_functions.patch()
        writes = WriteAheadLog(Path(module("core.persistence").STATE_DIR))
        writes.patch()
        checkpoints = Checkpoints(writes)
        checkpoints.patch()
        wrap(module("app"), "load_state", refuse_broken_state)
        for work in (end_with_parent, checkpoints.run, _forget_regularly, lambda: _resume(executions)):
            threading.Thread(target=work, daemon=True).start()
        sys.argv = ["ministack"]
        module("app").main()
    os._exit(0)  # functions that still run would keep the process


def _resume(executions: step_functions.InterruptedExecutions) -> None:
    """Goes on with interrupted executions once the emulator answers their functions."""
    with urllib3.PoolManager(retries=False) as pool:
        while not _answers(pool):
            time.sleep(_POLL_SECONDS)
    resumed = executions.resume()
    if resumed:
        _log.warning("going on with %d executions that the last end interrupted", resumed)


def _answers(pool: urllib3.PoolManager) -> bool:
    try:
        return pool.request("GET", f"{os.environ['AWS_ENDPOINT_URL']}/_ministack/health").status == 200
    except urllib3.exceptions.HTTPError:
        return False


def _forget_regularly() -> None:
    while True:
        time.sleep(_FORGET_SECONDS)
        forget_the_past()


if __name__ == "__main__":
    main()
