"""What the stages of a retrieval share."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field

from cognis_memory.domain.calibration import Calibrations
from cognis_memory.domain.settings import RetrievalSettings
from cognis_memory.ports import CandidateIndex, Clock, Embedder, KeywordIndex, Ledger, Reranker, VectorIndex
from cognis_memory.services.projection import Projector
from cognis_memory.services.retrieval.budget import ModelBudget


@dataclass(frozen=True, slots=True)
class RetrievalPorts:
    """Everything the eight stages need from the outside; without a reranker stage 7 is left out.

    `budget`: how long is waited for the models; None for as long as their clients do.
    `combined`: the engine of both indexes where it is one that answers stages 2 and 3 in one request.
    """

    ledger: Ledger
    vectors: VectorIndex
    keywords: KeywordIndex
    embedder: Embedder
    reranker: Reranker | None
    projector: Projector
    executor: Executor
    clock: Clock
    settings: RetrievalSettings
    calibrations: Calibrations
    combined: CandidateIndex | None = None
    budget: ModelBudget | None = None


@dataclass(slots=True)
class StageLog:
    """Milliseconds per stage, counts, and what had to be left out: for the answer, and for logs.

    `counts`: candidates_256d, candidates_768d, results_final, as far as the search came.
    """

    durations: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    degraded: list[str] = field(default_factory=list)
    temporal: bool = False

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.add(stage, (time.perf_counter() - started) * 1000)

    def add(self, stage: str, milliseconds: float) -> None:
        """Time that was measured elsewhere."""
        self.durations[stage] = round(self.durations.get(stage, 0.0) + milliseconds, 3)
