from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cognis_memory.domain.settings import PAPER


def test_the_paper_shares_each_score_out_whole() -> None:
    assert sum(PAPER.fusion_weights.values()) == pytest.approx(1)
    assert PAPER.temporal_weight + PAPER.fused_weight == pytest.approx(1)


@pytest.mark.parametrize(
    "change",
    [
        {"candidates": 0},
        {"keyword_candidates": -1},
        {"fusion_weights": {}},
        {"fusion_weights": {"vector": -0.1}},
        {"rrf_k": 0},
        {"temporal_weight": -1},
        {"temporal_floor": 1.1},
        {"min_window_days": 0},
        {"max_window_days": 0.5},
        {"duplicate_cosine": 1.01},
        {"rerank_depth": -1},
        {"rerank_share": 2},
        {"speaker_boost": -0.1},
        {"question_share": 1.1},
    ],
)
def test_numbers_outside_their_ranges_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        replace(PAPER, **change)
