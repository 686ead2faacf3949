"""Starts and ends the emulator's process."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final

import urllib3
from filelock import Timeout

import cognis_local
import cognis_memory
from cognis_local.stack.aws import ACCOUNT, REGION, SECRET_KEY
from cognis_local.stack.errors import StackError
from cognis_local.stack.folder import StackFolder
from cognis_local.stack.log_files import last_line

HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 4566
FOLDER_VARIABLE: Final = "COGNIS_STACK_FOLDER"
"""Names the stack's folder to the emulator."""

_START_SECONDS: Final = 30.0
_STOP_SECONDS: Final = 30.0
_POLL_SECONDS: Final = 0.05
_LOG_BYTES: Final = 10_000_000

_INHERITED: Final = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "USER", "LD_LIBRARY_PATH")
"""Of the user's environment; functions inherit the emulator's, and on AWS they see nothing of it."""


class Emulator:
    """A running emulator. Ends with the process that started it, its state saved."""

    def __init__(self, port: int, process: subprocess.Popen[bytes], log: Path) -> None:
        self.endpoint = f"http://{HOST}:{port}"
        self.log = log
        self._process = process

    @property
    def exit_code(self) -> int | None:
        """None while it runs."""
        return self._process.poll()

    def wait_until_ready(self) -> None:
        """Raises StackError when it has ended, or does not answer in 30 s."""
        deadline = time.monotonic() + _START_SECONDS
        with urllib3.PoolManager(retries=False, timeout=2.0) as pool:
            while time.monotonic() < deadline:
                if self.exit_code is not None:
                    raise StackError(f"The emulator has ended: {last_line(self.log)}\nSee {self.log}.")
                try:
                    if pool.request("GET", f"{self.endpoint}/_ministack/health").status == 200:
                        return
                except urllib3.exceptions.HTTPError:
                    pass
                time.sleep(_POLL_SECONDS)
        raise StackError(f"The emulator did not answer within {_START_SECONDS:.0f} s; see {self.log}.")

    def stop(self) -> None:
        """Ends it and waits until its state is saved."""
        with self._process:  # closes the pipe to it
            self._process.terminate()
            try:
                self._process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()


@contextmanager
def running_emulator(
    folder: StackFolder, port: int, variables: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Emulator]:
    """An emulator that answers on 127.0.0.1, on the state that the folder keeps.

    Functions find `variables` in their environment, beside those of their templates. The port is free, see
    `check_port`. Raises StackError when the emulator does not start.
    """
    temporary = folder.emulator / "tmp"
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    folder.logs.mkdir(parents=True, exist_ok=True)
    emulator = _start(folder, port, variables)
    try:
        emulator.wait_until_ready()
        yield emulator
    finally:
        emulator.stop()
        shutil.rmtree(temporary, ignore_errors=True)


def check_port(folder: StackFolder, port: int) -> None:
    """Raises StackError when something listens there, once a predecessor on the same folder has ended."""
    _await_predecessor(folder)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise StackError(
                f"Port {port} cannot be used ({error.strerror}); choose another: make run PORT={port + 1}"
            ) from None


def _await_predecessor(folder: StackFolder) -> None:
    """An emulator whose parent was killed is saving its state."""
    lock = folder.emulator_lock()
    folder.emulator.mkdir(parents=True, exist_ok=True)
    try:
        with lock.acquire(timeout=_STOP_SECONDS):
            pass
    except Timeout:
        raise StackError(
            f"Another emulator holds {folder.emulator} and does not end; `make stop` ends it."
        ) from None


def _start(folder: StackFolder, port: int, variables: Mapping[str, str]) -> Emulator:
    log = folder.logs / "emulator.log"
    if log.exists() and log.stat().st_size > _LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "cognis_local.stack.emulator"],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            env={**_environment(folder, port), **variables},
            start_new_session=True,  # a Ctrl-C in the terminal is for the parent, which ends it in order
        )
    return Emulator(port, process, log)


def _environment(folder: StackFolder, port: int) -> dict[str, str]:
    emulator = folder.emulator.resolve()
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    roots = (Path(package.__file__ or "").parent.parent for package in (cognis_local, cognis_memory))
    return {
        **inherited,
        "PYTHONPATH": os.pathsep.join(str(root) for root in roots),
        "TMPDIR": str(emulator / "tmp"),
        "AWS_ENDPOINT_URL": f"http://{HOST}:{port}",
        "AWS_ACCESS_KEY_ID": ACCOUNT,
        "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        FOLDER_VARIABLE: str(folder.root.resolve()),
        "GATEWAY_PORT": str(port),
        "BIND_HOST": HOST,
        "PERSIST_STATE": "1",
        "STATE_DIR": str(emulator / "state"),
        "S3_PERSIST": "1",
        "S3_DATA_DIR": str(emulator / "s3"),
        "LOG_LEVEL": "WARNING",
        "DOCKER_HOST": "unix:///nonexistent",  # it would look for containers of its own
        "SFTP_ENABLED": "0",
        "IOT_MTLS_ENABLED": "0",
        "LAMBDA_ACCOUNT_CONCURRENCY": "1000",  # as on AWS; calls that wait for a process count
        "LAMBDA_WARM_TTL_SECONDS": "60",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
    }
