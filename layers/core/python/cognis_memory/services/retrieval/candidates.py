"""Stages 2 and 3: Matryoshka vectors and BM25 find candidates at the same time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cognis_memory.domain.filters import Filter
from cognis_memory.domain.matryoshka import candidate_vectors
from cognis_memory.domain.settings import KEYWORD, VECTOR
from cognis_memory.errors import EmbeddingFailed, EmbeddingUnavailable
from cognis_memory.models.values import FloatVector, Owner
from cognis_memory.services.retrieval.state import RetrievalPorts, StageLog


@dataclass(frozen=True, slots=True)
class Candidates:
    """Ranked ids by the name of their list, and what the second vector step knows of each."""

    rankings: Mapping[str, Sequence[str]]
    cosines: Mapping[str, float]
    vectors: Mapping[str, FloatVector]

    @property
    def empty(self) -> bool:
        return not any(self.rankings.values())


def find_candidates(
    ports: RetrievalPorts, owner: Owner, query: str, filter: Filter, log: StageLog
) -> Candidates:
    """256 components give the candidates, 768 their order, BM25 a list of its own.

    When the query cannot be embedded, BM25 answers alone and `degraded` says so.
    """
    nearest = ports.executor.submit(_nearest, ports, owner, query, filter, log)
    with log.timed("bm25_ms"):
        matched = ports.keywords.match(owner, query, filter=filter, limit=ports.settings.keyword_candidates)
    found = nearest.result()
    keyword_ids = [hit.id for hit in matched]
    if found is None:
        log.degraded.append("vector")
        return Candidates({KEYWORD: keyword_ids}, {}, {})
    vector, near = found
    with log.timed("vector_768d_ms"):
        # Keyword hits get their cosine in the same step: fusion and the final score need it.
        rescored = ports.vectors.rescore(owner, vector, list(dict.fromkeys([*near, *keyword_ids])))
    log.counts["candidates_256d"] = len(near)
    among = set(near)
    ranking = [hit.id for hit in rescored if hit.id in among]
    log.counts["candidates_768d"] = len(rescored)
    return Candidates(
        {VECTOR: ranking, KEYWORD: keyword_ids},
        {hit.id: hit.score for hit in rescored},
        {hit.id: hit.vector for hit in rescored},
    )


def _nearest(
    ports: RetrievalPorts, owner: Owner, query: str, filter: Filter, log: StageLog
) -> tuple[FloatVector, list[str]] | None:
    """The query's vector and the ids nearest to its prefix; None when it cannot be embedded."""
    try:
        with log.timed("query_embedding_ms"):
            vector = ports.embedder.embed([query])[0]
    except (EmbeddingUnavailable, EmbeddingFailed):
        return None
    with log.timed("vector_256d_ms"):
        hits = ports.vectors.nearest(
            owner, candidate_vectors(vector), filter=filter, limit=ports.settings.candidates
        )
    return vector, [hit.id for hit in hits]
