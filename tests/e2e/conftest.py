"""Runs the commands as a user does: in processes of their own, on a folder, with the real models."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from local_stack import StackProcess, stack_process

COMMAND = (sys.executable, "-m", "cognis_local.cli")
PROGRESS = re.compile(rb": (\d+) of \d+ messages")


@pytest.fixture(scope="session")
def cognis() -> Callable[..., Any]:
    """Runs a command with --json in a fresh process and returns what it printed."""

    def run(*arguments: str | Path) -> Any:
        command = [*COMMAND, *map(str, arguments), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture(scope="session")
def killed() -> Callable[..., None]:
    """Starts a command and kills it (SIGKILL) `delay` seconds after it has told of `after` messages."""

    def run(*arguments: str | Path, after: int, delay: float) -> None:
        command = [*COMMAND, *map(str, arguments)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
            assert process.stderr is not None
            lines = iter(process.stderr.readline, b"")
            assert any((told := PROGRESS.search(line)) and int(told[1]) >= after for line in lines)
            try:
                process.wait(timeout=delay)
            except subprocess.TimeoutExpired:
                process.kill()

    return run


@pytest.fixture(scope="session")
def local_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StackProcess]:
    """The whole application, up for all tests and empty at first; each test has users of its own."""
    with stack_process(tmp_path_factory.mktemp("stack") / "local", "--idle") as stack:
        stack.ready()
        yield stack
