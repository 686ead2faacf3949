"""The whole application over HTTP, and the commands that show what it does."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import time
import uuid
from pathlib import Path
from typing import Any

import pytest
import urllib3
from local_stack import StackProcess, command, stack_process

from cognis_local.conversations import load_sample
from cognis_memory.models.event import EventStatus

pytestmark = pytest.mark.xdist_group("local_stack")

TALK = {
    "id": "ana",
    "timezone": "Asia/Tokyo",
    "sessions": [
        {"started_at": "2026-01-05T10:00:00Z", "turns": [{"speaker": "Ana", "text": "I live in Tokyo."}]},
        {"started_at": "2026-06-05T10:00:00Z", "turns": [{"speaker": "Ana", "text": "I moved to Osaka."}]},
    ],
    "questions": [{"question": "Where does Ana live?", "answer": "Osaka", "evidence": ["s2:1"]}],
}


def say(stack: StackProcess, user_id: str, text: str) -> str:
    """Tells the API one message; the event's id once it has succeeded."""
    message = {"role": "user", "content": text, "timestamp": "2026-06-05T10:00:00Z"}
    event = stack.memory().add(user_id, [message], idempotency_key=uuid.uuid4().hex)
    assert event.status is EventStatus.SUCCEEDED, event
    return event.event_id


@pytest.mark.parametrize(
    ("text", "question", "found"),
    [
        ("My locker is at the gym on Baker Street.", "Where is my locker?", "Baker Street"),
        ("大阪に引っ越しました。", "どこに住んでいますか？", "大阪"),
    ],
    ids=["english", "japanese"],
)
def test_what_is_said_is_found_at_once(
    local_stack: StackProcess, text: str, question: str, found: str
) -> None:
    say(local_stack, found, text)
    results = local_stack.memory().search(found, question).results
    assert found in results[0].memory


def test_without_its_key_the_api_answers_nobody(local_stack: StackProcess) -> None:
    run = local_stack.ready()
    for key, status in ((run.api_key, 200), ("cgn_wrong", 401), (None, 401)):
        headers = {"X-Api-Key": key} if key else {}
        with urllib3.PoolManager(retries=False) as pool:
            answer = pool.request("GET", f"{run.url}/v1/memories?user_id=nobody", headers=headers)
        assert (answer.status, "request_id" in answer.json()) == (status, status != 200)


def test_the_run_file_is_nobody_elses(local_stack: StackProcess) -> None:
    local_stack.ready()
    for file in (local_stack.folder.run_file, local_stack.folder.credentials_file):
        assert file.stat().st_mode & 0o777 == 0o600


def test_executions_show_each_state_with_input_and_output(local_stack: StackProcess) -> None:
    event_id = say(local_stack, "shown", "I keep bees.")
    shown = command("executions", event_id, "--folder", local_stack.folder.root).stdout
    states = re.findall(r"^  (\w+) +[\d.]+ s$", shown, re.MULTILINE)
    assert states == [
        "StoreMessages",
        "ResolveSpeakersAndDates",
        "AcquireUserLease",
        "IsLeaseAcquired",
        "ExtractMemories",
        "IsExtractionLeft",
        "EmbedAndCommitMemories",
        "ReleaseUserLease",
        "IngestionSucceeded",
    ]
    assert f'in   {{"tenant_id": "local", "event_id": "{event_id}"}}' in shown
    assert "bees" not in shown
    listed = command("executions", "--last", "1", "--json", "--folder", local_stack.folder.root).stdout
    assert [execution["event_id"] for execution in json.loads(listed)] == [event_id]


def test_an_event_without_an_execution_is_told(local_stack: StackProcess) -> None:
    shown = command("executions", "evt_none", "--folder", local_stack.folder.root)
    assert (shown.returncode, shown.stderr) == (1, "Error: There is no execution of evt_none.\n")


def test_logs_show_what_functions_did_and_no_text(local_stack: StackProcess) -> None:
    say(local_stack, "logged", "I collect vinyl records.")
    local_stack.memory().search("logged", "What do I collect?")
    shown = command("logs", "--folder", local_stack.folder.root).stdout
    assert re.search(r"retrieve +INFO memory_retrieval .*duration_ms=", shown)
    assert re.search(r"INFO memory_ingestion ", shown)
    assert "vinyl" not in shown
    assert "collect" not in shown
    assert "logged" not in shown
    alone = command("logs", "retrieve", "--folder", local_stack.folder.root).stdout
    assert alone
    assert "memory_ingestion" not in alone


