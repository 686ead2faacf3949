from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.fusion import fuse
from cognis_memory.domain.settings import PAPER

RANKINGS = st.dictionaries(
    st.sampled_from(["vector", "keyword", "rerank"]),
    st.lists(st.sampled_from("abcdefgh"), unique=True),
)
WEIGHTS = {"vector": 0.35, "keyword": 0.40, "rerank": 0.25}


def test_scores_are_those_of_the_formula() -> None:
    fused = fuse({"vector": ["a", "b"], "keyword": ["b", "c"]}, weights=PAPER.fusion_weights, k=PAPER.rrf_k)

    assert [found.id for found in fused] == ["b", "a", "c"]
    assert [found.score for found in fused] == pytest.approx([0.7 / 12 + 0.3 / 11, 0.7 / 11, 0.3 / 12])
    assert fused[0].ranks == {"vector": 2, "keyword": 1}


def test_ties_go_to_the_better_rank_and_then_to_the_id() -> None:
    weights = {"vector": 1.0, "keyword": 2.0}
    fused = fuse({"vector": ["b"], "keyword": [*"wxyzvuts", "q", "r", "p", "a"]}, weights=weights, k=10)
    order = [found.id for found in fused]

    assert {found.id: found.score for found in fused}["b"] == pytest.approx(1 / 11)
    assert order.index("b") < order.index("a")  # 2 / 22 = 1 / 11, but rank 1 before rank 12
    assert [
        found.id
        for found in fuse({"vector": ["z"], "keyword": ["y"]}, weights=dict.fromkeys(weights, 1.0), k=1)
    ] == ["y", "z"]


def test_the_first_place_of_a_repeated_id_counts() -> None:
    assert fuse({"vector": ["a", "b", "a"]}, weights=WEIGHTS, k=10) == fuse(
        {"vector": ["a", "b"]}, weights=WEIGHTS, k=10
    )


def test_a_list_without_a_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="graph"):
        fuse({"graph": ["a"]}, weights=WEIGHTS, k=10)


@given(RANKINGS)
def test_the_order_of_the_lists_does_not_matter(rankings: dict[str, list[str]]) -> None:
    backwards = dict(reversed(rankings.items()))
    assert fuse(rankings, weights=WEIGHTS, k=10) == fuse(backwards, weights=WEIGHTS, k=10)


@given(RANKINGS)
def test_everything_found_comes_out_once_and_best_first(rankings: dict[str, list[str]]) -> None:
    fused = fuse(rankings, weights=WEIGHTS, k=10)
    scores = [found.score for found in fused]

    assert sorted(found.id for found in fused) == sorted(set().union(*rankings.values()))
    assert scores == sorted(scores, reverse=True)


@given(st.lists(st.sampled_from("abcdefgh"), unique=True), st.floats(0.1, 1000))
def test_one_list_keeps_its_order(ranking: list[str], k: float) -> None:
    assert [found.id for found in fuse({"vector": ranking}, weights=WEIGHTS, k=k)] == ranking


@given(st.permutations("abcdef"), st.permutations("abcdef"))
def test_what_both_lists_put_first_stays_before(vector: list[str], keyword: list[str]) -> None:
    fused = [found.id for found in fuse({"vector": vector, "keyword": keyword}, weights=WEIGHTS, k=10)]
    for better in fused:
        for worse in fused:
            if all(ranking.index(better) < ranking.index(worse) for ranking in (vector, keyword)):
                assert fused.index(better) < fused.index(worse)
