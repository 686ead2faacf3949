"""Results that share evidence: neighbours strengthen each other, repeats step back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from cognis_memory.domain.deduplication import deduplicate
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import FloatVector
from cognis_memory.services.retrieval.ranking import Ranked, by_strength

NEARLY = 0.9
"""A memory that answers this share as well as its message does is shown in its place."""


def without_duplicates(
    ranked: list[Ranked], vectors: Mapping[str, FloatVector], threshold: float
) -> list[Ranked]:
    """Stage 6, among memories and among messages: a memory in its message's very words is no duplicate of it.

    Which of the two is shown, `demote_covered` decides by their link.
    """
    kept: set[str] = set()
    for kind in (Memory, Message):
        ids = [candidate.id for candidate in ranked if isinstance(candidate.document, kind)]
        kept.update(deduplicate(ids, vectors, threshold=threshold))
    return [candidate for candidate in ranked if candidate.id in kept]


def lift_neighbours(ranked: list[Ranked], gain: float) -> list[Ranked]:
    """A message rises by a share of the strongest turn right before or after it among the candidates."""
    if not gain:
        return ranked
    strengths = {candidate.id: candidate.strength for candidate in ranked}
    best_beside: dict[str, float] = {}
    for candidate in ranked:
        for other in _turn_before(candidate):
            if other in strengths:
                for one, beside in ((candidate.id, other), (other, candidate.id)):
                    best_beside[one] = max(best_beside.get(one, 0.0), strengths[beside])
    return by_strength([replace(c, strength=c.strength + gain * best_beside.get(c.id, 0.0)) for c in ranked])


def demote_covered(ranked: Sequence[Ranked], relevant_from: float) -> list[Ranked]:
    """Moves back what a better result says already: the answer shows it once, then goes on with what is new.

    What is relevant, of a probability of `relevant_from` or more, moves behind the last such result that
    tells something new, anything else to the end: what is new but beside the point does not come first.

    A message steps back when a memory of it is shown, a memory when all its messages are. Where a message
    comes up before a memory of it that answers nearly as well, the memory takes its place: it is dated, and
    reads without the turns around it.
    """
    memories = _by_source(ranked)
    fresh: dict[str, Ranked] = {}
    covered: list[Ranked] = []
    represented: set[str] = set()
    for candidate in ranked:
        if candidate.id in fresh:
            continue
        chosen = candidate
        if isinstance(candidate.document, Message):
            waiting = (memory for memory in memories[candidate.id] if memory.id not in fresh)
            near = (memory for memory in waiting if _says_as_much(memory, candidate))
            chosen = candidate if candidate.id in represented else next(near, candidate)
            told = candidate.id in represented or chosen is not candidate
        else:
            told = bool(candidate.sources) and candidate.sources <= fresh.keys()
        if told:
            covered.append(candidate)
        if not told or chosen is not candidate:
            fresh[chosen.id] = chosen
            represented |= chosen.sources - {chosen.id}
    return _behind_relevant(list(fresh.values()), covered, relevant_from)


def _behind_relevant(fresh: list[Ranked], covered: list[Ranked], relevant_from: float) -> list[Ranked]:
    def relevant(candidate: Ranked) -> bool:
        return candidate.probability >= relevant_from

    telling = (place for place, c in enumerate(fresh, start=1) if relevant(c) and not c.asks)
    last = max(telling, default=0)
    again = [candidate for candidate in covered if relevant(candidate)]
    rest = [candidate for candidate in covered if not relevant(candidate)]
    return [*fresh[:last], *again, *fresh[last:], *rest]


def _says_as_much(memory: Ranked, message: Ranked) -> bool:
    """By the reranker, which reads each by itself; without it by strength."""
    if memory.rerank is not None and message.rerank is not None:
        return memory.rerank >= NEARLY * message.rerank
    return memory.strength >= NEARLY * message.strength


def _by_source(ranked: Sequence[Ranked]) -> dict[str, list[Ranked]]:
    """The memories of each message, strongest first."""
    memories: dict[str, list[Ranked]] = defaultdict(list)
    for candidate in ranked:
        if isinstance(candidate.document, Memory):
            for source in candidate.sources:
                memories[source].append(candidate)
    return memories


def _turn_before(candidate: Ranked) -> tuple[str, ...]:
    return candidate.document.preceding[-1:] if isinstance(candidate.document, Message) else ()
