"""How probable it is that a candidate answers the query, whatever its place in the order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard

from cognis_memory.domain.asked_attributes import asked_attributes
from cognis_memory.domain.calibration import Calibration, lexical_share
from cognis_memory.domain.language import CJK
from cognis_memory.domain.questions import only_asks
from cognis_memory.domain.text import query_terms
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.services.retrieval.own_memories import is_own
from cognis_memory.services.retrieval.query_analysis import QueryAnalysis
from cognis_memory.services.retrieval.ranking import Ranked, by_strength
from cognis_memory.services.retrieval.reranking import reranked_text
from cognis_memory.services.retrieval.state import RetrievalPorts

ANSWERS = 0.5
"""The least probability of a memory that fills the attribute asked for."""


def calibration_for(ports: RetrievalPorts, analysis: QueryAnalysis, ranked: Sequence[Ranked]) -> Calibration:
    """The one for the query's script and for the models that have read these candidates."""
    reranked = any(candidate.rerank is not None for candidate in ranked)
    return ports.calibrations.of(cjk=analysis.language in CJK, reranked=reranked)


def with_probabilities(ranked: Sequence[Ranked], query: str, calibration: Calibration) -> list[Ranked]:
    """Each candidate with its lexical share and its own calibrated probability."""
    terms = frozenset(query_terms(query))
    scored: list[Ranked] = []
    for candidate in ranked:
        lexical = lexical_share(terms, reranked_text(candidate.document))
        probability = calibration.probability(candidate.cosine, lexical, candidate.rerank)
        scored.append(replace(candidate, lexical=lexical, probability=probability))
    return scored


def lift_answers(ranked: list[Ranked], query: str) -> list[Ranked]:
    """Puts first what fills the attribute of the asker that the query asks for, and calls it relevant.

    "User joined Nokia" shares no word with "Which company do I work for?", and little meaning. Where several
    speakers have told theirs, nobody knows who asks, and nothing is lifted.
    """
    asked = asked_attributes(query)
    answers = {c.id: c.document.subject for c in ranked if asked and _fills(c.document, asked)}
    if len(set(answers.values())) != 1:
        return ranked
    greatest = max(candidate.strength for candidate in ranked)
    # Scores fall with rank: what was likelier must not be held down by what is now before it.
    likely = max(ANSWERS, *(candidate.probability for candidate in ranked))
    return by_strength(
        [
            replace(c, strength=c.strength + greatest, probability=likely) if c.id in answers else c
            for c in ranked
        ]
    )


def _fills(document: Memory | Message, asked: frozenset[str]) -> TypeGuard[Memory]:
    return isinstance(document, Memory) and document.slot in asked and is_own(document)


def weaken_questions(ranked: list[Ranked], share: float) -> list[Ranked]:
    """Leaves a message that only asks that share of its strength and of its probability.

    Who asks the same again finds the question before any answer: no text is nearer to it. A message that a
    memory was made of has told something.
    """
    if share == 1:
        return ranked
    return by_strength([_weakened(c, share) if _asks(c.document) else c for c in ranked])


def _weakened(candidate: Ranked, share: float) -> Ranked:
    strength, probability = candidate.strength * share, candidate.probability * share
    return replace(candidate, strength=strength, probability=probability, asks=True)


def _asks(document: Memory | Message) -> bool:
    return isinstance(document, Message) and not document.links and only_asks(document.content)
