from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aws_account import forget_account
from chat_server import ChatServer, Reply, chat_server, said

import qa

_QUESTION = re.compile(r'"question": ("(?:[^"\\]|\\.)*")')


@dataclass
class Model:
    """Answers, judges and extracts as a test says, and counts the questions that it was asked.

    `answer` and `verdict` are texts, or whole replies by question.
    """

    answer: str | Callable[[str], Reply] = "Osaka"
    verdict: str | Callable[[str], Reply] = '{"label": "CORRECT"}'
    facts: list[dict[str, Any]] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    judged: list[str] = field(default_factory=list)
    extractions: int = 0

    def __call__(self, request: dict[str, Any]) -> Reply:
        data = request["messages"][1]["content"]
        if "<messages>" in data:
            self.extractions += 1
            return said(json.dumps({"facts": self.facts}))
        (quoted,) = _QUESTION.findall(data)
        question = json.loads(quoted)
        judging = "<grading>" in data
        (self.judged if judging else self.answered).append(question)
        reply = self.verdict if judging else self.answer
        return said(reply) if isinstance(reply, str) else reply(question)


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def server(model: Model) -> Iterator[ChatServer]:
    with chat_server(model) as server:
        yield server


@dataclass(frozen=True)
class Run:
    """What a run printed, how it ended, and its result where it has one."""

    code: int
    out: str
    err: str
    result: dict[str, Any] | None

    def row(self, category: str = "overall") -> dict[str, Any]:
        assert self.result is not None
        (row,) = [row for row in self.result["rows"] if row["category"] == category]
        found: dict[str, Any] = row
        return found


class Bench:
    """`bench/qa.py` on one folder, in this process."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def __call__(self, path: Path, *arguments: str) -> Run:
        code = qa.main([str(path), "--folder", str(self.folder), *arguments])
        printed = self._capsys.readouterr()
        file = self.folder / "result.json"
        result = json.loads(file.read_text(encoding="utf-8")) if file.exists() else None
        return Run(code, printed.out, printed.err, result)

    def lines(self) -> list[dict[str, Any]]:
        content = (self.folder / "answers.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in content.splitlines()]


@pytest.fixture
def bench(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Bench:
    forget_account(monkeypatch)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return Bench(tmp_path / "run", capsys)
