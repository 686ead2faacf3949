"""What cannot be run ends with one line and code 2, before anything costs."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from shutil import rmtree

import pytest
from chat_server import ChatServer
from filelock import FileLock
from qa_files import write_locomo

from qa_bench.options import read_options

from .conftest import Bench, Model, Run


@pytest.fixture
def locomo(tmp_path: Path) -> Path:
    file = tmp_path / "locomo.json"
    write_locomo(file, sessions=1)
    return file


def refused(run: Run, said: str) -> None:
    *_, last = run.err.splitlines()
    assert (run.code, run.out) == (2, "")
    assert last.startswith("qa: ")
    assert said in last
    assert "Traceback" not in run.err


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("content", ["", "not json", "[]", '{"sessions": []}', '[{"conversation": {}}]'])
def test_another_file(bench: Bench, tmp_path: Path, content: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(content)
    refused(bench(file, "--scripted"), "other.json")
    refused(bench(tmp_path / "missing.json", "--scripted"), "No such file")


def test_nothing_that_answers(bench: Bench, locomo: Path) -> None:
    refused(bench(locomo), "--llm URL, --bedrock, or --scripted")
    refused(bench(locomo, "--scripted", "--extractor", "llm"), "--llm URL")


def test_a_server_that_is_not_there(bench: Bench, locomo: Path) -> None:
    refused(bench(locomo, "--llm", "http://127.0.0.1:9/v1"), "No server answers at http://127.0.0.1:9/v1")
    refused(bench(locomo, "--llm", "127.0.0.1:9"), "no URL")


def test_a_model_that_the_server_does_not_have(bench: Bench, server: ChatServer, locomo: Path) -> None:
    refused(bench(locomo, "--llm", server.url, "--model", "large"), "no model 'large'; it has: small")
    server.models = ["small", "large"]
    refused(bench(locomo, "--llm", server.url), "--model. It has: small, large")


def test_bedrock_without_an_account(bench: Bench, locomo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused(bench(locomo, "--bedrock"), "region")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    refused(bench(locomo, "--bedrock"), "no credentials")


def test_other_settings_than_the_folders(bench: Bench, locomo: Path, tmp_path: Path) -> None:
    assert bench(locomo, "--scripted").code == 0
    refused(bench(locomo, "--scripted", "--top-k", "3"), "top_k was 20 and is now 3")
    other = tmp_path / "other.json"
    write_locomo(other, sessions=2)
    refused(bench(other, "--scripted"), "data was")


def test_a_folder_that_another_run_has(bench: Bench, locomo: Path) -> None:
    bench.folder.mkdir()
    with FileLock(bench.folder / ".lock"):
        refused(bench(locomo, "--scripted"), "at work")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--categories", "riddles"), "no category 'riddles'"),
        (("--price-in", "1"), "belong together"),
        (("--top-k", "101"), "--top-k 100"),
        (("--context-tokens", "100001"), "--context-tokens 100000"),
    ],
)
def test_options_that_make_no_sense(
    bench: Bench, locomo: Path, arguments: tuple[str, ...], said: str
) -> None:
    refused(bench(locomo, "--scripted", *arguments), said)


@pytest.mark.parametrize("option", ["--questions", "--top-k", "--concurrency", "--timeout", "--price-in"])
@pytest.mark.parametrize("value", ["-1", "nan", "many"])
def test_numbers_that_are_none(capsys: pytest.CaptureFixture[str], option: str, value: str) -> None:
    with pytest.raises(SystemExit) as ended:
        read_options(["file.json", option, value], None)
    assert ended.value.code == 2
    assert option in capsys.readouterr().err


def test_no_model_is_called_before_somebody_agrees(
    bench: Bench, server: ChatServer, model: Model, locomo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = ("--price-in", "1", "--price-out", "1")
    monkeypatch.setattr("sys.stdin", StringIO("y\n"))
    run = bench(locomo, "--llm", server.url, *prices)
    refused(run, "add --yes")
    assert "answers by small: about 5 calls" in run.err
    assert "judge by small: about 4 calls" in run.err
    assert "expected in all: $0.0" in run.err
    monkeypatch.setattr("sys.stdin", Terminal("\n"))
    declined = bench(locomo, "--llm", server.url)
    assert (declined.code, declined.out) == (2, "")
    assert declined.err.endswith("Go on? [y/N] qa: No model was called.\n")
    assert server.requests == []
    assert not (bench.folder / "memory").exists()
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    assert bench(locomo, "--llm", server.url).code == 0
    assert len(model.answered) == 5


def test_nothing_is_fixed_before_somebody_agrees(
    bench: Bench, server: ChatServer, locomo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.models = ["small", "large"]
    asked = ("--llm", server.url, "--questions", "1")
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    assert bench(locomo, *asked, "--model", "large").code == 2
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    assert bench(locomo, *asked, "--model", "small").code == 0
    other = bench(locomo, *asked, "--model", "large")
    refused(other, "answer_model was 'small' and is now 'large'")
    assert "expected" not in other.err


def test_the_estimate_of_extraction_counts_its_calls(bench: Bench, server: ChatServer, locomo: Path) -> None:
    run = bench(locomo, "--llm", server.url, "--extractor", "llm")
    refused(run, "add --yes")
    assert "extraction by small: about 1 calls" in run.err


def test_a_damaged_journal(bench: Bench, locomo: Path) -> None:
    assert bench(locomo, "--scripted").code == 0
    answers = bench.folder / "answers.jsonl"
    lines = answers.read_text(encoding="utf-8").splitlines(keepends=True)
    answers.write_text("".join([json.dumps({"id": 1}) + "\n", *lines[1:]]), encoding="utf-8")
    refused(bench(locomo, "--scripted"), "line 1")


@pytest.mark.parametrize("name", ["settings.json", "ingested.jsonl", "answers.jsonl", "memory"])
@pytest.mark.parametrize("damage", [Path.mkdir, lambda file: file.write_bytes(b"\xff\xfe\n")])
def test_a_folder_with_something_else_in_the_place_of_a_file(
    bench: Bench, locomo: Path, name: str, damage: Callable[[Path], object]
) -> None:
    bench.folder.mkdir()
    damage(bench.folder / name)
    run = bench(locomo, "--scripted")
    if name == "memory" and (bench.folder / name).is_dir():
        assert run.code == 0
    else:
        refused(run, str(bench.folder / name))


def test_a_memory_that_was_removed(bench: Bench, locomo: Path) -> None:
    assert bench(locomo, "--scripted").code == 0
    rmtree(bench.folder / "memory")
    for _ in range(2):
        refused(
            bench(locomo, "--scripted"), "conv-0 was ingested, and the folder's memory no longer holds it"
        )
    assert not (bench.folder / "result.md").exists()


def test_an_index_that_was_removed(bench: Bench, locomo: Path) -> None:
    assert bench(locomo, "--scripted").code == 0
    rmtree(bench.folder / "memory" / "shards")
    refused(bench(locomo, "--scripted"), "no longer holds it")
