"""Vectors and BM25 look at the same time, and each finds what the other does not."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from deployment import Deployment
from fakes import HashEmbedder

from cognis_memory.models.answers import ScoreBreakdown
from cognis_memory.models.values import FloatMatrix


def _explained(deployment: Deployment, query: str, **options: Any) -> dict[str, ScoreBreakdown]:
    results = deployment.search("ana", query, explain=True, **options).results
    return {result.memory: result.score_breakdown for result in results if result.score_breakdown}


def test_vectors_find_what_shares_no_word(deployment: Deployment) -> None:
    understanding = deployment.with_(embedder=HashEmbedder({"automobile": "car", "purchased": "bought"}))
    understanding.add("ana", ["She purchased an automobile.", "The weather is dull.", "Bread is cheap."])
    found = _explained(understanding, "Which car was bought?")

    breakdown = found["She purchased an automobile."]
    assert (breakdown.vector_rank, breakdown.bm25_rank) == (1, None)


def test_keywords_find_what_lies_behind_the_nearest_vectors(deployment: Deployment) -> None:
    deployment.settings = replace(deployment.settings, candidates=3)
    lamps = [f"The kitchen lamp hangs beside window {number}." for number in range(8)]
    deployment.add("ana", [*lamps, "Serial QX4471 stands on some machine part in another room."])
    found = _explained(deployment, "Does the kitchen lamp beside the window have QX4471?")

    (serial,) = [breakdown for text, breakdown in found.items() if "QX4471" in text]
    assert serial.vector_rank is None
    assert serial.bm25_rank is not None
    assert serial.cosine is not None
    assert serial.cosine > 0


@pytest.mark.parametrize(
    ("said", "query"),
    [
        ("先週の会議で予算が決まりました。", "予算の会議"),
        ("図書館で借りた本を返しました。", "図書館の本はどうした？"),
        ("I returned the books to the library.", "library book returning"),
    ],
)
def test_both_find_a_text_by_parts_of_its_words(deployment: Deployment, said: str, query: str) -> None:
    deployment.add("ana", [said, "天気がいいですね。", "Nothing else happened."])
    breakdown = _explained(deployment, query)[said]

    assert (breakdown.vector_rank, breakdown.bm25_rank) == (1, 1)


def test_what_both_find_comes_before_what_one_finds(deployment: Deployment) -> None:
    understanding = deployment.with_(embedder=HashEmbedder({"automobile": "car"}))
    understanding.add("ana", ["An automobile stood there.", "A car stood there."])

    assert understanding.found("ana", "car stood")[0] == "A car stood there."


def test_explain_tells_how_each_result_came_about(deployment: Deployment) -> None:
    deployment.add("ana", ["My home is Tokyo.", "What a day."])
    answer = deployment.search("ana", "home in Tokyo", explain=True)

    assert answer.stage_durations is not None
    assert {"query_analysis_ms", "vector_256d_ms", "vector_768d_ms", "bm25_ms", "rrf_fusion_ms"} <= set(
        answer.stage_durations
    )
    assert all(milliseconds >= 0 for milliseconds in answer.stage_durations.values())
    best = answer.results[0].score_breakdown
    assert best is not None
    assert best.fused is not None
    assert best.fused > 0
    plain = deployment.search("ana", "home in Tokyo")
    assert plain.stage_durations is None
    assert all(result.score_breakdown is None for result in plain.results)
    assert [result.id for result in plain.results] == [result.id for result in answer.results]


class _Meeting:
    """An embedder and an index that wait for each other."""

    def __init__(self, deployment: Deployment) -> None:
        self._embedder = deployment.embedder
        self._index = deployment.index
        self._both_called = threading.Barrier(2, timeout=20)

    @property
    def model_id(self) -> str:
        return self._embedder.model_id

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        self._both_called.wait()
        return self._embedder.embed(texts)

    def match(self, *arguments: Any, **options: Any) -> Any:
        self._both_called.wait()
        return self._index.match(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)


def test_keywords_do_not_wait_for_the_embedding(deployment: Deployment) -> None:
    deployment.add("ana", "My home is Tokyo.")
    meeting = _Meeting(deployment)
    at_once = deployment.with_(embedder=meeting, index=meeting)

    assert "My home is Tokyo." in at_once.found("ana", "home in Tokyo")
