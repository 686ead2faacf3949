"""How much is returned, in which order, and when nothing is."""

from __future__ import annotations

from typing import Any

import pytest
from deployment import Deployment

from cognis_memory.domain.settings import PAPER
from cognis_memory.models.answers import SearchResult
from cognis_memory.models.values import Kind


@pytest.fixture(scope="module")
def told(shared_deployment: Deployment) -> Deployment:
    deployment = shared_deployment
    colours = ["red", "blue", "green", "white", "black", "brown", "grey", "pink", "gold", "silver"]
    deployment.add("ana", [f"Note: owns a {colour} kite number {n}." for n, colour in enumerate(colours)])
    deployment.add("ana", ["The soup was cold.", "Trains run late in winter.", "私の趣味は釣りです。"])
    return deployment


def _search(deployment: Deployment, query: str, **options: Any) -> list[SearchResult]:
    return deployment.search("ana", query, **options).results


@pytest.mark.parametrize(
    "query",
    [
        "quantum chromodynamics lecture",
        "量子力学の講義",
        "zzz",
        "🦄🦄",
        "!!! ???",
        "the of and",
        '" OR x=y --',
        "NEAR(a b) AND *",
    ],
)
def test_what_nothing_is_known_of_gets_no_answer(told: Deployment, query: str) -> None:
    assert _search(told, query) == []


@pytest.mark.parametrize("query", ["Which kites are red?", "soup", "趣味は何ですか？", "trains in winter"])
def test_what_is_known_gets_one(told: Deployment, query: str) -> None:
    assert _search(told, query)


@pytest.mark.parametrize("query", ["red kite", "kite number 3", "趣味は釣り", "soup and trains and kites"])
def test_scores_fall_with_rank(told: Deployment, query: str) -> None:
    scores = [result.score for result in _search(told, query, top_k=50)]

    assert len(scores) > 1
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


@pytest.mark.parametrize(
    ("fact", "others", "query"),
    [
        ("My home is Tokyo.", ["Trains run late.", "The soup was cold.", "Rain fell."], "Is the home Tokyo?"),
        ("私の家は東京です。", ["電車が遅れた。", "スープが冷めた。", "雨が降った。"], "家は東京？"),
    ],
    ids=["en", "ja"],
)
def test_a_score_is_the_results_own(deployment: Deployment, fact: str, others: list[str], query: str) -> None:
    """What has nothing to do with the question stays improbable, wherever the fact's message stands."""
    deployment.add("ana", [f"Hello! {fact}", *others])
    results = _search(deployment, query, min_relevance=0)
    told, rest = results[:2], results[2:]

    assert [result.kind for result in told] == [Kind.MEMORY, Kind.MESSAGE]
    assert len(rest) == len(others)
    assert min(result.score for result in told) > 0.5 > 0.3 > max(result.score for result in rest)
    assert _search(deployment, query, min_relevance=0.5) == told


@pytest.mark.parametrize(
    ("fact", "asked", "query"),
    [
        ("My home is Tokyo.", "Is my home in Paris?", "Where is my home?"),
        ("私の家は東京です。", "私の家はどこだっけ？", "私の家はどこ？"),
    ],
    ids=["en", "ja"],
)
def test_what_was_asked_before_comes_after_what_was_told(
    deployment: Deployment, fact: str, asked: str, query: str
) -> None:
    deployment.add("ana", asked, context_id="asked")
    deployment.add("ana", fact, context_id="told")
    first, *others = _search(deployment, query, min_relevance=0)

    assert first.kind is Kind.MEMORY
    assert sorted(result.memory for result in others) == sorted([fact, asked])


@pytest.mark.parametrize("top_k", [1, 2, 5, 13])
def test_top_k_cuts_the_same_list_shorter(told: Deployment, top_k: int) -> None:
    everything = [result.id for result in _search(told, "red kite", top_k=100)]
    assert [result.id for result in _search(told, "red kite", top_k=top_k)] == everything[:top_k]


def test_top_k_does_not_decide_whether_anything_is_known(deployment: Deployment) -> None:
    """With the paper's settings the time asked about outweighs what is asked."""
    deployment.settings = PAPER
    for day, content in (("01-12", "The volcano erupts."), ("03-12", "The soup was cold.")):
        said = {"role": "user", "content": content, "timestamp": f"2026-{day}T10:00:00Z"}
        deployment.add("ana", said, context_id=day)
    query = "What did the volcano do in March?"
    everything = [result.id for result in _search(deployment, query)]

    assert len(everything) == 2
    assert [result.id for result in _search(deployment, query, top_k=1)] == everything[:1]


def test_min_relevance_leaves_out_what_scores_less(told: Deployment) -> None:
    everything = [result.id for result in _search(told, "red kite", top_k=100, min_relevance=0)]
    kept = {least: _search(told, "red kite", top_k=100, min_relevance=least) for least in (0.1, 0.5, 0.9)}

    for least, results in kept.items():
        assert all(result.score >= least for result in results)
        assert [result.id for result in results] == [
            id_ for id_ in everything if id_ in {result.id for result in results}
        ]
    assert len(everything) > len(kept[0.1]) > len(kept[0.9]) > 0


def test_min_relevance_takes_the_place_of_the_threshold(told: Deployment) -> None:
    assert _search(told, "quantum chromodynamics lecture", min_relevance=0)
    assert _search(told, "quantum chromodynamics lecture", min_relevance=0.5) == []
    assert _search(told, "red kite", min_relevance=1) == []


def test_near_duplicates_answer_once(deployment: Deployment) -> None:
    deployment.add("ana", "The lighthouse keeper paints seagulls.", context_id="one")
    deployment.add("ana", "the lighthouse keeper paints seagulls", context_id="two")
    deployment.add("ana", "The lighthouse keeper paints seagulls at night.", context_id="three")

    assert len(deployment.found("ana", "lighthouse keeper seagulls")) == 2


def test_a_memory_comes_before_the_message_it_was_made_of(deployment: Deployment) -> None:
    deployment.add("ana", "By the way, while we talk. My home is Tokyo. And how are you?")
    kinds = [result.kind for result in _search(deployment, "Where is the home?")]

    assert kinds == [Kind.MEMORY, Kind.MESSAGE]


def test_what_the_named_person_said_comes_first(deployment: Deployment) -> None:
    for speaker in ("Bob", "Ana", "Cleo"):
        said = {
            "role": "user",
            "content": f"The harbour smells of {speaker[0]}tar today.",
            "speaker": speaker,
        }
        deployment.add("ana", said, context_id=speaker)

    assert _search(deployment, "What did Ana say of the harbour smell?")[0].speaker == "Ana"
    assert _search(deployment, "What did Cleo say of the harbour smell?")[0].speaker == "Cleo"


def test_the_same_query_is_answered_the_same(told: Deployment) -> None:
    first, second = (_search(told, "kite", top_k=100) for _ in range(2))
    assert first == second
