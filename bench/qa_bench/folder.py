"""A folder in which an evaluation can stop at any moment and go on: its settings, and what is done."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Generic, TypeVar

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, ValidationError

from qa_bench.cases import EvaluationError

RESULT_JSON: Final = "result.json"
RESULT_MARKDOWN: Final = "result.md"
_SETTINGS: Final = "settings.json"

_Line = TypeVar("_Line", bound=BaseModel)


class Settings(BaseModel):
    """What a figure depends on: one folder has one of each. Which questions are asked may change.

    Models are None where a script answers or rules extract.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    benchmark: str
    data: str
    version: str
    extractor: str
    extraction_model: str | None
    extraction_prompt: int | None
    extraction_tokens: int | None
    answer_model: str | None
    answer_prompt: int | None
    judge_model: str | None
    judge_prompt: int | None
    structured_output: str | None
    top_k: int
    context_tokens: int


class Journal(Generic[_Line]):
    """A file of JSON lines that grows. A line is on the disk when `append` returns."""

    def __init__(self, path: Path, model: type[_Line]) -> None:
        self._path = path
        self._model = model

    def read(self) -> list[_Line]:
        """All lines. One without an end, which a kill tore off, is removed from the file.

        Raises EvaluationError for any other line that is none of this journal's, and where the file cannot be
        read.
        """
        if not self._path.exists():
            return []
        with _told(self._path):
            whole, _, torn = self._path.read_bytes().rpartition(b"\n")
            if torn:
                os.truncate(self._path, self._path.stat().st_size - len(torn))
        lines = whole.split(b"\n") if whole else []
        return [self._parsed(number, line) for number, line in enumerate(lines, start=1)]

    def append(self, line: _Line) -> None:
        """Raises EvaluationError where it cannot be written."""
        with _told(self._path), self._path.open("ab") as file:
            file.write(line.model_dump_json().encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _parsed(self, number: int, line: bytes) -> _Line:
        try:
            return self._model.model_validate_json(line)
        except ValidationError:
            message = f"{self._path} is damaged in line {number}; remove the line, or use another --folder."
            raise EvaluationError(message) from None


@contextmanager
def held(folder: Path, settings: Settings) -> Iterator[None]:
    """Makes the folder, or goes on in it, and keeps other runs out while the block runs.

    Raises EvaluationError where another run has it, where it was begun with other settings, or where it
    cannot be used.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / ".lock", timeout=0)
        lock.acquire()
    except OSError as error:
        if isinstance(error, Timeout):
            raise EvaluationError(f"Another evaluation is at work in {folder}.") from None
        raise EvaluationError(f"{folder} cannot be written: {error.strerror}.") from None
    try:
        _compare(folder / _SETTINGS, settings)
        yield
    finally:
        lock.release()


def begin(folder: Path, settings: Settings) -> None:
    """Fixes the settings of a held folder, and removes the result of an earlier run: it is not this one's."""
    if not (folder / _SETTINGS).exists():
        replace_file(folder / _SETTINGS, settings.model_dump_json(indent=2))
    for name in (RESULT_JSON, RESULT_MARKDOWN):
        with _told(folder / name):
            (folder / name).unlink(missing_ok=True)


def _compare(file: Path, settings: Settings) -> None:
    if not file.exists():
        return
    with _told(file):
        content = file.read_bytes()
    try:
        begun = Settings.model_validate_json(content)
    except ValidationError:
        raise EvaluationError(f"{file} is not of this version; use another --folder.") from None
    differences = [
        f"{name} was {ours!r} and is now {getattr(settings, name)!r}"
        for name, ours in begun
        if ours != getattr(settings, name)
    ]
    if differences:
        found = "; ".join(differences)
        raise EvaluationError(f"{file.parent} was begun differently ({found}): use another --folder.")


def replace_file(file: Path, text: str) -> None:
    """Writes the file anew, so that it is either the old one or the new one.

    Raises EvaluationError where it cannot be written.
    """
    fresh = file.with_suffix(f"{file.suffix}.new")
    with _told(file):
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(file)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Raises EvaluationError, which names the path, for what the disk refuses."""
    try:
        yield
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read or written: {error.strerror}.") from None
