"""From a file to a table, with a model behind a server of OpenAI's API."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from chat_server import ChatServer, Reply, said
from qa_files import write_locomo, write_longmemeval

from .conftest import Bench, Model


@pytest.fixture
def locomo(tmp_path: Path) -> Path:
    file = tmp_path / "locomo.json"
    assert write_locomo(file, sessions=1) == 5
    return file


@pytest.fixture
def longmemeval(tmp_path: Path) -> Path:
    file = tmp_path / "longmemeval.json"
    write_longmemeval(file)
    return file


def test_every_question_is_answered_from_what_was_found_and_judged(
    bench: Bench, server: ChatServer, model: Model, locomo: Path
) -> None:
    model.answer = "Two concert tickets"
    run = bench(locomo, "--llm", server.url, "--yes", "--price-in", "2", "--price-out", "10")

    assert run.code == 0
    assert len(model.answered) == 5
    assert sorted(model.judged) == sorted(set(model.answered) - {"Why did Jonas sell his boat in Bergen?"})
    assert (run.row("single-hop")["f1"], run.row("single-hop")["published"]) == (100, 48.66)
    assert (run.row("adversarial")["f1"], run.row("adversarial")["judge"]) == (0, None)
    assert (run.row()["questions"], run.row()["judge"], run.row()["failed"]) == (4, 100, 0)
    assert run.result is not None
    answers, judge = run.result["spent"]
    assert (answers["calls"], answers["input_tokens"], answers["output_tokens"]) == (5, 4_500, 200)
    assert answers["usd"] == pytest.approx((4_500 * 2 + 200 * 10) / 1e6)
    assert (judge["purpose"], judge["calls"], judge["model"]) == ("judge", 4, "small")
    assert {"search", "answer", "judge"} == set(run.result["latency"])
    assert "| single-hop | 1 | 100.00 | 100.00 | 0 | 0 | 0 | 48.66 |" in run.out
    assert run.out == (bench.folder / "result.md").read_text(encoding="utf-8")
    prompts = [request["messages"][1]["content"] for request in server.requests]
    assert any("I bought two concert tickets" in prompt for prompt in prompts)
    forms = [
        request["response_format"]["type"] for request in server.requests if "response_format" in request
    ]
    assert forms == ["json_schema"] * 4


def test_a_model_extracts_through_the_adapter_for_bedrock(
    bench: Bench, server: ChatServer, model: Model, locomo: Path
) -> None:
    fact = {"operation": "ADD", "label": None, "message": 1, "content": "Jonas owns two concert tickets"}
    fact |= {"category": "hobbies", "subject": "Jonas", "slot": None, "from": None, "to": None}
    model.facts = [fact | {"lapses": False, "retracts": False}]
    run = bench(locomo, "--llm", server.url, "--extractor", "llm", "--yes")

    assert run.code == 0
    assert run.result is not None
    assert run.result["made_by"]["facts"] == "small"
    assert (run.result["ingestion"]["facts"], run.result["ingestion"]["messages"]) == (1, 4)
    extraction = run.result["spent"][0]
    assert (extraction["purpose"], extraction["calls"]) == ("extraction", model.extractions)
    assert any("Jonas owns two" in json.dumps(request["messages"]) for request in server.requests)


def test_a_script_may_answer_what_a_model_extracted(
    bench: Bench, server: ChatServer, model: Model, locomo: Path
) -> None:
    run = bench(locomo, "--llm", server.url, "--extractor", "llm", "--scripted", "--yes")

    assert run.code == 0
    assert (model.answered, model.judged) == ([], [])
    assert model.extractions >= 1


def test_longmemeval_is_judged_by_its_types_and_asked_at_its_date(
    bench: Bench, server: ChatServer, model: Model, longmemeval: Path
) -> None:
    model.verdict = lambda question: said("no" if "violin" in question else "yes")
    run = bench(longmemeval, "--llm", server.url, "--yes")

    assert run.code == 0
    assert sorted(model.judged) == sorted(model.answered)
    assert (run.row()["judge"], run.row()["published"], run.row()["f1"]) == (66.67, 89.2, None)
    assert run.row("of these, abstention")["judge"] == 0
    assert run.row("knowledge-update")["judge"] == 100
    prompts = [request["messages"][1]["content"] for request in server.requests]
    asked = [prompt for prompt in prompts if "<memories>" in prompt]
    assert all('"asked_at": "2023-05-30 23:40, Tuesday"' in prompt for prompt in asked)
    assert any("I play the cello" in prompt for prompt in asked)
    assert any("陶芸を習っています" in prompt for prompt in asked)


def test_a_verdict_out_of_form_is_counted_and_not_correct(
    bench: Bench, server: ChatServer, model: Model, locomo: Path
) -> None:
    model.verdict = "I would say CORRECT."
    run = bench(locomo, "--llm", server.url, "--yes")

    assert run.code == 0
    assert (run.row()["judge"], run.row()["unparsable"]) == (0, 4)


def test_an_answer_that_is_no_unicode_text_is_kept_and_scored(
    bench: Bench, server: ChatServer, model: Model, locomo: Path
) -> None:
    model.answer = "concert tickets \ud83c"
    run = bench(locomo, "--llm", server.url, "--yes")

    assert run.code == 0
    assert {line["answer"] for line in bench.lines()} == {"concert tickets ?"}


def test_tokens_that_no_server_counts_are_estimated_and_said_so(
    bench: Bench, server: ChatServer, model: Model, locomo: Path
) -> None:
    model.answer = lambda question: said("Osaka", counted=False, reason="length")
    run = bench(locomo, "--llm", server.url, "--yes")

    assert run.result is not None
    answers, judge = run.result["spent"]
    assert (answers["estimated_calls"], judge["estimated_calls"]) == (5, 0)
    assert answers["input_tokens"] > 100
    assert answers["usd"] is None
    assert run.result["cut_off"] == 5


def test_a_throttled_call_is_repeated(bench: Bench, server: ChatServer, model: Model, locomo: Path) -> None:
    refused: set[str] = set()

    def once_throttled(question: str) -> Reply:
        if question in refused:
            return said("Osaka")
        refused.add(question)
        return 429, {"error": {"message": "busy"}}

    model.answer = once_throttled
    run = bench(locomo, "--llm", server.url, "--yes", "--questions", "2")

    assert (run.code, run.row()["failed"], len(model.answered)) == (0, 0, 4)


def test_a_sample_of_some_categories(bench: Bench, server: ChatServer, model: Model, tmp_path: Path) -> None:
    file = tmp_path / "locomo.json"
    write_locomo(file, conversations=2, sessions=3)
    chosen = ("--categories", "temporal, adversarial", "--questions", "4", "--limit", "1")
    run = bench(file, "--llm", server.url, "--yes", *chosen)

    assert run.result is not None
    assert [row["category"] for row in run.result["rows"]] == ["temporal", "adversarial", "overall"]
    assert (run.row("temporal")["questions"], run.row("adversarial")["questions"]) == (2, 2)
    assert run.result["ingestion"]["conversations"] == 1
    assert len(model.answered) == 4
