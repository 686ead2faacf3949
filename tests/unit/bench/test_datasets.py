"""What of LoCoMo's and LongMemEval's files becomes a question."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from qa_files import longmemeval_instance, write_locomo

from qa_bench.cases import EvaluationError
from qa_bench.datasets import LOCOMO, LONGMEMEVAL, open_dataset


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data.json"


def written(file: Path, data: Any) -> Path:
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def test_locomo_numbers_its_categories_as_its_evaluation_does(file: Path) -> None:
    write_locomo(file, conversations=2, sessions=1)
    dataset = open_dataset(file)

    assert (dataset.benchmark, dataset.left_out) == (LOCOMO, 0)
    assert [(case.id, case.category) for case in dataset.cases[:5]] == [
        ("conv-0/1", "single-hop"),
        ("conv-0/2", "multi-hop"),
        ("conv-0/3", "temporal"),
        ("conv-0/4", "open-domain"),
        ("conv-0/5", "adversarial"),
    ]
    adversarial = dataset.cases[4]
    assert (adversarial.gold, adversarial.abstention) == ("", True)
    assert dataset.cases[0].asked_at == dataset.conversations[0].ended_at


def test_what_cannot_be_scored_is_left_out_and_counted(file: Path) -> None:
    write_locomo(file, sessions=1)
    samples = json.loads(file.read_text())
    del samples[0]["qa"][0]["category"]
    del samples[0]["qa"][1]["answer"]
    dataset = open_dataset(written(file, samples))

    assert [case.id for case in dataset.cases] == ["conv-0/3", "conv-0/4", "conv-0/5"]
    assert dataset.left_out == 2


def test_a_history_of_longmemeval_goes_by_its_dates_and_tells_nothing_of_the_evidence(file: Path) -> None:
    dataset = open_dataset(written(file, [longmemeval_instance(answer=3)]))
    (case,) = dataset.cases

    assert dataset.benchmark == LONGMEMEVAL
    assert (case.id, case.category, case.gold) == ("q1", "single-session-user", "3")
    assert case.asked_at == datetime(2023, 5, 30, 23, 40, tzinfo=UTC)
    older, newer = case.conversation.sessions
    assert older.started_at == datetime(2023, 5, 20, 2, 21, tzinfo=UTC)
    assert [turn.speaker for turn in older.turns] == ["user", "assistant"]
    assert newer.started_at > older.turns[-1].timestamp
    assert "answer" not in repr([(session.context_id, session.turns) for session in (older, newer)])


def test_abstention_is_in_the_id(file: Path) -> None:
    instances = [longmemeval_instance(), longmemeval_instance(question_id="q2_abs")]

    assert [case.abstention for case in open_dataset(written(file, instances)).cases] == [False, True]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "neither"),
        (["text"], "neither"),
        ([{"text": "x"}], "neither"),
        ({"sessions": [{"started_at": "2026-01-01T00:00:00Z", "turns": []}]}, "neither"),
        ([longmemeval_instance(), {"conversation": {}}], "neither"),
        ([{"conversation": {"session_1": []}}], "session_1"),
        ([longmemeval_instance(question_type="riddle")], r"\[0\].question_type"),
        ([longmemeval_instance(question_date="May")], r"\[0\].question_date"),
        ([longmemeval_instance(haystack_dates=["2023/05/20 (Sat) 02:21"])], r"\[0\].haystack_dates"),
        ([longmemeval_instance(haystack_sessions=[[], []])], "no words"),
        ([longmemeval_instance(), longmemeval_instance()], "'q1'"),
    ],
)
def test_another_file_is_refused_in_a_sentence(file: Path, data: Any, message: str) -> None:
    with pytest.raises(EvaluationError, match=message) as refused:
        open_dataset(written(file, data))
    assert "\n" not in str(refused.value)


def test_locomo_without_questions_is_refused(file: Path) -> None:
    write_locomo(file)
    samples = [{**sample, "qa": []} for sample in json.loads(file.read_text())]

    with pytest.raises(EvaluationError, match="no question"):
        open_dataset(written(file, samples))


@pytest.mark.parametrize("content", [b"", b"[", b"\xff\xfe\x00", b"[" * 100_000])
def test_what_is_no_json_is_refused(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(EvaluationError, match=r"data\.json is not valid JSON"):
        open_dataset(file)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(EvaluationError, match="cannot be read"):
            open_dataset(path)
