"""What a reader of a table is told of its figures."""

from __future__ import annotations

from typing import Any

import pytest

from qa_bench.results import Ingestion, Latency, Result, Row, Spent
from qa_bench.tables import SCRIPTED, markdown, notes, small_size

ROW = Row(
    category="overall",
    questions=1_540,
    failed=0,
    missing=0,
    f1=48.6,
    judge=None,
    unparsable=2,
    published=None,
)


def result(answers: str = "claude-haiku-4-5", **changes: Any) -> Result:
    ingested = Ingestion(
        conversations=10,
        messages=5_882,
        facts=4_000,
        seconds=61.4,
        failed_requests={"ExtractionFailed": 2},
        unfinished_conversations={},
    )
    spent = Spent(
        purpose="answers",
        model=answers,
        calls=1_540,
        input_tokens=3_000_000,
        output_tokens=20_000,
        estimated_calls=3,
        usd=None,
    )
    made = Result(
        benchmark="LoCoMo",
        date="2026-03-02",
        made_by={"answers": answers, "judge": answers, "facts": "rules"},
        top_k=20,
        context_tokens=2_000,
        rows=[ROW],
        published_score="F1",
        errors={},
        cut_off=0,
        ingestion=ingested,
        latency={"search": Latency(p50=61.2, p95=140.0)},
        spent=[spent],
    )
    return made.model_copy(update=changes)


@pytest.mark.parametrize(
    ("model", "size"),
    [
        ("smollm2-135m", "135m"),
        ("gemma-3-270m.q4_k_m", "270m"),
        ("Qwen2.5-0.5B-Instruct", "0.5B"),
        ("org/llama-3.2-1b:free", "1b"),
        ("llama-3.1-8b", None),
        ("gpt-4o-mini", None),
        ("us.anthropic.claude-haiku-4-5-20251001-v1:0", None),
        ("qwen2.5-32b-1m-context", None),
        (SCRIPTED, None),
        ("rules", None),
    ],
)
def test_small_models_are_known_by_their_names(model: str, size: str | None) -> None:
    assert small_size(model) == size


def test_figures_are_labelled_as_what_they_are() -> None:
    plain = notes(result())
    assert len(plain) == 1
    assert "published" in plain[0]
    assert any("a formula judges" in note for note in notes(result(SCRIPTED)))
    assert any("135m, by its name" in note for note in notes(result("smollm2-135m")))


@pytest.mark.parametrize("change", [{"failed": 1}, {"missing": 1}])
def test_a_table_with_gaps_says_so(change: dict[str, int]) -> None:
    incomplete = result(rows=[ROW.model_copy(update=change)])

    assert any(note.startswith("Incomplete") for note in notes(incomplete))
    assert not any(note.startswith("Incomplete") for note in notes(result()))


@pytest.mark.parametrize(
    ("judge", "questions", "told"),
    [(100.0, 40, True), (0.0, 40, True), (97.5, 40, False), (100.0, 3, False), (None, 40, False)],
)
def test_a_judge_that_never_differs_is_told(judge: float | None, questions: int, told: bool) -> None:
    judged = result(rows=[ROW.model_copy(update={"judge": judge, "questions": questions})])

    assert any("the same verdict" in note for note in notes(judged)) is told


def test_the_table_says_what_was_made_by_what_and_what_it_took() -> None:
    printed = markdown(result(errors={"answer: TransientError: Converse: ReadTimeoutError": 4}, cut_off=7))

    for line in (
        "**LoCoMo**, 2026-03-02: answers by claude-haiku-4-5, judge by claude-haiku-4-5, facts by rules; "
        "20 results, at most 2,000 tokens of them",
        "| overall | 1,540 | 48.60 | – | 2 | 0 | 0 | – |",
        "- Conversations ingested: 10, with 5,882 messages and 4,000 facts, in 61 s of work; "
        "requests without facts: 2 × ExtractionFailed.",
        "- Search: p50 61 ms, p95 140 ms.",
        "- Answers by `claude-haiku-4-5`: 1,540 calls, 3 of them estimated, 3,000,000 tokens in and "
        "20,000 out, at an unknown price.",
        "- Answers that ran out of tokens: 7.",
        "- Failed: 4 × answer: TransientError: Converse: ReadTimeoutError",
    ):
        assert line in printed.splitlines()


def test_a_known_price_is_in_dollars() -> None:
    spent = result().spent[0].model_copy(update={"usd": 3.4})
    assert "$3.4000" in markdown(result(spent=[spent]))
