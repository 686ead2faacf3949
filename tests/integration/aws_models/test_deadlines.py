"""Clients of AWS begin no attempt that the invocation has no time for."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from model_cloud import ModelCloud

from cognis_local.model_services import Operation, Step, faults
from cognis_memory.adapters.aws.clients import aws_client
from cognis_memory.adapters.bedrock.embedder import TitanEmbedder
from cognis_memory.deadline import within
from cognis_memory.errors import CognisError, DeadlineExceeded, EmbeddingUnavailable
from cognis_memory.services.retrieval.budget import ModelBudget


@pytest.fixture
def bedrock(cloud: ModelCloud, monkeypatch: pytest.MonkeyPatch) -> ModelCloud:
    monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", cloud.url)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    return cloud


def late(step: Step, seconds: float) -> Step:
    return lambda call, responder: replace(step(call, responder), delay_seconds=seconds)


def embedder(read_seconds: float, attempts: int, **options: Any) -> TitanEmbedder:
    return TitanEmbedder(
        aws_client(
            "bedrock-runtime", connect_seconds=0.2, read_seconds=read_seconds, attempts=attempts, **options
        )
    )


def test_nothing_is_sent_that_could_not_be_waited_for(bedrock: ModelCloud) -> None:
    titan = embedder(read_seconds=5, attempts=3)
    with within(2), pytest.raises(DeadlineExceeded):
        titan.embed(["tea"])
    assert bedrock.services.calls == []

    titan.embed(["tea"])
    assert len(bedrock.services.calls) == 1


def test_a_fault_is_not_repeated_without_time_and_keeps_its_name(bedrock: ModelCloud) -> None:
    titan = embedder(read_seconds=1, attempts=3)
    bedrock.services.plan(Operation.INVOKE_MODEL, late(faults.throttled, 0.4))

    with within(1.5), pytest.raises(EmbeddingUnavailable, match="ThrottlingException"):
        titan.embed(["tea"])
    assert len(bedrock.services.calls) == 1


def test_a_pause_that_the_deadline_does_not_bear_is_not_begun(bedrock: ModelCloud) -> None:
    """A second attempt would fit, but not behind the longest pause before it."""
    titan = embedder(read_seconds=1, attempts=3)
    bedrock.services.plan(Operation.INVOKE_MODEL, faults.throttled)

    with within(2), pytest.raises(EmbeddingUnavailable, match="ThrottlingException"):
        titan.embed(["tea"])
    assert len(bedrock.services.calls) == 1


def test_texts_side_by_side_keep_to_the_same_deadline(bedrock: ModelCloud) -> None:
    titan = embedder(read_seconds=5, attempts=3)
    with within(2), pytest.raises(DeadlineExceeded):
        titan.embed(["tea", "coffee", "water"])
    assert bedrock.services.calls == []


def test_what_a_search_gives_up_is_not_repeated_behind_its_back(bedrock: ModelCloud) -> None:
    """The budget ends while the first attempt is under way: the thread that is left makes no second one."""
    titan = embedder(read_seconds=2, attempts=3, abandoned=True)
    bedrock.services.plan(Operation.INVOKE_MODEL, *[late(faults.broken, 0.9)] * 3)
    outcomes: list[CognisError | None] = []

    def embed() -> None:
        try:
            titan.embed(["tea"])
        except CognisError as error:
            outcomes.append(error)
            raise

    with ThreadPoolExecutor(1) as threads:
        started = time.monotonic()
        with pytest.raises(TimeoutError):
            ModelBudget(threads).spend(0.2, embed)
        waited = time.monotonic() - started
    assert waited < 0.9
    assert len(bedrock.services.calls) == 1
    assert isinstance(outcomes[0], EmbeddingUnavailable)
