"""The eight stages in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from cognis_memory.domain.filters import And, Filter, parse_filter, visible
from cognis_memory.domain.fusion import Fused, fuse
from cognis_memory.domain.language import CJK
from cognis_memory.domain.settings import RetrievalSettings
from cognis_memory.errors import CorruptData
from cognis_memory.models.answers import QueryAnswer, SearchAnswer
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.requests import SearchRequest
from cognis_memory.models.values import Kind, Owner
from cognis_memory.services.retrieval.boosting import boost_speaker, boost_time
from cognis_memory.services.retrieval.candidates import Candidates, find_candidates
from cognis_memory.services.retrieval.evidence import demote_covered, lift_neighbours, without_duplicates
from cognis_memory.services.retrieval.ledger_check import checked_documents
from cognis_memory.services.retrieval.query_analysis import QueryAnalysis, analyse
from cognis_memory.services.retrieval.ranking import Ranked
from cognis_memory.services.retrieval.relevance import (
    calibration_for,
    lift_answers,
    weaken_questions,
    with_probabilities,
)
from cognis_memory.services.retrieval.reranking import rerank
from cognis_memory.services.retrieval.results import present
from cognis_memory.services.retrieval.state import RetrievalPorts, StageLog
from cognis_memory.services.retrieval.version_chain import latest_versions

SPARE = 10
"""So many candidates are read from the ledger beyond those that the reranker reads or the answer shows."""


def search(
    ports: RetrievalPorts,
    owner: Owner,
    request: SearchRequest,
    *,
    request_id: str,
    log: StageLog | None = None,
) -> SearchAnswer:
    """Answers one query. Raises InvalidInput for a filter that cannot be applied.

    A model that is slow or down is left out and named in `degraded`; a missing or corrupt index is rebuilt
    from the ledger on the way. `log` is filled with what the stages took and found.
    """
    log = StageLog() if log is None else log
    now = ports.clock()
    with log.timed("query_analysis_ms"):
        analysis = analyse(request, now)
        log.temporal = analysis.temporal
        past = analysis.history and request.as_of is None
        among = _filter(request, now, include_history=past)
    candidates = _candidates(ports, owner, request.query, among, log)
    with log.timed("rrf_fusion_ms"):
        fused = _fuse(ports, candidates, analysis)
    with log.timed("ledger_check_ms"):
        documents = checked_documents(
            ports.ledger,
            owner,
            [found.id for found in fused],
            filter=among,
            as_of=request.as_of,
            now=now,
            wanted=max(ports.settings.rerank_depth, request.top_k) + SPARE,
        )
        if past:
            shown = _filter(request, now, include_history=False)
            documents = latest_versions(ports.ledger, owner, documents, current=shown, past=among)
    ranked = _ranked(fused, documents, candidates)
    ranked = _order(ports, request, analysis, ranked, candidates=candidates, log=log)
    calibration = calibration_for(ports, analysis, ranked)
    ranked = lift_answers(with_probabilities(ranked, request.query, calibration), request.query)
    ranked = _show_once(ports.settings, ranked, relevant_from=calibration.threshold)
    results = present(
        ports, owner, request, ranked, threshold=calibration.threshold, history=analysis.history, log=log
    )
    return SearchAnswer(
        results=results,
        query=_describe(analysis),
        degraded=list(dict.fromkeys(log.degraded)),
        stage_durations=dict(log.durations) if request.explain else None,
        request_id=request_id,
    )


def _filter(request: SearchRequest, now: datetime, *, include_history: bool) -> Filter:
    shown = visible(
        now=now,
        context_id=request.context_id,
        scope=request.scope,
        kinds=tuple(Kind) if request.include_messages else (Kind.MEMORY,),
        as_of=request.as_of,
        include_history=include_history,
    )
    return And((shown, parse_filter(request.filters)))


def _candidates(ports: RetrievalPorts, owner: Owner, query: str, filter: Filter, log: StageLog) -> Candidates:
    """Finds candidates; where there are none, or the index cannot be read, restores it and looks again."""
    try:
        found = find_candidates(ports, owner, query, filter, log)
    except CorruptData:
        ports.projector.restore_missing(owner)
        return find_candidates(ports, owner, query, filter, log)
    # An index that holds something may have been restored by another search since this one found nothing.
    if found.empty and (ports.projector.restore_missing(owner) or ports.vectors.count(owner)):
        return find_candidates(ports, owner, query, filter, log)
    return found


def _fuse(ports: RetrievalPorts, candidates: Candidates, analysis: QueryAnalysis) -> list[Fused]:
    settings = ports.settings
    weights = settings.fusion_weights
    if settings.cjk_fusion_weights and analysis.language in CJK:
        weights = settings.cjk_fusion_weights
    return fuse(candidates.rankings, weights=weights, k=settings.rrf_k)


def _ranked(
    fused: Sequence[Fused], documents: Mapping[str, Memory | Message], candidates: Candidates
) -> list[Ranked]:
    """Each document once, at the place of its best version."""
    ranked: dict[str, Ranked] = {}
    for found in fused:
        if (document := documents.get(found.id)) and document.id not in ranked:
            ranked[document.id] = Ranked(
                document=document,
                ranks=found.ranks,
                fused=found.score,
                strength=found.score,
                cosine=candidates.cosines.get(found.id, 0.0),
            )
    return list(ranked.values())


def _order(
    ports: RetrievalPorts,
    request: SearchRequest,
    analysis: QueryAnalysis,
    ranked: list[Ranked],
    *,
    candidates: Candidates,
    log: StageLog,
) -> list[Ranked]:
    """Stages 5 to 7: boosts, duplicates out and reranking; then neighbours strengthen each other."""
    settings = ports.settings

    def boosted(ranked: list[Ranked]) -> list[Ranked]:
        with log.timed("temporal_boost_ms"):
            return boost_time(boost_speaker(ranked, request.query, settings), analysis.window, settings)

    if not settings.boosts_last:
        ranked = boosted(ranked)
    with log.timed("dedup_ms"):
        ranked = without_duplicates(ranked, candidates.vectors, settings.duplicate_cosine)
    if request.rerank:
        with log.timed("cross_encoder_ms"):
            ranked = rerank(ports, request.query, ranked, log)
    if settings.boosts_last:
        ranked = boosted(ranked)
    return lift_neighbours(ranked, settings.neighbour_gain)


def _show_once(settings: RetrievalSettings, ranked: list[Ranked], *, relevant_from: float) -> list[Ranked]:
    """Questions step back behind answers, and evidence that is shown already behind what is new."""
    ranked = weaken_questions(ranked, settings.question_share)
    return demote_covered(ranked, relevant_from) if settings.demote_covered else ranked


def _describe(analysis: QueryAnalysis) -> QueryAnswer:
    window = (analysis.window.start, analysis.window.end) if analysis.window else None
    return QueryAnswer(
        temporal=analysis.temporal, window=window, history=analysis.history, language=analysis.language
    )
