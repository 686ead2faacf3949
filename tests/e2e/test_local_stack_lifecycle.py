"""The stack comes and goes, in order or not, and what it was told stays."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest
from local_stack import STOP_SECONDS, StackProcess, command, stack_process

from cognis_memory.models.event import EventStatus

pytestmark = pytest.mark.xdist_group("local_stack")

LIVES = {"role": "user", "content": "I live in Osaka.", "timestamp": "2026-06-05T10:00:00Z"}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a stack that was told one thing and then stopped."""
    root = tmp_path_factory.mktemp("told") / "local"
    with stack_process(root, "--idle") as stack:
        assert stack.memory().add("ana", [LIVES], idempotency_key="k").status is EventStatus.SUCCEEDED
        assert stack.stop() == 0
    return root


@pytest.fixture
def root(told: Path, tmp_path: Path) -> Path:
    """A copy of that folder, which the test may treat as it likes."""
    return Path(shutil.copytree(told, tmp_path / "local"))


def knows(stack: StackProcess) -> bool:
    return "Osaka" in stack.memory().search("ana", "Where do I live?").results[0].memory


def test_a_restart_deploys_nothing_and_keeps_data_and_key(root: Path) -> None:
    with stack_process(root, "--idle") as stack:
        assert knows(stack)
        key = stack.ready().api_key
        assert "Deploying" not in stack.output
        assert "Synthesising" not in stack.output
        assert command("stop", "--folder", root).stdout == "Stopped.\n"
        assert stack.process.wait(STOP_SECONDS) == 0
    assert not stack.folder.run_file.exists()
    with stack_process(root, "--idle") as stack:
        assert stack.ready().api_key == key


def test_what_is_lost_beside_the_data_is_made_anew_and_clean_removes_all(root: Path) -> None:
    (root / "credentials.json").unlink()
    (root / "deployment.json").write_text('{"fingerprint": "of another checkout", "outputs": {}}')
    with stack_process(root, "--idle") as stack:
        assert knows(stack)
        assert "Deploying" in stack.output
        assert command("clean", "--folder", root).returncode == 0
        assert stack.process.wait(STOP_SECONDS) == 0
    assert not root.exists()


def test_a_kill_loses_nothing_and_leaves_nothing_behind(root: Path) -> None:
    with stack_process(root, "--idle") as stack:
        dog = {**LIVES, "content": "My dog is called Biscuit."}
        stack.memory().add("ana", [dog], idempotency_key="dog")
        stack.kill()
    with stack_process(root, "--idle", port=stack.port) as stack:
        assert knows(stack)
        assert "Biscuit" in stack.memory().search("ana", "What is my dog called?").results[0].memory
        stack.kill()
        assert command("stop", "--folder", root).returncode == 0
        for lock in (stack.folder.run_lock(), stack.folder.emulator_lock()):
            with lock.acquire(timeout=0):
                pass
    assert not stack.folder.run_file.exists()
    assert not (stack.folder.models / "models.json").exists()


def test_the_end_of_the_emulator_ends_the_run_and_is_told(root: Path) -> None:
    with stack_process(root, "--idle") as stack:
        stack.ready()
        os.kill(int(stack.folder.emulator_pid_file.read_text()), signal.SIGKILL)
        assert stack.process.wait(STOP_SECONDS) == 1
        assert "The emulator has ended" in stack.output
        assert "emulator.log" in stack.output
