"""A folder that outlives whoever writes to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from qa_bench.cases import EvaluationError
from qa_bench.folder import Journal, Settings, begin, held, replace_file

LINES = st.lists(st.text(max_size=20), min_size=1, max_size=5)


class Line(BaseModel):
    text: str


SETTINGS = Settings(
    benchmark="LoCoMo",
    data="digest",
    version="1",
    extractor="rules",
    extraction_model=None,
    extraction_prompt=None,
    extraction_tokens=None,
    answer_model="small",
    answer_prompt=1,
    judge_model="small",
    judge_prompt=1,
    structured_output="text_format",
    top_k=20,
    context_tokens=2_000,
)


@given(texts=LINES, data=st.data())
def test_wherever_a_write_is_torn_the_lines_before_it_stay(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], data: st.DataObject
) -> None:
    file = tmp_path_factory.mktemp("journal") / "lines.jsonl"
    journal = Journal(file, Line)
    for text in texts:
        journal.append(Line(text=text))
    content = file.read_bytes()
    kept = data.draw(st.integers(0, len(content)))
    file.write_bytes(content[:kept])

    whole = content[:kept].count(b"\n")
    assert [line.text for line in journal.read()] == texts[:whole]
    journal.append(Line(text="later"))
    assert [line.text for line in journal.read()] == [*texts[:whole], "later"]


def test_a_damaged_line_in_the_middle_is_told(tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text('{"text": "one"}\n{"text": 2}\n{"text": "three"}\n')

    with pytest.raises(EvaluationError, match="line 2"):
        Journal(file, Line).read()


def test_a_full_disk_is_told_with_the_file(tmp_path: Path) -> None:
    full, result = tmp_path / "lines.jsonl", tmp_path / "result.md"
    full.symlink_to("/dev/full")
    result.with_suffix(".md.new").symlink_to("/dev/full")
    with pytest.raises(EvaluationError, match=r"lines\.jsonl cannot be .*: No space left on device"):
        Journal(full, Line).append(Line(text="one"))
    with pytest.raises(EvaluationError, match=r"result\.md cannot be .*: No space left on device"):
        replace_file(result, "text")
    assert not result.exists()


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.mkdir()
    with pytest.raises(EvaluationError, match=r"lines\.jsonl cannot be"):
        Journal(file, Line).read()


def test_what_nobody_began_binds_nobody(tmp_path: Path) -> None:
    with held(tmp_path, SETTINGS):
        pass
    with held(tmp_path, SETTINGS.model_copy(update={"top_k": 5})):
        pass


def test_a_run_that_begins_leaves_no_earlier_result(tmp_path: Path) -> None:
    for name in ("result.json", "result.md", "answers.jsonl"):
        (tmp_path / name).touch()
    begin(tmp_path, SETTINGS)
    assert {file.name for file in tmp_path.iterdir()} == {"answers.jsonl", "settings.json"}


def test_the_same_settings_go_on_and_others_are_refused(tmp_path: Path) -> None:
    for _ in range(2):
        with held(tmp_path, SETTINGS):
            begin(tmp_path, SETTINGS)
    other = SETTINGS.model_copy(update={"top_k": 5, "answer_model": "large"})
    with pytest.raises(EvaluationError, match="answer_model was 'small' and is now 'large'; top_k was 20"):  # noqa: SIM117
        with held(tmp_path, other):
            pass


def test_two_at_once_are_one_too_many(tmp_path: Path) -> None:
    with held(tmp_path, SETTINGS), pytest.raises(EvaluationError, match="at work"):  # noqa: SIM117
        with held(tmp_path, SETTINGS):
            pass
    with held(tmp_path, SETTINGS):
        pass


@pytest.mark.parametrize("content", [b"{}", b"", b"\xff"])
def test_settings_of_another_version_are_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "settings.json").write_bytes(content)
    with pytest.raises(EvaluationError, match="version"), held(tmp_path, SETTINGS):
        pass


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EvaluationError, match="cannot be written"), held(tmp_path / "file", SETTINGS):
        pass
