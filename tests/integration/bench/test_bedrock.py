"""Answers by Bedrock: signed calls of Converse, with the account of the environment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from chat_server import ChatServer
from qa_files import write_locomo

from cognis_local.model_services import ModelServices, Operation, faults, serving
from cognis_local.model_services.openai_bridge import OpenAIBridge
from qa_bench.options import BEDROCK_MODEL

from .conftest import Bench, Model


@pytest.fixture
def bedrock(server: ChatServer, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServices]:
    """Stands where the environment says that Bedrock is, once the account of this machine is forgotten."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    services = ModelServices({Operation.CONVERSE: OpenAIBridge(server.url)})
    with serving(services) as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", url)
        yield services


@pytest.fixture
def locomo(tmp_path: Path) -> Path:
    file = tmp_path / "locomo.json"
    write_locomo(file, sessions=1)
    return file


def test_each_purpose_has_its_model_and_the_dated_list_its_price(
    bench: Bench, bedrock: ModelServices, model: Model, locomo: Path
) -> None:
    run = bench(locomo, "--bedrock", "--yes", "--judge-model", "eu.judge-v1:0", "--extractor", "llm")

    assert run.code == 0
    assert run.result is not None
    extraction, answers, judge = run.result["spent"]
    assert [each["model"] for each in (extraction, answers, judge)] == [
        BEDROCK_MODEL,
        BEDROCK_MODEL,
        "eu.judge-v1:0",
    ]
    assert answers["usd"] == pytest.approx((4_500 * 1.10 + 200 * 5.50) / 1e6)
    assert judge["usd"] is None
    targets = [call.target for call in bedrock.calls]
    assert (targets.count("eu.judge-v1:0"), set(targets)) == (4, {BEDROCK_MODEL, "eu.judge-v1:0"})
    assert all("/eu-central-1/bedrock/" in call.headers["Authorization"] for call in bedrock.calls)


def test_verdicts_are_free_text_where_the_model_takes_no_form(
    bench: Bench, bedrock: ModelServices, locomo: Path
) -> None:
    run = bench(locomo, "--bedrock", "--yes", "--structured-output", "tool")

    assert (run.code, run.row()["judge"]) == (0, 100)
    assert not any("outputConfig" in call.json for call in bedrock.calls)


@pytest.mark.parametrize("extractor", ["rules", "llm"])
def test_a_model_that_may_not_be_called_ends_the_run_at_once(
    bench: Bench, bedrock: ModelServices, model: Model, locomo: Path, extractor: str
) -> None:
    bedrock.plan(Operation.CONVERSE, *[faults.failing(403, "AccessDeniedException")] * 20)
    run = bench(locomo, "--bedrock", "--yes", "--extractor", extractor, "--concurrency", "1")

    assert (run.code, run.result) == (2, None)
    assert run.err.splitlines()[-1].startswith("qa: ")
    assert len(bedrock.calls) <= 2
    assert not (bench.folder / "answers.jsonl").exists()


def test_what_a_filter_stops_is_a_failed_question(bench: Bench, bedrock: ModelServices, locomo: Path) -> None:
    bedrock.plan(Operation.CONVERSE, faults.stopping("content_filtered"))
    run = bench(locomo, "--bedrock", "--yes", "--concurrency", "1")

    assert run.code == 1
    assert run.result is not None
    assert run.result["errors"] == {"answer: PermanentError: Converse: content_filtered": 1}
