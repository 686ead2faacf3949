"""A model that is slow or down is left out, and the answer says so."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from deployment import Deployment, owner_of
from fakes import Failing, OverlapReranker

from cognis_memory.errors import (
    CognisError,
    EmbeddingFailed,
    EmbeddingUnavailable,
    IndexUnavailable,
    LedgerUnavailable,
    PermanentError,
    RerankUnavailable,
)
from cognis_memory.services.retrieval.budget import ModelBudget

QUERY = "home in Tokyo with rain"


@pytest.fixture
def told(deployment: Deployment) -> Deployment:
    deployment.add("ana", ["My home is Tokyo.", "Rain drums on the roof of my home."], context_id="one")
    deployment.add("ana", "What a day.", context_id="two")
    return deployment


def test_nothing_is_degraded_when_all_is_well(told: Deployment) -> None:
    assert told.with_(reranker=OverlapReranker()).search("ana", QUERY).degraded == []


def test_a_failing_reranker_leaves_the_order_so_far(told: Deployment) -> None:
    failing = Failing(OverlapReranker(), RerankUnavailable("slow"))
    answer = told.with_(reranker=failing).search("ana", QUERY)

    assert failing.calls == 1
    assert answer.degraded == ["rerank"]
    refused = Failing(OverlapReranker(), PermanentError("access denied"))
    assert told.with_(reranker=refused).search("ana", QUERY).degraded == ["rerank"]
    assert [result.id for result in answer.results] == [
        result.id for result in told.search("ana", QUERY).results
    ]


@pytest.mark.parametrize(
    "error", [EmbeddingUnavailable("down"), EmbeddingFailed("too long"), PermanentError("access denied")]
)
def test_without_a_vector_keywords_answer_alone(told: Deployment, error: CognisError) -> None:
    answer = told.with_(embedder=Failing(told.embedder, error)).search("ana", QUERY, explain=True)

    assert answer.degraded == ["vector"]
    assert "My home is Tokyo." in [result.memory for result in answer.results]
    assert "What a day." not in [result.memory for result in answer.results]
    for result in answer.results:
        assert result.score_breakdown is not None
        assert result.score_breakdown.vector_rank is None
        assert result.score_breakdown.bm25_rank is not None


def test_a_slow_model_is_not_waited_for(told: Deployment) -> None:
    done = threading.Event()
    with ThreadPoolExecutor(2) as executor:
        budget = ModelBudget(executor, embedding=0.05, reranking=0.05)
        slow = told.with_(budget=budget, embedder=Slow(told.embedder, done), reranker=OverlapReranker())
        without_vectors = slow.search("ana", QUERY)
        slow = told.with_(budget=budget, reranker=Slow(OverlapReranker(), done))
        without_reranker = slow.search("ana", QUERY)
        done.set()

    assert (without_vectors.degraded, without_reranker.degraded) == (["vector"], ["rerank"])
    assert without_vectors.results
    assert [result.id for result in without_reranker.results] == [
        result.id for result in told.search("ana", QUERY).results
    ]


def test_models_within_their_budget_are_heard(told: Deployment) -> None:
    with ThreadPoolExecutor(1) as executor:
        budget = ModelBudget(executor, embedding=60, reranking=60)
        answer = told.with_(budget=budget, reranker=OverlapReranker()).search("ana", QUERY)

    assert answer.degraded == []
    assert answer.results == told.with_(reranker=OverlapReranker()).search("ana", QUERY).results


def test_both_models_down(told: Deployment) -> None:
    answer = told.with_(
        embedder=Failing(told.embedder, EmbeddingUnavailable("down")),
        reranker=Failing(OverlapReranker(), RerankUnavailable("down")),
    ).search("ana", QUERY)

    assert answer.degraded == ["vector", "rerank"]
    assert answer.results


def test_each_model_is_named_once_though_the_search_began_again(told: Deployment) -> None:
    told.index.drop(owner_of("ana"))
    answer = told.with_(embedder=Failing(told.embedder, EmbeddingUnavailable("down"))).search("ana", QUERY)

    assert answer.degraded == ["vector"]
    assert answer.results


def test_a_reranker_that_is_not_asked_for_is_not_called(told: Deployment) -> None:
    reranker = Failing(OverlapReranker(), RerankUnavailable("down"))
    answer = told.with_(reranker=reranker).search("ana", QUERY, rerank=False)

    assert (reranker.calls, answer.degraded) == (0, [])


def test_the_reranker_decides_when_the_settings_say_so(told: Deployment) -> None:
    told.settings = replace(told.settings, rerank_share=1.0, neighbour_gain=0.0, demote_covered=False)
    answer = told.with_(reranker=OverlapReranker()).search("ana", "roof rain drums", explain=True)

    assert answer.results[0].memory == "Rain drums on the roof of my home."
    scores = [result.score_breakdown.rerank for result in answer.results if result.score_breakdown]
    assert scores == sorted(scores, key=lambda score: -(score or 0.0))


def test_it_reads_no_more_than_its_depth(told: Deployment) -> None:
    told.settings = replace(told.settings, rerank_depth=2)
    answer = told.with_(reranker=OverlapReranker()).search("ana", QUERY, explain=True)

    read = [r for r in answer.results if r.score_breakdown and r.score_breakdown.rerank is not None]
    assert len(read) == 2
    assert len(answer.results) > 2


class Slow:
    """A model that answers once `done` is set."""

    def __init__(self, model: object, done: threading.Event) -> None:
        self._model = model
        self._done = done

    def __getattr__(self, name: str) -> object:
        if name in ("embed", "rerank"):
            self._done.wait(timeout=60)
        return getattr(self._model, name)


class _Down:
    """A store of which nothing can be read."""

    def __init__(self, error: CognisError) -> None:
        self._error = error

    def __getattr__(self, name: str) -> object:
        raise self._error


@pytest.mark.parametrize(
    ("port", "error"), [("index", IndexUnavailable("down")), ("ledger", LedgerUnavailable("down"))]
)
def test_without_a_store_there_is_no_answer(told: Deployment, port: str, error: CognisError) -> None:
    with pytest.raises(type(error)):
        told.with_(**{port: _Down(error)}).search("ana", QUERY)
