"""What a stack extracts with, as its functions find it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from aws_account import forget_account
from chats import asking

from cognis_local.models.process import stop_model_process
from cognis_local.provider import LANGUAGE_MODEL_VARIABLE, local_models
from cognis_local.stack.errors import StackError
from cognis_local.stack.language_model import DEFAULT_MODEL, FAULTS, MISBEHAVING, running_language_model
from cognis_memory.domain.prompt_injection import is_injection
from cognis_memory.errors import TransientError
from cognis_memory.models.extraction import ExtractedFact, ExtractionRequest
from cognis_memory.ports import Extractor


@pytest.fixture(autouse=True)
def account(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_account(monkeypatch)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "x")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")


@pytest.fixture
def models_folder(tmp_path: Path) -> Iterator[Path]:
    """Of a model process that ends with the test."""
    yield tmp_path
    stop_model_process(tmp_path)


def test_without_one_the_rules_extract(tmp_path: Path) -> None:
    with running_language_model(None, DEFAULT_MODEL, tmp_path) as variables:
        assert variables == {}
        assert (
            local_models({**variables, "COGNIS_MODELS_FOLDER": str(tmp_path)}).extractor.chunk_messages == 1
        )


@pytest.mark.parametrize("llm", ["gpt", "127.0.0.1:8000", "ftp://127.0.0.1"])
def test_what_is_no_url_is_refused(tmp_path: Path, llm: str) -> None:
    with pytest.raises(StackError, match="http://"), running_language_model(llm, DEFAULT_MODEL, tmp_path):
        pass


def test_whatever_a_misbehaving_model_does_the_rules_facts_come_out(models_folder: Path) -> None:
    folder = {"COGNIS_MODELS_FOLDER": str(models_folder)}
    contents = ("I live in Osaka.", "犬を飼っています。")
    rules = local_models(folder).extractor
    by_rules = [fact.content for content in contents for fact in rules.extract(asking(content)).facts]
    with running_language_model(MISBEHAVING, DEFAULT_MODEL, models_folder) as variables:
        assert variables.keys() == {LANGUAGE_MODEL_VARIABLE}
        extractor = local_models({**folder, **variables}).extractor
        found = [extracted(extractor, asking(*contents)) for _ in FAULTS]

    assert len(by_rules) == 2
    for facts in found:
        assert [fact.content for fact in facts if not is_injection(fact.content)] == by_rules


def extracted(extractor: Extractor, request: ExtractionRequest) -> tuple[ExtractedFact, ...]:
    """As the state machine repeats a state."""
    for _ in range(3):
        with suppress(TransientError):
            return extractor.extract(request).facts
    raise AssertionError("unavailable three times in a row")
