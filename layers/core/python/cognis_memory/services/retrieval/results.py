"""The last cut: what is relevant, how much, and with which history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cognis_memory.domain.calibration import lexical_share
from cognis_memory.domain.language import CJK
from cognis_memory.domain.settings import KEYWORD, VECTOR
from cognis_memory.domain.text import query_terms
from cognis_memory.models.answers import HistoryEntry, MemoryAnswer, ScoreBreakdown, SearchResult
from cognis_memory.models.memory import Memory
from cognis_memory.models.requests import SearchRequest
from cognis_memory.models.values import Owner
from cognis_memory.services.retrieval.query_analysis import QueryAnalysis
from cognis_memory.services.retrieval.ranking import Ranked
from cognis_memory.services.retrieval.reranking import reranked_text
from cognis_memory.services.retrieval.state import RetrievalPorts, StageLog
from cognis_memory.services.retrieval.version_chain import histories

CONSIDERED = 20
"""So many results at least decide whether anything is known, however few are asked for."""


def present(
    ports: RetrievalPorts,
    owner: Owner,
    request: SearchRequest,
    analysis: QueryAnalysis,
    ranked: Sequence[Ranked],
    *,
    log: StageLog,
) -> list[SearchResult]:
    """At most `top_k` results that are relevant enough, with their earlier versions where asked for."""
    considered = list(ranked[: max(request.top_k, CONSIDERED)])
    shown = _relevant(ports, request, analysis, considered, log)[: request.top_k]
    with log.timed("version_chain_ms"):
        memories = [c.document for c, _ in shown if isinstance(c.document, Memory)]
        earlier = histories(ports.ledger, owner, memories) if analysis.history and memories else {}
    log.counts["results_final"] = len(shown)
    return [_result(c, score, earlier.get(c.id), explain=request.explain) for c, score in shown]


def _relevant(
    ports: RetrievalPorts,
    request: SearchRequest,
    analysis: QueryAnalysis,
    ranked: list[Ranked],
    log: StageLog,
) -> list[tuple[Ranked, float]]:
    """Results with their scores: those of `min_relevance`, or all when the best passes the threshold.

    The threshold asks whether the store knows anything of the matter: a weak result beside a strong one is
    worth reading, the best of a weak lot is not. Without vectors nothing can be calibrated, and nothing is
    held back.
    """
    reranked = any(candidate.rerank is not None for candidate in ranked)
    calibration = ports.calibrations.of(cjk=analysis.language in CJK, reranked=reranked)
    terms = frozenset(query_terms(request.query))
    ranked = [replace(c, lexical=lexical_share(terms, reranked_text(c.document))) for c in ranked]
    probabilities = [calibration.probability(c.cosine, c.lexical or 0.0, c.rerank) for c in ranked]
    scored = list(zip(ranked, falling(probabilities), strict=True))
    if request.min_relevance is not None:
        return [(c, score) for c, score in scored if score >= request.min_relevance]
    known = "vector" in log.degraded or max(probabilities, default=0.0) >= calibration.threshold
    return scored if known else []


def falling(scores: Sequence[float]) -> list[float]:
    """Each score raised to the greatest of those behind it, so that scores fall with rank."""
    raised: list[float] = []
    for score in reversed(scores):
        raised.append(max(score, raised[-1] if raised else 0.0))
    return raised[::-1]


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
