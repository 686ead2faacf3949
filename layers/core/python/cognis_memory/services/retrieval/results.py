"""The last cut: what is relevant, how much, and with which history."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from cognis_memory.domain.settings import KEYWORD, VECTOR
from cognis_memory.models.answers import HistoryEntry, MemoryAnswer, ScoreBreakdown, SearchResult
from cognis_memory.models.memory import Memory
from cognis_memory.models.requests import SearchRequest
from cognis_memory.models.values import Owner
from cognis_memory.services.retrieval.ranking import Ranked
from cognis_memory.services.retrieval.state import RetrievalPorts, StageLog
from cognis_memory.services.retrieval.version_chain import histories

CONSIDERED = 20
"""So many results at least decide whether anything is known, however few are asked for."""


def present(
    ports: RetrievalPorts,
    owner: Owner,
    request: SearchRequest,
    ranked: Sequence[Ranked],
    *,
    threshold: float,
    history: bool,
    log: StageLog,
) -> list[SearchResult]:
    """At most `top_k` results that are relevant enough, with their earlier versions where asked for."""
    considered = ranked[: max(request.top_k, CONSIDERED)]
    # Without vectors nothing can be calibrated, and nothing is held back.
    least_best = 0.0 if "vector" in log.degraded else threshold
    shown = _relevant(considered, request.min_relevance, least_best)[: request.top_k]
    with log.timed("version_chain_ms"):
        memories = [c.document for c, _ in shown if isinstance(c.document, Memory)]
        versions = histories(ports.ledger, owner, memories, ports.clock()) if history and memories else {}
    log.counts["results_final"] = len(shown)
    return [_result(c, score, versions.get(c.id), explain=request.explain) for c, score in shown]


def _relevant(
    ranked: Sequence[Ranked], min_relevance: float | None, least_best: float
) -> list[tuple[Ranked, float]]:
    """Results with their scores: those of `min_relevance`, or all when the best reaches `least_best`.

    `least_best` asks whether the store knows anything of the matter: a weak result beside a strong one is
    worth reading, the best of a weak lot is not.
    """
    probabilities = [candidate.probability for candidate in ranked]
    scored = list(zip(ranked, falling(probabilities), strict=True))
    if min_relevance is not None:
        return [(candidate, score) for candidate, score in scored if score >= min_relevance]
    return scored if max(probabilities, default=0.0) >= least_best else []


def falling(probabilities: Sequence[float]) -> list[float]:
    """Each probability, or the least of those before it where that is less: scores fall with rank.

    So no result scores above its own probability, and none above one that stands before it.
    """
    return list(accumulate(probabilities, min))


def _result(
    candidate: Ranked, score: float, history: list[HistoryEntry] | None, *, explain: bool
) -> SearchResult:
    answer = MemoryAnswer.of(candidate.document)
    return SearchResult(
        **answer.model_dump(),
        score=round(score, 4),
        history=history,
        score_breakdown=_breakdown(candidate) if explain else None,
    )


def _breakdown(candidate: Ranked) -> ScoreBreakdown:
    return ScoreBreakdown(
        vector_rank=candidate.ranks.get(VECTOR),
        bm25_rank=candidate.ranks.get(KEYWORD),
        fused=candidate.fused,
        temporal=candidate.temporal,
        rerank=candidate.rerank,
        cosine=candidate.cosine,
        lexical=candidate.lexical,
    )
