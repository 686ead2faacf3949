"""A function's process is killed in the middle of a state: the event ends, once, with the right memories."""

from __future__ import annotations

import os
import signal
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from local_stack import StackProcess

from cognis_local.stack.aws import EmulatedAccount
from cognis_local.stack.errors import StackError
from cognis_local.stack.executions import StateRun, execution_of
from cognis_memory.models.event import EventStatus

pytestmark = pytest.mark.xdist_group("local_stack")

STATES = (
    "StoreMessages",
    "ResolveSpeakersAndDates",
    "AcquireUserLease",
    "ExtractMemories",
    "EmbedAndCommitMemories",
    "ReleaseUserLease",
)
TEXTS = (
    "I live in Tokyo.",
    "I work as a nurse.",
    "犬を飼っています。",
    "My sister Nora lives in Bergen.",
    "I play the cello.",
    "毎朝コーヒーを飲みます。",
    "I moved to Osaka last week.",
    "I am allergic to peanuts.",
)
WORK_SECONDS = (0.0, 0.05)
"""How long the process works on its state before it is killed."""

TRIES = 5
"""A process that starts between two looks at them may take the state from those that stand still."""


@pytest.fixture(scope="module")
def undisturbed(local_stack: StackProcess) -> list[dict[str, Any]]:
    """What is held after an ingestion that nothing disturbs; every function has a process afterwards."""
    user = f"calm-{uuid.uuid4().hex}"
    event_id = post(local_stack, user)
    assert settle(local_stack, event_id)["status"] == EventStatus.SUCCEEDED
    return held(local_stack, user)


@pytest.mark.parametrize("seconds", WORK_SECONDS)
@pytest.mark.parametrize("state", STATES)
def test_the_event_ends_as_if_nothing_had_happened(
    local_stack: StackProcess, undisturbed: list[dict[str, Any]], state: str, seconds: float
) -> None:
    for _ in range(TRIES):
        user = f"killed-{uuid.uuid4().hex}"
        event_id = ingest_with_kill(local_stack, user, state, seconds)
        failures = next(run.failures for run in states_of(local_stack, event_id) if run.name == state)
        if failures or seconds:
            break
    event = settle(local_stack, event_id)

    assert [error for error, _ in failures] == ["Runtime.ExitError"] or seconds
    assert event["status"] == EventStatus.SUCCEEDED, event
    assert len(event["messages"]) == len(TEXTS)
    assert held(local_stack, user) == undisturbed
    current = [memory["memory"] for memory in undisturbed if memory["is_current"]]
    done = [o for o in event["operations"] if o["operation"] in ("ADD", "UPDATE")]
    assert len({o["memory_id"] for o in done}) == len(done) == len(undisturbed)
    assert sum("Osaka" in text for text in current) == 1
    assert not any("Tokyo" in text for text in current)


def ingest_with_kill(stack: StackProcess, user: str, state: str, seconds: float) -> str:
    """Has the state's processes stand still, begin, work for so long and die; the event at its end."""
    while not (processes := list(processes_of(stack.folder.root, state))):
        wait_until_in(stack, post(stack, f"warm-{user}"), "IngestionSucceeded")
    for pid in processes:
        os.kill(pid, signal.SIGSTOP)
    event_id = post(stack, user)
    wait_until_in(stack, event_id, state)
    for pid in processes:
        os.kill(pid, signal.SIGCONT)
    time.sleep(seconds)
    for pid in processes:
        os.kill(pid, signal.SIGKILL)
    wait_until_in(stack, event_id, "IngestionSucceeded")
    return event_id


def post(stack: StackProcess, user: str) -> str:
    messages = [{"role": "user", "content": text, "timestamp": "2026-06-05T10:00:00Z"} for text in TEXTS]
    body = {"user_id": user, "messages": messages}
    event_id: str = stack.memory().call("POST", "/v1/memories", body)["event_id"]
    return event_id


def settle(stack: StackProcess, event_id: str) -> dict[str, Any]:
    memory, deadline = stack.memory(), time.monotonic() + 120
    while True:
        event = memory.call("GET", f"/v1/events/{event_id}")
        if event["status"] in (EventStatus.SUCCEEDED, EventStatus.FAILED):
            return event
        assert time.monotonic() < deadline, event
        time.sleep(0.1)


def held(stack: StackProcess, user: str) -> list[dict[str, Any]]:
    """Every version, without what differs between two users."""
    page = stack.memory().call("GET", f"/v1/memories?user_id={user}&include_history=true&limit=100")
    wanted = ("memory", "category", "is_current", "version", "timestamp", "event_time", "event_end")
    return sorted(
        ({name: memory[name] for name in wanted} for memory in page["memories"]), key=lambda m: m["memory"]
    )


def states_of(stack: StackProcess, event_id: str) -> list[StateRun]:
    """What the execution went through so far; nothing before it has begun."""
    try:
        return execution_of(EmulatedAccount(f"http://127.0.0.1:{stack.port}"), event_id).states
    except StackError:
        return []


def wait_until_in(stack: StackProcess, event_id: str, state: str) -> None:
    """Until the execution has handed the state to its function, whose process stands still."""
    deadline = time.monotonic() + 60
    while not any(run.name == state for run in states_of(stack, event_id)):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(0.1)  # from the machine's history to the process


def processes_of(folder: Path, state: str) -> Iterator[int]:
    """The processes of the state's function on this stack."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            command = (entry / "cmdline").read_bytes().decode()
        except OSError:
            continue
        if str(folder) in command and f"-{state}" in command:
            yield int(entry.name)
