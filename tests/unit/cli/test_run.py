"""`run`: what was found, beside what the file expects."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import Result

from cognis_local.cli.run import called_as

if TYPE_CHECKING:
    from tests.unit.cli.conftest import DictionaryMemory

Cli = Callable[..., Result]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    texts = ["Ana likes green tea", "Ana lives in Tokyo => Ana lives in Osaka"]
    turns = [{"speaker": "Ana", "text": text} for text in texts]
    questions: list[dict[str, Any]] = [
        {"question": "who likes tea", "answer": "Ana", "evidence": ["s1:1"], "kind": "single"},
        {"question": "where lives ana", "answer": "Osaka", "evidence": ["s1:2"], "kind": "single"},
        {"question": "which cat", "answer": "None", "evidence": ["s1:1"], "kind": "single"},
        {"question": "blood type", "answer": None, "as_of": "2026-02-01T00:00:00Z"},
        {"question": "green what", "answer": None},
    ]
    sessions = [{"started_at": "2026-01-05T23:00:00Z", "turns": turns}]
    path = tmp_path / "talk.json"
    content = {"id": "talk", "timezone": "Asia/Tokyo", "sessions": sessions, "questions": questions}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def block(shown: str, question: str) -> str:
    return next(part for part in shown.split("\n\n") if question in part)


def test_each_question_stands_with_what_was_found_and_expected(cli: Cli, file: Path) -> None:
    result = cli("run", file)
    assert result.exit_code == 0
    tea = block(result.stdout, "who likes tea")
    assert "0.50  2026-01-06  version 1  Ana likes green tea" in tea
    assert "expected: Ana · evidence at 1" in tea
    home = block(result.stdout, "where lives ana")
    assert "version 2  Ana lives in Osaka" in home
    assert "before: Ana lives in Tokyo" in home
    assert "expected: Osaka · evidence at 2" in home
    assert "evidence not among the first 10" in block(result.stdout, "which cat")


def test_a_question_without_an_answer_expects_none(cli: Cli, file: Path) -> None:
    blood = block(cli("run", file).stdout, "blood type (as of 2026-02-01)")
    assert "nothing relevant is remembered" in blood
    assert "expected: (the conversation does not say)" in blood


def test_the_end_counts_evidence_and_questions_left_open(cli: Cli, file: Path) -> None:
    rows = [line.split() for line in cli("run", file).stdout.splitlines()]
    assert ["single", "3", "1", "2"] in rows
    assert ["without", "an", "answer", "2", "1", "left", "open"] in rows


def test_questions_are_asked_after_the_conversation(cli: Cli, memory: DictionaryMemory, file: Path) -> None:
    cli("run", file)
    assert {asked["reference_time"].isoformat() for asked in memory.asked} == {"2026-01-05T23:00:01+00:00"}
    assert {asked["timezone"] for asked in memory.asked} == {"Asia/Tokyo"}


def test_a_second_run_finds_the_same(cli: Cli, memory: DictionaryMemory, file: Path) -> None:
    first, second = (json.loads(cli("run", file, "--json").stdout) for _ in range(2))
    assert first == second
    assert len(memory.memories["talk"]) == 2


def test_json_has_the_rank_of_the_evidence(cli: Cli, file: Path) -> None:
    (report,) = json.loads(cli("run", file, "--json", "--questions", "3").stdout)
    assert (report["conversation"], report["messages"]) == ("talk", 2)
    assert [asked["evidence_rank"] for asked in report["questions"]] == [1, 2, None]


def test_show_limits_what_is_printed(cli: Cli, file: Path) -> None:
    home = block(cli("run", file, "--show", "1").stdout, "where lives ana")
    assert "Ana likes green tea" in home
    assert "Osaka" not in home.partition("expected")[0]


def test_without_a_file_the_sample_is_run(cli: Cli, memory: DictionaryMemory) -> None:
    result = cli("run", "--questions", "1")
    assert "lina-and-takumi: 10 sessions, 165 messages, Lina and Takumi" in result.stdout
    assert "cognis ask --user lina-and-takumi" in result.stdout
    assert list(memory.memories) == ["lina-and-takumi"]


def test_the_hint_names_the_program_as_the_shell_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "cognis"
    program.parent.mkdir()
    program.touch(mode=0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/nowhere")
    assert called_as("bin/cognis", "cognis") == "bin/cognis"
    assert called_as("/somewhere/__main__.py", "python -m cognis_local.cli") == "python -m cognis_local.cli"

    monkeypatch.setenv("PATH", str(program.parent))
    assert called_as("bin/cognis", "cognis") == "cognis"
