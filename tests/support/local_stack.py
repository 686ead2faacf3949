"""The whole application on one machine, in processes of its own, as `make run` starts it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from emulated import free_port

from cognis_local.stack.client import ApiMemory
from cognis_local.stack.folder import Run, StackFolder, read_record

COMMAND = (sys.executable, "-m", "cognis_local.stack")
READY_SECONDS = 240.0  # the first start of a machine builds a layer
STOP_SECONDS = 60.0


class StackProcess:
    """One `run` on a folder. `arguments` are the command's."""

    def __init__(self, root: Path, *arguments: str | Path, port: int | None = None) -> None:
        self.folder = StackFolder(root)
        self.port = port or free_port()
        self._log = root.with_name(f"{root.name}-{self.port}.out")
        options = ("--folder", root, "--port", self.port)
        with self._log.open("wb") as output:
            self.process = subprocess.Popen(
                [*COMMAND, "run", *map(str, (*options, *arguments))],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )

    @property
    def output(self) -> str:
        return self._log.read_text(encoding="utf-8")

    def ready(self) -> Run:
        """The run, once its API answers."""
        deadline = time.monotonic() + READY_SECONDS
        while (run := read_record(self.folder.run_file, Run)) is None or run.pid != self.process.pid:
            assert self.process.poll() is None, self.output
            assert time.monotonic() < deadline, self.output
            time.sleep(0.05)
        return run

    def memory(self) -> ApiMemory:
        run = self.ready()
        return ApiMemory(run.url, run.api_key, self.folder.journal_file)

    def wait_for(self, text: str) -> None:
        """Until the command has printed the text."""
        deadline = time.monotonic() + READY_SECONDS
        while text not in self.output:
            assert self.process.poll() is None, self.output
            assert time.monotonic() < deadline, self.output
            time.sleep(0.1)

    def kill(self) -> None:
        """As the system does to whoever takes too much memory."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """As `make stop` does; the exit code."""
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(STOP_SECONDS)


@contextmanager
def stack_process(root: Path, *arguments: str | Path, port: int | None = None) -> Iterator[StackProcess]:
    """A run that is stopped with the block, whatever the test did to it."""
    started = StackProcess(root, *arguments, port=port)
    try:
        yield started
    finally:
        started.stop()
        command("stop", "--folder", root)


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Another command on a stack's folder."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=STOP_SECONDS + 30,
        env={**os.environ, "COLUMNS": "200"},
    )
