"""Ends a running stack from another process, and removes what it keeps."""

from __future__ import annotations

import os
import shutil
import signal

from filelock import Timeout

from cognis_local.models.process import stop_model_process
from cognis_local.opensearch.node import stop_node
from cognis_local.stack.errors import StackError
from cognis_local.stack.folder import StackFolder

_STOP_SECONDS = 60.0


def stop_stack(folder: StackFolder) -> bool:
    """Ends the folder's stack with its data saved; False where none was running.

    After a kill it waits for what the kill left: the emulator that still saves, the model process, the
    OpenSearch node. One that was started by itself ends, too.
    """
    if not folder.root.exists():
        return False
    was_running = _stop_keeper(folder)
    folder.run_file.unlink(missing_ok=True)
    _stop_emulator(folder)
    stop_model_process(folder.models)
    node_was_running = stop_node(folder.opensearch)
    return was_running or node_was_running


def remove_stack(folder: StackFolder) -> None:
    """Ends the stack and removes its folder with all memories in it."""
    stop_stack(folder)
    shutil.rmtree(folder.root, ignore_errors=True)


def _stop_keeper(folder: StackFolder) -> bool:
    """Ends the process that holds the stack's lock, which wrote its pid when it took the lock."""
    if not folder.is_up():
        return False
    pid = int(folder.pid_file.read_text(encoding="utf-8"))
    os.kill(pid, signal.SIGTERM)
    try:
        with folder.run_lock().acquire(timeout=_STOP_SECONDS):
            return True
    except Timeout:
        raise StackError(f"Process {pid} does not end; see {folder.logs}.") from None


def _stop_emulator(folder: StackFolder) -> None:
    """Waits for an emulator whose parent was killed, and ends one that hangs."""
    if not folder.emulator.exists():
        return
    lock = folder.emulator_lock()
    try:
        with lock.acquire(timeout=_STOP_SECONDS):
            return
    except Timeout:
        pid = int(folder.emulator_pid_file.read_text(encoding="utf-8"))
        os.kill(pid, signal.SIGKILL)
    with lock.acquire(timeout=_STOP_SECONDS):
        return
