"""Searches as a deployment answers them: with a log line, metrics and a trace."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from cognis_memory.errors import CognisError, InvalidInput
from cognis_memory.models.answers import ContextAnswer, SearchAnswer
from cognis_memory.models.requests import SearchRequest
from cognis_memory.models.values import Owner
from cognis_memory.runtime.log_lines import hashed_user
from cognis_memory.runtime.metrics import Metric, emit
from cognis_memory.runtime.observability import logger, observed
from cognis_memory.runtime.wiring import Deployment
from cognis_memory.services.retrieval.context import build_context
from cognis_memory.services.retrieval.search import search
from cognis_memory.services.retrieval.state import StageLog

STAGES: Final = (
    "query_analysis_ms",
    "vector_256d_ms",
    "vector_768d_ms",
    "bm25_ms",
    "rrf_fusion_ms",
    "temporal_boost_ms",
    "dedup_ms",
    "cross_encoder_ms",
    "version_chain_ms",
)
"""The durations that every line has, 0 for a stage that was left out."""

COUNTS: Final = ("candidates_256d", "candidates_768d", "results_final")


def observed_search(
    deployment: Deployment, owner: Owner, request: SearchRequest, *, request_id: str
) -> SearchAnswer:
    """As `services.retrieval.search`. Anything unforeseen is raised as UnexpectedError."""
    with _observed(deployment, owner, request_id, "search") as log:
        return search(deployment.retrieval, owner, request, request_id=request_id, log=log)


def observed_context(
    deployment: Deployment, owner: Owner, request: SearchRequest, *, request_id: str
) -> ContextAnswer:
    """As `services.retrieval.context`. Anything unforeseen is raised as UnexpectedError."""
    with _observed(deployment, owner, request_id, "context") as log:
        return build_context(deployment.retrieval, owner, request, request_id=request_id, log=log)


@contextmanager
def _observed(deployment: Deployment, owner: Owner, request_id: str, route: str) -> Iterator[StageLog]:
    """Writes the line `memory_retrieval` and the metrics of a search, also of one that fails."""
    log = StageLog()
    error: CognisError | None = None
    started = time.perf_counter()
    try:
        with observed(route):
            yield log
    except CognisError as raised:
        error = raised
        raise
    finally:
        duration = round((time.perf_counter() - started) * 1_000, 3)
        about = {
            "route": route,
            "request_id": request_id,
            "tenant": owner.tenant_id,
            "user": hashed_user(deployment, owner),
            "duration_ms": duration,
            "error": error and error.code,
        }
        _write(about, log)
        if not isinstance(error, InvalidInput):
            emit(_metrics(log, duration, failed=error is not None))


def _write(about: Mapping[str, object], log: StageLog) -> None:
    fields = {
        "stage_durations": {**dict.fromkeys(STAGES, 0.0), **log.durations},
        **{name: log.counts.get(name, 0) for name in COUNTS},
        "temporal_query": log.temporal,
        "degraded": list(dict.fromkeys(log.degraded)),
    }
    logger().info("memory_retrieval", extra={**about, **fields})


def _metrics(log: StageLog, duration: float, *, failed: bool) -> dict[Metric, float]:
    if failed:
        return {Metric.SEARCH_FAILED: 1}
    return {
        Metric.SEARCH_FAILED: 0,
        Metric.SEARCH_LATENCY: duration,
        Metric.SEARCH_RESULTS: log.counts.get("results_final", 0),
        Metric.SEARCH_DEGRADED: int(bool(log.degraded)),
    }