def test_a_second_run_says_where_the_first_one_is(local_stack: StackProcess) -> None:
    run = local_stack.ready()
    second = command("run", "--folder", local_stack.folder.root, "--port", str(local_stack.port))
    assert second.returncode == 1
    assert run.url in second.stderr
    assert local_stack.memory().status("GET", "/v1/health") == 200
    assert local_stack.ready() == run


def test_a_taken_port_is_told_before_anything_is_begun(local_stack: StackProcess, tmp_path: Path) -> None:
    port = local_stack.port
    refused = command("run", "--folder", tmp_path / "other", "--port", str(port))
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert f"Port {port} cannot be used" in refused.stderr
    assert f"PORT={port + 1}" in refused.stderr
    assert not (tmp_path / "other" / "emulator" / "state").exists()


@pytest.mark.parametrize("name", ["logs", "executions"])
def test_what_needs_a_running_stack_says_so(name: str, tmp_path: Path) -> None:
    refused = command(name, "--folder", tmp_path)
    assert (refused.returncode, refused.stderr) == (
        1,
        "Error: The stack is not running; `make run` brings it up.\n",
    )


def test_stop_and_clean_take_an_absent_stack(tmp_path: Path) -> None:
    assert command("stop", "--folder", tmp_path / "none").stdout == "Nothing was running.\n"
    assert command("clean", "--folder", tmp_path / "none").returncode == 0


def test_a_user_is_taken_away_erased_and_brought_back(local_stack: StackProcess) -> None:
    """Through the links that the emulator's S3 takes, as a deployment's does."""
    user, memory = f"mover-{uuid.uuid4().hex}", local_stack.memory()
    say(local_stack, user, "I keep bees in Porto.")
    say(local_stack, user, "犬を飼っています。")
    before = memory.call("GET", f"/v1/memories?user_id={user}")

    exported = ended(local_stack, memory.call("POST", f"/v1/users/{user}/export"))
    with urllib3.PoolManager(retries=False) as pool:
        file = pool.request("GET", exported["download_url"]).data
    assert file.count(b"\n") == 1 + exported["counts"]["memories"] + exported["counts"]["messages"]
    ended(local_stack, memory.call("DELETE", f"/v1/users/{user}"))
    assert memory.call("GET", f"/v1/memories?user_id={user}")["memories"] == []

    accepted = memory.call("POST", f"/v1/users/{user}/import")
    with urllib3.PoolManager(retries=False) as pool:
        assert pool.request("PUT", accepted["upload_url"], body=file).status == 200
    imported = ended(local_stack, accepted)
    assert imported["counts"] == exported["counts"]
    assert memory.call("GET", f"/v1/memories?user_id={user}") == before
    assert "Porto" in memory.search(user, "Where are my bees?").results[0].memory


def ended(stack: StackProcess, accepted: dict[str, Any]) -> dict[str, Any]:
    """The event of accepted work, which succeeds."""
    deadline = time.monotonic() + 120
    while (event := stack.memory().call("GET", f"/v1/events/{accepted['event_id']}"))["status"] not in (
        "SUCCEEDED",
        "FAILED",
    ):
        assert time.monotonic() < deadline, event
        time.sleep(0.2)
    assert event["status"] == "SUCCEEDED", event
    return event


def test_a_conversation_goes_in_and_its_questions_are_answered(tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    file.write_text(json.dumps(TALK), encoding="utf-8")
    with stack_process(tmp_path / "local", file) as stack:
        stack.wait_for("It stays up until")
        assert "1 questions" in stack.output.replace("1 question ", "1 questions ")
        assert "expected: Osaka · evidence at 1" in stack.output
        curl = next(line for line in stack.output.splitlines() if line.startswith("Ask it"))
        arguments = shlex.split(curl.removeprefix("Ask it"))
        assert "Osaka" in subprocess.run(arguments, capture_output=True, text=True, check=True).stdout


@pytest.mark.long
def test_the_sample_goes_in_and_most_of_its_questions_are_answered(tmp_path: Path) -> None:
    sample = load_sample()
    with stack_process(tmp_path / "local") as stack:
        stack.wait_for("It stays up until")
        assert f"{sample.turn_count} of {sample.turn_count} messages" in stack.output
        answerable = sum(question.answer is not None for question in sample.questions)
        assert stack.output.count("evidence at ") >= 0.7 * answerable
