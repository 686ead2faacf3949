"""A function's process is killed in the middle of a state: the event ends, once, with the right memories."""

from __future__ import annotations

import os
import signal
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
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


@dataclass(frozen=True, slots=True)
class Conversation:
    """What is held before, and what is said while the process dies; `operations` are those of its facts."""

    before: tuple[str, ...]
    texts: tuple[str, ...]
    operations: tuple[str, ...]


CONVERSATIONS = {
    "ADD": Conversation(
        ("I live in Tokyo.",), ("I play the cello.", "毎朝コーヒーを飲みます。"), ("ADD", "ADD")
    ),
    "UPDATE": Conversation(
        ("I live in Tokyo.", "京都で働いています。"), ("I moved to Osaka last week.",), ("UPDATE",)
    ),
    "UPDATE in Japanese": Conversation(
        ("東京に住んでいます。",), ("先週大阪に引っ越しました。",), ("UPDATE",)
    ),
    "DELETE": Conversation(
        ("I play tennis every week.", "犬を飼っています。"),
        ("I no longer play tennis.", "もう犬は飼っていません。"),
        ("DELETE", "DELETE"),
    ),
}
EACH = [(state, conversation, 0.0) for state in STATES for conversation in CONVERSATIONS]
"""The process dies as soon as it is handed its state."""

AT_WORK = [(state, "UPDATE", 0.05) for state in STATES]
"""It works on its state for so many seconds before it dies."""

TRIES = 5
"""A process that starts between two looks at them may take the state from those that stand still."""


@pytest.fixture(scope="module")
def undisturbed(local_stack: StackProcess) -> Callable[[str], list[dict[str, Any]]]:
    """What is held after a conversation that nothing disturbs; every function has a process afterwards."""

    @cache
    def carried_out(name: str) -> list[dict[str, Any]]:
        user, conversation = f"calm-{uuid.uuid4().hex}", CONVERSATIONS[name]
        tell_before(local_stack, user, conversation)
        event = settle(local_stack, post(local_stack, user, conversation.texts))
        assert event["status"] == EventStatus.SUCCEEDED
        return held(local_stack, user)

    return carried_out


@pytest.mark.parametrize(("state", "name", "seconds"), [*EACH, *AT_WORK])
def test_the_event_ends_as_if_nothing_had_happened(
    local_stack: StackProcess,
    undisturbed: Callable[[str], list[dict[str, Any]]],
    state: str,
    name: str,
    seconds: float,
) -> None:
    expected, conversation = undisturbed(name), CONVERSATIONS[name]
    for _ in range(TRIES):
        user = f"killed-{uuid.uuid4().hex}"
        event_id = ingest_with_kill(local_stack, user, conversation, state, seconds)
        failures = next(run.failures for run in states_of(local_stack, event_id) if run.name == state)
        if failures or seconds:
            break
    event = settle(local_stack, event_id)

    assert [error for error, _ in failures] == ["Runtime.ExitError"] or seconds
    assert event["status"] == EventStatus.SUCCEEDED, event
    assert len(event["messages"]) == len(conversation.texts)
    assert tuple(done["operation"] for done in event["operations"]) == conversation.operations
    assert held(local_stack, user) == expected


def ingest_with_kill(
    stack: StackProcess, user: str, conversation: Conversation, state: str, seconds: float
) -> str:
    """Has the state's processes stand still, begin, work for so long and die; the event at its end."""
    tell_before(stack, user, conversation)
    while not (processes := list(processes_of(stack.folder.root, state))):
        tell_before(stack, f"warm-{user}", conversation)
    for pid in processes:
        os.kill(pid, signal.SIGSTOP)
    event_id = post(stack, user, conversation.texts)
    wait_until_in(stack, event_id, state)
    for pid in processes:
        os.kill(pid, signal.SIGCONT)
    time.sleep(seconds)
    for pid in processes:
        os.kill(pid, signal.SIGKILL)
    wait_until_in(stack, event_id, "IngestionSucceeded")
    return event_id


def tell_before(stack: StackProcess, user: str, conversation: Conversation) -> None:
    wait_until_in(stack, post(stack, user, conversation.before, day=1), "IngestionSucceeded")


def post(stack: StackProcess, user: str, texts: Sequence[str], *, day: int = 5) -> str:
    moment = f"2026-06-{day:02}T10:00:00Z"
    messages = [{"role": "user", "content": text, "timestamp": moment} for text in texts]
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
