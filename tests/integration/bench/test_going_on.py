"""A run that was ended goes on, and nothing is asked or ingested twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from chat_server import ChatServer, Reply, said
from qa_files import write_locomo

import qa
from qa_bench.asking import FAILURES_IN_A_ROW

from .conftest import Bench, Model, Run

DRIFTING = ("latency", "date")
"""Of a result what depends on when it was made."""


@pytest.fixture
def locomo(tmp_path: Path) -> Path:
    file = tmp_path / "locomo.json"
    write_locomo(file, sessions=1)
    return file


def lasting(run: Run) -> dict[str, Any]:
    assert run.result is not None
    kept = {name: value for name, value in run.result.items() if name not in DRIFTING}
    return {**kept, "ingestion": {**kept["ingestion"], "seconds": None}}


def line_count(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


def kill_when(file: Path, lines: int, *arguments: str | Path) -> None:
    """Runs the bench until it is killed, once it has added so many lines to the file."""
    script = Path(__file__).with_name("killed_run.py")
    command = [sys.executable, str(script), str(file), str(lines), *map(str, arguments)]
    killed = subprocess.run(command, env=bench_environment(), capture_output=True, text=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr


def bench_environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(Path(qa.__file__).parent)}


def dateless(run: Run) -> str:
    """What it printed; the table has the day on which it was made."""
    assert run.result is not None
    return run.out.replace(run.result["date"], "DATE")


def test_killed_while_it_ingests_and_while_it_asks_it_ends_as_an_unbroken_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "locomo.json"
    questions = write_locomo(file, conversations=3, sessions=4, repeats=2)
    unbroken = Bench(tmp_path / "unbroken", capsys)(file, "--scripted")
    broken = Bench(tmp_path / "broken", capsys)
    answers, ingested = broken.folder / "answers.jsonl", broken.folder / "ingested.jsonl"
    command = (file, "--scripted", "--folder", broken.folder)

    kill_when(ingested, 1, *command)
    assert line_count(ingested) == 1
    kill_when(answers, 10, *command)
    before = answers.read_bytes().split(b"\n")
    assert len(before) - 1 == 10 < questions
    with answers.open("ab") as torn:
        torn.write(b'{"id": "conv-')
    run = broken(file, "--scripted")

    assert run.code == 0
    assert lasting(run) == lasting(unbroken)
    assert answers.read_bytes().split(b"\n")[: len(before) - 1] == before[:-1]
    assert Counter(line["id"] for line in broken.lines()).most_common(1)[0][1] == 1
    assert len(broken.lines()) == questions
    assert line_count(ingested) == 3


def test_ctrl_c_waits_for_no_call_and_the_run_goes_on(
    bench: Bench, server: ChatServer, model: Model, locomo: Path
) -> None:
    asked, released = Event(), Event()

    def hanging(question: str) -> Reply:
        asked.set()
        released.wait(60)
        return said("Osaka")

    model.answer = hanging
    command = [sys.executable, qa.__file__, str(locomo), "--folder", str(bench.folder), "--llm", server.url]
    with subprocess.Popen([*command, "--yes"], stderr=subprocess.PIPE, text=True) as process:
        try:
            assert asked.wait(60)
            process.send_signal(signal.SIGINT)
            _, told = process.communicate(timeout=20)
        finally:
            released.set()
            process.kill()
    assert (process.returncode, told.splitlines()[-1]) == (130, "qa: ended; the same command goes on")
    model.answer = "Osaka"
    assert bench(locomo, "--llm", server.url, "--yes").code == 0


def test_what_failed_is_tried_again_and_nothing_else(
    bench: Bench, server: ChatServer, model: Model, locomo: Path
) -> None:
    def refusing(question: str) -> Reply:
        return (400, {"error": {"message": "no"}}) if question.startswith("When") else said("Osaka")

    model.answer = refusing
    first = bench(locomo, "--llm", server.url, "--yes")
    model.answer, model.judged = "Osaka", []
    asked_before = len(model.answered)
    second = bench(locomo, "--llm", server.url, "--yes")

    assert (first.code, first.row()["failed"], first.row("temporal")["f1"]) == (1, 1, None)
    assert first.result is not None
    assert first.result["errors"] == {"answer: PermanentError: Converse was refused: ValidationException": 1}
    assert "Incomplete" in first.out
    assert (second.code, second.row()["failed"]) == (0, 0)
    assert model.answered[asked_before:] == ["When did Mika move to Bergen?"]
    assert model.judged == ["When did Mika move to Bergen?"]
    assert "Incomplete" not in second.out


def test_an_answer_whose_judge_failed_is_only_judged_again(
    bench: Bench, server: ChatServer, model: Model, locomo: Path
) -> None:
    model.verdict = lambda question: (400, {"error": {"message": "no"}})
    first = bench(locomo, "--llm", server.url, "--yes")
    model.verdict = '{"label": "CORRECT"}'
    asked_before = len(model.answered)
    second = bench(locomo, "--llm", server.url, "--yes")

    assert (first.code, first.row()["failed"]) == (1, 4)
    assert (first.row()["judge"], first.row()["f1"]) == (None, None)
    assert (second.code, second.row()["judge"]) == (0, 100)
    assert len(model.answered) == asked_before


def test_a_finished_run_asks_for_nothing_and_prints_its_table_again(
    bench: Bench, server: ChatServer, model: Model, locomo: Path
) -> None:
    first = bench(locomo, "--llm", server.url, "--yes")
    asked = len(server.requests)
    second = bench(locomo, "--llm", server.url)

    assert dateless(second) == dateless(first)
    assert len(server.requests) == asked
    assert "expected" not in second.err


def test_more_questions_of_the_same_settings_go_on_from_a_sample(
    bench: Bench, server: ChatServer, model: Model, locomo: Path
) -> None:
    sample = bench(locomo, "--llm", server.url, "--yes", "--questions", "3")
    whole = bench(locomo, "--llm", server.url, "--yes")

    assert sample.result is not None
    assert sum(row["questions"] for row in sample.result["rows"][:-1]) == 3
    assert whole.row()["questions"] == 4
    assert Counter(model.answered).most_common(1)[0][1] == 1


def test_a_server_that_goes_down_ends_the_run_with_what_was_done(
    bench: Bench, server: ChatServer, model: Model, tmp_path: Path
) -> None:
    file = tmp_path / "locomo.json"
    questions = write_locomo(file, sessions=5)
    model.answer = lambda question: (
        said("Osaka") if len(model.answered) <= 9 else (400, {"error": {"message": "out of memory"}})
    )
    sample = bench(file, "--llm", server.url, "--yes", "--questions", "1")
    first = bench(file, "--llm", server.url, "--yes", "--concurrency", "1")
    results = list(bench.folder.glob("result.*"))
    done = [line for line in bench.lines() if line["error"] is None]
    model.answer = "Osaka"
    second = bench(file, "--llm", server.url, "--yes")

    assert (sample.code, sample.row()["missing"]) == (0, 0)
    assert (first.code, results, len(done)) == (2, [], 9)
    assert f"{FAILURES_IN_A_ROW} questions failed in a row" in first.err
    assert len(bench.lines()) < questions + 2 * FAILURES_IN_A_ROW
    assert (second.code, second.row()["missing"], second.row()["failed"]) == (0, 0, 0)


def test_an_ingestion_that_cannot_go_through_leaves_its_questions_to_a_later_run(
    bench: Bench, server: ChatServer, model: Model, locomo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qa_bench.connecting.ATTEMPTS", 1)
    options = ("--llm", server.url, "--extractor", "llm", "--yes", "--timeout", "2")
    respond, server.respond = server.respond, lambda request: (500, {"error": {"message": "down"}})
    first = bench(locomo, *options)
    server.respond = respond
    second = bench(locomo, *options)

    assert (first.code, first.row()["missing"]) == (1, 4)
    assert first.result is not None
    assert first.result["ingestion"]["unfinished_conversations"] == {"ExtractionUnavailable": 1}
    assert (second.code, second.row()["missing"]) == (0, 0)
    held = json.loads((bench.folder / "ingested.jsonl").read_text())
    assert held["messages"] == 4


def test_what_a_model_could_not_extract_is_counted_and_its_messages_are_found(
    bench: Bench, server: ChatServer, model: Model, locomo: Path
) -> None:
    respond = server.respond
    server.respond = lambda request: (
        said("Sure!") if "<messages>" in request["messages"][1]["content"] else respond(request)
    )
    run = bench(locomo, "--llm", server.url, "--extractor", "llm", "--yes")

    assert (run.code, run.row()["missing"]) == (0, 0)
    assert run.result is not None
    assert run.result["ingestion"]["failed_requests"] == {"ExtractionFailed": 1}
    assert (run.result["ingestion"]["facts"], run.result["ingestion"]["messages"]) == (0, 4)
    assert any("at the market" in request["messages"][1]["content"] for request in server.requests[2:])
