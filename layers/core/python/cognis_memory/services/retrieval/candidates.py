"""Stages 2 and 3: Matryoshka vectors and BM25 find candidates at the same time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cognis_memory.deadline import carried
from cognis_memory.domain.filters import Filter
from cognis_memory.domain.matryoshka import candidate_vectors
from cognis_memory.domain.settings import KEYWORD, VECTOR
from cognis_memory.errors import PermanentError, TransientError
from cognis_memory.models.document import CandidateHits
from cognis_memory.models.values import FloatVector, Owner
from cognis_memory.ports import CandidateIndex
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
    if ports.combined is None:
        return _from_two(ports, owner, query, filter, log)
    vector = _embedded(ports, query, log)
    if vector is None:
        return _by_words_alone(_matched(ports, owner, query, filter, log), log)
    return _from_one(ports, ports.combined, owner, query, vector, filter=filter, log=log)


def _from_two(ports: RetrievalPorts, owner: Owner, query: str, filter: Filter, log: StageLog) -> Candidates:
    """While the query is embedded and its vector looked for, BM25 answers; the second vector step follows."""
    nearest = ports.executor.submit(carried(_nearest), ports, owner, query, filter, log)
    keyword_ids = _matched(ports, owner, query, filter, log)
    found = nearest.result()
    if found is None:
        return _by_words_alone(keyword_ids, log)
    vector, near = found
    with log.timed("vector_768d_ms"):
        # Keyword hits get their cosine in the same step: fusion and the final score need it.
        rescored = ports.vectors.rescore(owner, vector, list(dict.fromkeys([*near, *keyword_ids])))
    return _candidates(CandidateHits(near, keyword_ids, rescored, {}), log)


def _from_one(
    ports: RetrievalPorts,
    index: CandidateIndex,
    owner: Owner,
    query: str,
    vector: FloatVector,
    *,
    filter: Filter,
    log: StageLog,
) -> Candidates:
    """One request brings both lists and their vectors; how long its parts took, the engine says."""
    hits = index.candidates(
        owner,
        query,
        vector,
        filter=filter,
        nearest=ports.settings.candidates,
        matching=ports.settings.keyword_candidates,
    )
    for stage, milliseconds in hits.milliseconds.items():
        log.add(stage, milliseconds)
    return _candidates(hits, log)


def _candidates(hits: CandidateHits, log: StageLog) -> Candidates:
    log.counts["candidates_256d"] = len(hits.nearest)
    log.counts["candidates_768d"] = len(hits.rescored)
    among = set(hits.nearest)
    return Candidates(
        {VECTOR: [hit.id for hit in hits.rescored if hit.id in among], KEYWORD: hits.matched},
        {hit.id: hit.score for hit in hits.rescored},
        {hit.id: hit.vector for hit in hits.rescored},
    )


def _by_words_alone(keyword_ids: list[str], log: StageLog) -> Candidates:
    log.degraded.append("vector")
    return Candidates({KEYWORD: keyword_ids}, {}, {})


def _matched(ports: RetrievalPorts, owner: Owner, query: str, filter: Filter, log: StageLog) -> list[str]:
    with log.timed("bm25_ms"):
        hits = ports.keywords.match(owner, query, filter=filter, limit=ports.settings.keyword_candidates)
    return [hit.id for hit in hits]


def _nearest(
    ports: RetrievalPorts, owner: Owner, query: str, filter: Filter, log: StageLog
) -> tuple[FloatVector, list[str]] | None:
    """The query's vector and the ids nearest to its prefix; None when it cannot be embedded."""
    vector = _embedded(ports, query, log)
    if vector is None:
        return None
    with log.timed("vector_256d_ms"):
        hits = ports.vectors.nearest(
            owner, candidate_vectors(vector), filter=filter, limit=ports.settings.candidates
        )
    return vector, [hit.id for hit in hits]


def _embedded(ports: RetrievalPorts, query: str, log: StageLog) -> FloatVector | None:
    """None when it fails or takes longer than its budget."""

    def embed() -> FloatVector:
        vector: FloatVector = ports.embedder.embed([query])[0]
        return vector

    budget = ports.budget
    try:
        with log.timed("query_embedding_ms"):
            return embed() if budget is None else budget.spend(budget.embedding, embed)
    except (TransientError, PermanentError, TimeoutError):
        return None
