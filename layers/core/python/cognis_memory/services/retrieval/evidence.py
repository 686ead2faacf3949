"""Results that share evidence: neighbours strengthen each other, repeats step back."""

from __future__ import annotations

from dataclasses import replace

from cognis_memory.models.message import Message
from cognis_memory.services.retrieval.ranking import Ranked, by_strength


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


def demote_covered(ranked: list[Ranked]) -> list[Ranked]:
    """Moves behind all others what stands only for messages that better results stand for already.

    A memory and the message that it was made of say the same: the answer shows one, then something new.
    """
    seen: set[str] = set()
    fresh, covered = [], []
    for candidate in ranked:
        if candidate.sources and candidate.sources <= seen:
            covered.append(candidate)
        else:
            fresh.append(candidate)
            seen |= candidate.sources
    return fresh + covered


def _turn_before(candidate: Ranked) -> tuple[str, ...]:
    return candidate.document.preceding[-1:] if isinstance(candidate.document, Message) else ()
