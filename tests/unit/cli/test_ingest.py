"""Bringing conversations in: `ingest` and `sample`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import Result

from cognis_local.conversations import load_sample
from cognis_memory.models.requests import MAX_MESSAGES

if TYPE_CHECKING:
    from tests.unit.cli.conftest import DictionaryMemory

Cli = Callable[..., Result]


def talk(*texts: str, **changes: Any) -> dict[str, Any]:
    turns = [{"speaker": "Ana", "text": text} for text in texts]
    session = {"started_at": "2026-01-05T10:00:00Z", "turns": turns}
    return {"id": "talk", "sessions": [session], **changes}


def write(folder: Path, content: Any) -> Path:
    path = folder / "talk.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_one_conversation_becomes_the_default(cli: Cli, memory: DictionaryMemory, tmp_path: Path) -> None:
    result = cli("ingest", write(tmp_path, talk("I like tea", "I live in Oslo")))
    assert result.exit_code == 0
    assert [held.memory for held in memory.memories["default"]] == ["I like tea", "I live in Oslo"]
    assert "default: 2 of 2 messages · 2 facts" in result.stderr
    assert memory.closed == 1


def test_a_user_can_be_named(cli: Cli, memory: DictionaryMemory, tmp_path: Path) -> None:
    assert cli("ingest", write(tmp_path, talk("I like tea")), "--user", "u1").exit_code == 0
    assert list(memory.memories) == ["u1"]


def test_several_conversations_become_a_user_each(cli: Cli, memory: DictionaryMemory, tmp_path: Path) -> None:
    path = write(tmp_path, [talk("I like tea", id="a"), talk("I like tea", id="b")])
    assert cli("ingest", path).exit_code == 0
    assert {user: len(held) for user, held in memory.memories.items()} == {"a": 1, "b": 1}


def test_several_conversations_cannot_be_one_user(cli: Cli, memory: DictionaryMemory, tmp_path: Path) -> None:
    result = cli("ingest", write(tmp_path, [talk("Hi", id="a"), talk("Hi", id="b")]), "--user", "u1")
    assert result.exit_code == 1
    assert "holds 2 conversations; leave --user out" in result.stderr
    assert not memory.memories


def test_a_second_run_adds_nothing(cli: Cli, memory: DictionaryMemory, tmp_path: Path) -> None:
    path = write(tmp_path, talk("I like tea", "I live in Oslo"))
    first, second = cli("ingest", path, "--json"), cli("ingest", path, "--json")
    assert len(memory.memories["default"]) == 2
    assert json.loads(first.stdout) == json.loads(second.stdout)
    assert "default: 2 of 2 messages" in first.stderr
    assert "default: nothing new; all 2 messages are known already" in second.stderr


def test_a_session_added_to_the_file_is_the_only_one_ingested(
    cli: Cli, memory: DictionaryMemory, tmp_path: Path
) -> None:
    content = talk("I like tea")
    cli("ingest", write(tmp_path, content))
    content["sessions"].append(
        {"started_at": "2026-02-05T10:00:00Z", "turns": [{"speaker": "Ana", "text": "Me too"}]}
    )
    result = cli("ingest", write(tmp_path, content))
    assert [held.memory for held in memory.memories["default"]] == ["I like tea", "Me too"]
    assert "1 messages were known already" in " ".join(result.stderr.split())


def test_the_same_file_for_another_user_is_new(cli: Cli, memory: DictionaryMemory, tmp_path: Path) -> None:
    path = write(tmp_path, talk("I like tea"))
    cli("ingest", path, "--user", "a")
    cli("ingest", path, "--user", "b")
    assert {user: len(held) for user, held in memory.memories.items()} == {"a": 1, "b": 1}


def test_what_an_interrupted_run_left_is_finished_first(
    cli: Cli, memory: DictionaryMemory, tmp_path: Path
) -> None:
    memory.interrupted = [memory.event("default", ["msg_0"], [])]
    assert "interrupted run had left, now finished: 1" in cli("ingest", write(tmp_path, talk("Hi"))).stderr


def test_a_long_session_is_sent_in_several_requests(
    cli: Cli, memory: DictionaryMemory, tmp_path: Path
) -> None:
    texts = [f"message {number}" for number in range(MAX_MESSAGES + 1)]
    assert cli("ingest", write(tmp_path, talk(*texts))).exit_code == 0
    assert memory.adds == 2
    assert [held.memory for held in memory.memories["default"]] == texts


def test_a_failed_event_is_told_and_the_rest_done(cli: Cli, memory: DictionaryMemory, tmp_path: Path) -> None:
    days = ("2026-01-05", "2026-01-06")
    sessions = [
        {"started_at": f"{day}T10:00:00Z", "turns": [{"speaker": "Ana", "text": text}]}
        for day, text in zip(days, ("REFUSE this", "I like tea"), strict=True)
    ]
    result = cli("ingest", write(tmp_path, talk(sessions=sessions)), "--json")
    assert result.exit_code == 1
    assert "1 of 2 requests failed: The extractor refused. Their messages are kept" in result.stderr
    (report,) = json.loads(result.stdout)
    assert (report["messages"], len(report["events"]), len(report["failed"])) == (2, 2, 1)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "There is no file"),
        ("{", "not valid JSON: line 1, column 2"),
        ("{}", "holds no conversation"),
    ],
)
def test_a_wrong_file_gets_a_sentence(cli: Cli, tmp_path: Path, content: str | None, words: str) -> None:
    path = tmp_path / "chat.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    result = cli("ingest", path)
    assert result.exit_code == 1
    assert words in result.stderr
    assert isinstance(result.exception, SystemExit)


def test_ctrl_c_says_that_the_command_can_be_repeated(
    cli: Cli, memory: DictionaryMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: Any, **options: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(memory, "add", interrupted)
    result = cli("ingest", write(tmp_path, talk("Hi")))
    assert result.exit_code == 130
    assert "Run the same command again" in result.stderr
    assert memory.closed == 1


def test_the_printed_sample_can_be_ingested(cli: Cli, memory: DictionaryMemory, tmp_path: Path) -> None:
    path = tmp_path / "sample.json"
    path.write_text(cli("sample").stdout, encoding="utf-8")
    assert cli("ingest", path).exit_code == 0
    assert len(memory.memories["default"]) == load_sample().turn_count


@pytest.mark.parametrize("command", ["ingest", "run"])
def test_an_empty_user_is_no_default(
    cli: Cli, memory: DictionaryMemory, tmp_path: Path, command: str
) -> None:
    cli(command, write(tmp_path, talk("Hi")), "--user", "")
    assert list(memory.memories) == [""]  # which a real memory refuses
