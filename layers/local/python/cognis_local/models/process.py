"""One model process for a folder, started when first needed.

Any number of processes may ask at once: under a lock file one of them starts it, the others find it running.
Nothing is ever killed by its pid, which might be another's by now: a process whose state file is gone or
names another run ends by itself (see `serve`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import uuid
from pathlib import Path
from threading import Thread

import urllib3
from urllib3.exceptions import HTTPError, ReadTimeoutError

import cognis_local
import cognis_memory
from cognis_local.models.errors import ModelProcessFailed
from cognis_local.models.identity import server_version
from cognis_local.models.packages import check_packages
from cognis_local.models.state import ServerState, read_state, remove_state

_STATE_FILE = "models.json"
_LOCK_FILE = "models.lock"
_LOG_FILE = "models.log"
_LOG_BYTES = 1_000_000
_ALLOCATOR = {
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_MMAP_THRESHOLD_": "1000000",
    "MALLOC_TRIM_THRESHOLD_": "1000000",
}
"""glibc gives what a batch took back to the system: 360 MB instead of 650 after long texts, 4 % slower."""
_PRIVACY = {"ORT_DISABLE_TELEMETRY": "1"}
"""ONNX Runtime keeps a device id and a database of usage below `~/.cache/Microsoft` otherwise."""

_POLL_SECONDS = 0.02
_ANSWER_SECONDS = 2.0  # for one try of a process that may be busy
_BUSY_TRIES = 5
_STOP_SECONDS = 15.0


def ensure_model_process(state_dir: Path, *, idle_seconds: float = 900.0, start_seconds: float = 60.0) -> str:
    """The base URL of the folder's model process, which is started if none of this version is running.

    It ends after `idle_seconds` without a request. It answers at once and loads its models meanwhile; the
    first request waits for them. Its log is `models.log` in the folder. Raises LocalModelsMissing, and
    ModelProcessFailed when the folder cannot be used or none is running `start_seconds` after it was called.
    """
    try:
        state_dir = state_dir.absolute()
        running = _running(state_dir / _STATE_FILE)
        if running is None:
            check_packages()
            running = _start_once(state_dir, idle_seconds, start_seconds)
    except OSError as error:
        raise ModelProcessFailed(
            f"The local models cannot use the folder {state_dir}: {error.strerror}. Name another with "
            "XDG_CACHE_HOME."
        ) from error
    return running.url


def stop_model_process(state_dir: Path) -> None:
    """Ends the folder's model process, if there is one, and waits until it no longer listens.

    Raises ModelProcessFailed when it still does after 15 s.
    """
    state_file = state_dir / _STATE_FILE
    state = read_state(state_file)
    if state is None:
        return
    remove_state(state_file, state.instance)
    deadline = time.monotonic() + _STOP_SECONDS
    while _answers(state):
        if time.monotonic() > deadline:
            raise ModelProcessFailed(f"Process {state.pid} does not end; see {state_dir / _LOG_FILE}.")
        time.sleep(_POLL_SECONDS)


def _running(state_file: Path) -> ServerState | None:
    state = read_state(state_file)
    if state is None or state.version != server_version() or not _answers(state):
        return None
    return state


def _answers(state: ServerState) -> bool:
    """Whether the run that wrote the state is listening, and not another program on its port."""
    with urllib3.PoolManager(timeout=_ANSWER_SECONDS, retries=False) as pool:
        for _ in range(_BUSY_TRIES):
            try:
                answer = pool.request("GET", f"{state.url}/info")
                info = answer.json()
            except ReadTimeoutError:
                continue  # it listens, and may only be busy
            except (HTTPError, ValueError):
                return False
            return isinstance(info, dict) and info.get("instance") == state.instance
    return False


def _start_once(state_dir: Path, idle_seconds: float, start_seconds: float) -> ServerState:
    """Starts it, or waits for whoever is doing so."""
    from filelock import FileLock, Timeout  # noqa: PLC0415 - here, since finding a running one needs no lock

    state_dir.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(state_dir / _LOCK_FILE, timeout=start_seconds):
            return _running(state_dir / _STATE_FILE) or _start(state_dir, idle_seconds, start_seconds)
    except Timeout as error:
        raise ModelProcessFailed(
            f"Another process holds {state_dir / _LOCK_FILE} and has not started the models in "
            f"{start_seconds:.0f} s; see {state_dir / _LOG_FILE}."
        ) from error


def _start(state_dir: Path, idle_seconds: float, start_seconds: float) -> ServerState:
    instance = uuid.uuid4().hex
    child = _spawn(state_dir, instance, idle_seconds)
    deadline = time.monotonic() + start_seconds
    log = state_dir / _LOG_FILE
    while time.monotonic() < deadline:
        state = read_state(state_dir / _STATE_FILE)
        if state is not None and state.instance == instance and _answers(state):
            Thread(target=child.wait, daemon=True).start()  # collects it if it ends before this process
            return state
        if child.poll() is not None:
            raise ModelProcessFailed(f"The model process ended with code {child.returncode}; see {log}.")
        time.sleep(_POLL_SECONDS)
    child.kill()
    child.wait()
    raise ModelProcessFailed(f"The model process did not listen within {start_seconds:.0f} s; see {log}.")


def _spawn(state_dir: Path, instance: str, idle_seconds: float) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "cognis_local.models.serve", "--instance", instance]
    command += ["--state-file", str(state_dir / _STATE_FILE), "--idle-seconds", str(idle_seconds)]
    log_file = state_dir / _LOG_FILE
    if log_file.exists() and log_file.stat().st_size > _LOG_BYTES:
        log_file.unlink()
    with log_file.open("ab") as log:
        return subprocess.Popen(  # noqa: S603  our own interpreter and module
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=state_dir,  # the caller's may go before the model process does
            env=_environment(),
            start_new_session=True,  # a Ctrl+C in the caller's terminal is not for the model process
        )


def _environment() -> dict[str, str]:
    """The caller's, with its own packages found first, memory given back and no telemetry."""
    roots = [str(Path(package.__file__ or "").parent.parent) for package in (cognis_local, cognis_memory)]
    inherited = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    path = os.pathsep.join([*roots, *map(os.path.abspath, inherited)])
    return {**_ALLOCATOR, **_PRIVACY, **os.environ, "PYTHONPATH": path}
