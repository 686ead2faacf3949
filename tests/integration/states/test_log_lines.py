"""What a deployment writes about its work: complete, and without a word of its users."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from fakes import Failing

from cognis_memory.errors import (
    EmbeddingUnavailable,
    ExtractionFailed,
    InvalidInput,
    LedgerUnavailable,
    SecretUnavailable,
    UnexpectedError,
)
from cognis_memory.models.requests import SearchRequest, read_request
from cognis_memory.models.values import Owner
from cognis_memory.runtime.metrics import NAMESPACE, Metric
from cognis_memory.runtime.retrieval import STAGES, observed_context, observed_search
from cognis_memory.services.ingestion.state import IngestionPorts

from .conftest import TENANT, Stage

USER = "quokka@zanzibar.example"
WORDS = ("quokka", "zanzibar", "Tokyo", "東京", "spoon")


def search(stage: Stage, query: str, **options: Any) -> None:
    request = read_request(SearchRequest, {"user_id": USER, "query": query, **options})
    observed_search(stage.deployment, Owner(TENANT, USER), request, request_id="req-1")


def named(lines: list[Mapping[str, Any]], message: str) -> list[Mapping[str, Any]]:
    return [line for line in lines if line.get("message") == message]


def metrics_of(lines: list[Mapping[str, Any]]) -> dict[str, float]:
    """All values by name; checks what every metric has in common."""
    values = {}
    for line in lines:
        if "_aws" in line:
            (directive,) = line["_aws"]["CloudWatchMetrics"]
            assert directive["Namespace"] == NAMESPACE
            assert directive["Dimensions"] == [["service"]]
            assert line["service"] == "cognis-test"
            names = {metric["Name"] for metric in directive["Metrics"]}
            assert set(line) == {"_aws", "service", *names}
            assert names <= set(Metric)
            values |= {name: line[name][0] for name in names}
    return values


def test_a_search_says_what_each_stage_took_and_found(stage: Stage) -> None:
    stage.tell(USER, "My home is Tokyo.", "What a day.")
    stage.lines()
    search(stage, "Where was my home on 3 May 2026?", rerank=False)
    lines = stage.lines()
    (line,) = named(lines, "memory_retrieval")

    assert line["request_id"] == "req-1"
    assert line["tenant"] == TENANT
    assert set(STAGES) <= set(line["stage_durations"])
    assert line["stage_durations"]["cross_encoder_ms"] == 0
    for ran in ("query_analysis_ms", "vector_256d_ms", "vector_768d_ms", "bm25_ms", "rrf_fusion_ms"):
        assert line["stage_durations"][ran] > 0
    assert line["duration_ms"] >= line["stage_durations"]["bm25_ms"]
    assert (line["candidates_256d"], line["candidates_768d"]) == (3, 3)
    assert line["results_final"] >= 1
    assert line["temporal_query"] is True
    assert line["degraded"] == []
    assert "error" not in line
    assert metrics_of(lines)["SearchResults"] == line["results_final"]
    assert metrics_of(lines)["SearchLatency"] == line["duration_ms"]


def test_a_search_that_finds_nothing_has_every_field_all_the_same(stage: Stage) -> None:
    search(stage, "home")
    (line,) = named(stage.lines(), "memory_retrieval")

    assert set(STAGES) <= set(line["stage_durations"])
    assert (line["candidates_256d"], line["candidates_768d"], line["results_final"]) == (0, 0, 0)
    assert line["temporal_query"] is False


def test_what_was_left_out_is_named(stage: Stage) -> None:
    stage.tell(USER, "My home is Tokyo.")
    stage.embedder.model = Failing(stage.embedder.model, EmbeddingUnavailable("slow"))
    stage.lines()
    search(stage, "home")
    lines = stage.lines()

    assert named(lines, "memory_retrieval")[0]["degraded"] == ["vector"]
    assert metrics_of(lines)["SearchDegraded"] == 1


def test_a_context_has_its_line_too(stage: Stage) -> None:
    stage.tell(USER, "My home is Tokyo.")
    stage.lines()
    request = read_request(SearchRequest, {"user_id": USER, "query": "home"})
    answer = observed_context(stage.deployment, Owner(TENANT, USER), request, request_id="req-2")
    (line,) = named(stage.lines(), "memory_retrieval")

    assert "Tokyo" in answer.text
    assert (line["route"], line["results_final"]) == ("context", 2)


@pytest.mark.parametrize(
    ("error", "code", "failed"),
    [
        (LedgerUnavailable("GetItem: ThrottlingException"), "LedgerUnavailable", 1),
        (InvalidInput("no such operator"), "InvalidInput", 0),
        (ValueError("My home is Tokyo."), "UnexpectedError", 1),
    ],
)
def test_a_search_that_fails_is_logged_with_its_error(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, error: Exception, code: str, failed: int
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(stage.deployment.index, "match", refuse)
    stage.lines()
    with pytest.raises(UnexpectedError if code == "UnexpectedError" else type(error)):
        search(stage, "home")
    lines = stage.lines()

    assert named(lines, "memory_retrieval")[0]["error"] == code
    assert metrics_of(lines).get("SearchFailed", 0) == failed
    assert "Tokyo" not in str(lines)


def test_an_ingestion_says_how_it_ended(stage: Stage) -> None:
    stage.tell(USER, "My home is Tokyo.")
    stage.lines()
    stage.tell(USER, "My home is Kyoto.", "My job is baker.", "My home is Kyoto.", "Forget my job.")
    lines = stage.lines()
    (line,) = named(lines, "memory_ingestion")

    assert line["status"] == "SUCCEEDED"
    assert line["messages"] == 4
    assert line["operations"] == {"ADD": 1, "UPDATE": 1, "DELETE": 1, "NONE": 1}
    assert "error" not in line
    assert metrics_of(lines) == {
        "IngestionFailed": 0,
        "IngestionSucceeded": 1,
        "IngestionDuration": line["duration_ms"],
        "MemoriesAdded": 1,
        "MemoriesUpdated": 1,
        "MemoriesRetracted": 1,
    }
    states = named(lines, "state")
    assert [state["state"] for state in states] == [
        "StoreMessages",
        "ResolveSpeakersAndDates",
        "AcquireUserLease",
        "ExtractMemories",
        "EmbedAndCommitMemories",
        "ReleaseUserLease",
    ]
    assert all(state["duration_ms"] > 0 and state["event_id"] == line["event_id"] for state in states)


def test_an_ingestion_that_failed_names_the_error(stage: Stage) -> None:
    stage.extractor.model = Failing(stage.extractor.model, ExtractionFailed("the answer is no JSON"))
    stage.tell(USER, "My home is Tokyo.")
    lines = stage.lines()
    (line,) = named(lines, "memory_ingestion")

    assert (line["status"], line["error"]) == ("FAILED", "ExtractionFailed")
    assert metrics_of(lines)["IngestionFailed"] == 1
    (state,) = [state for state in named(lines, "state") if state.get("error")]
    assert (state["state"], state["error"]) == ("ExtractMemories", "ExtractionFailed")


def test_who_waits_is_counted_and_an_erasure_says_how_it_ended(stage: Stage) -> None:
    stage.post(USER, "My home is Tokyo.").until("ExtractMemories")
    stage.post(USER, "My home is Kyoto.").until("WaitForLease")
    assert metrics_of(stage.lines())["LeaseWaits"] == 1
    stage.request_erasure(USER).finish()
    lines = stage.lines()

    (line,) = named(lines, "memory_erasure")
    assert line["counts"]["messages"] == 2
    assert metrics_of(lines) == {"ErasureSucceeded": 1}


def test_no_word_and_no_name_of_a_user_is_written(stage: Stage) -> None:
    stage.tell(USER, "My home is Tokyo.", "私の家は東京です。", "My spoon is zanzibar.")
    stage.extractor.model = Failing(stage.extractor.model, ExtractionFailed("no"), times=1)
    stage.tell(USER, "My spoon is Tokyo.")
    search(stage, "spoon Tokyo 東京", explain=True)
    stage.request_erasure(USER).finish()
    written = stage.capture.readouterr()

    assert written.out.count("\n") > 10
    assert not [word for word in WORDS if word.lower() in f"{written.out}{written.err}".lower()]


def test_a_user_is_one_hash_in_all_lines_and_another_user_another(stage: Stage) -> None:
    stage.tell(USER, "My home is Tokyo.")
    search(stage, "home")
    stage.tell("bob", "My home is Nara.")
    lines = stage.lines()
    ingestions, (retrieval,) = named(lines, "memory_ingestion"), named(lines, "memory_retrieval")

    assert ingestions[0]["user"] == retrieval["user"]
    assert ingestions[1]["user"] != retrieval["user"]


def test_without_the_key_a_line_names_nobody_and_the_work_goes_on(stage: Stage) -> None:
    def no_key(owner: Owner) -> str:
        raise SecretUnavailable("GetSecretValue: ThrottlingException")

    stage.deployment.user_hash = no_key
    search(stage, "home")
    lines = stage.lines()

    assert "user" not in named(lines, "memory_retrieval")[0]
    assert named(lines, "log_key_unavailable")[0]["error"] == "SecretUnavailable"


def test_ports_are_opened_once(stage: Stage) -> None:
    opened = stage.deployment

    assert isinstance(opened.ingestion, IngestionPorts)
    assert opened.ingestion is opened.ingestion
    assert opened.ingestion.ledger is opened.retrieval.ledger is opened.memories.ledger
    assert opened.ingestion.vectors is opened.retrieval.keywords
