"""The numbers that retrieval turns on, in named sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

VECTOR: Final = "vector"
KEYWORD: Final = "keyword"


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalSettings:
    """One named set of constants for the eight stages of retrieval.

    Stage 2 and 3: `candidates` documents come from the 256-component vectors, `keyword_candidates` from BM25.

    Stage 4: `fusion_weights` gives each ranked list's weight in reciprocal rank fusion by the list's name
    (`vector`, `keyword`); `rrf_k` damps the first ranks.

    Stage 5: `temporal_weight` and `fused_weight` share the boosted score, `temporal_floor` is the least
    relevance of a distant event. The decay spans the width of the window asked about, but no fewer than
    `min_window_days` and no more than `max_window_days`. With a `temporal_gain` above 0 this formula is
    replaced by a milder one: strength · (1 + gain · exp(−distance / decay)), where the decay is half the
    window's width and at least `temporal_decay_days`.

    Stage 6: of two documents at a cosine of `duplicate_cosine` or more, the lower ranked goes.

    Stage 7: the reranker reads the first `rerank_depth` documents (0: none); the final score is
    `rerank_share` of the reranker's score and the rest of the boosted one.

    `speaker_boost` is added, as a share of its own strength, to what the one person named in the query said;
    `neighbour_gain`, as a share of its strongest neighbour's, to a message beside a strong one. With
    `demote_covered` a result steps back whose source messages better results stand for already. A message
    that only asks keeps `question_share` of its strength and of its probability of being relevant. With
    `boosts_last` the boosts of stage 5 come after the reranker, whose scores would drown them otherwise.

    `cjk_fusion_weights` replace `fusion_weights` for queries in Chinese, Japanese and Korean, where words
    are not separated and vectors tell more than bigrams.

    Raises ValueError for numbers outside their ranges.
    """

    name: str
    candidates: int
    keyword_candidates: int
    fusion_weights: Mapping[str, float]
    rrf_k: float
    temporal_weight: float
    fused_weight: float
    temporal_floor: float
    min_window_days: float
    max_window_days: float
    duplicate_cosine: float
    rerank_depth: int
    rerank_share: float
    speaker_boost: float = 0.0
    temporal_gain: float = 0.0
    temporal_decay_days: float = 7.0
    neighbour_gain: float = 0.0
    demote_covered: bool = False
    question_share: float = 1.0
    boosts_last: bool = False
    cjk_fusion_weights: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        shares = (self.temporal_floor, self.duplicate_cosine, self.rerank_share, self.question_share)
        if not all(0 <= share <= 1 for share in shares):
            raise ValueError("floor, duplicate cosine and the shares lie between 0 and 1")
        gains = (self.speaker_boost, self.temporal_gain, self.neighbour_gain)
        weights = (*self.fusion_weights.values(), self.temporal_weight, self.fused_weight, *gains)
        if not self.fusion_weights or min(weights) < 0:
            raise ValueError("weights are not negative, and one ranked list at least has one")
        if min(self.candidates, self.keyword_candidates, self.rrf_k) <= 0 or self.rerank_depth < 0:
            raise ValueError("candidates and k are above 0, the rerank depth is not below")
        if not 0 < self.min_window_days <= self.max_window_days or self.temporal_decay_days <= 0:
            raise ValueError("the least window is above 0 days and not above the greatest, as is the decay")


PAPER: Final = RetrievalSettings(
    name="paper",
    candidates=200,
    keyword_candidates=200,
    fusion_weights={VECTOR: 0.70, KEYWORD: 0.30},
    rrf_k=10,
    temporal_weight=0.60,
    fused_weight=0.40,
    temporal_floor=0.1,
    min_window_days=1,
    max_window_days=400,
    duplicate_cosine=0.99,
    rerank_depth=30,
    rerank_share=1.0,
)
"""The constants of Cognis (arXiv 2604.19771), and those of its open implementation where the paper gives
none: windows of 1 to 400 days, and a reranker that orders the first 30 alone."""

DEFAULT: Final = replace(
    PAPER,
    name="default",
    fusion_weights={VECTOR: 0.40, KEYWORD: 0.60},
    rerank_depth=50,
    rerank_share=0.5,
    speaker_boost=0.2,
    temporal_gain=0.5,
    temporal_decay_days=7,
    neighbour_gain=0.1,
    demote_covered=True,
    question_share=0.3,
    boosts_last=True,
    cjk_fusion_weights={VECTOR: 0.70, KEYWORD: 0.30},
)
"""The better set by measurement; see docs/retrieval.md."""
