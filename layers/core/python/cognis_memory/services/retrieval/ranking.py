"""A candidate on its way through the stages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message


@dataclass(frozen=True, slots=True)
class Ranked:
    """`strength` orders the candidates and changes from stage to stage; the rest says how it came about.

    `ranks` gives the place, from 1, in each ranked list; `cosine` is that of the 768 components;
    `lexical` the share of the query's terms that the document's own words hold; `probability` that of being
    relevant, which no place in the order changes; `asks` marks a message that only asks.
    """

    document: Memory | Message
    ranks: Mapping[str, int]
    fused: float
    strength: float
    cosine: float = 0.0
    temporal: float | None = None
    rerank: float | None = None
    lexical: float | None = None
    probability: float = 0.0
    asks: bool = False

    @property
    def id(self) -> str:
        return self.document.id

    @property
    def sources(self) -> frozenset[str]:
        """Ids of the messages whose content the candidate stands for."""
        if isinstance(self.document, Memory):
            return frozenset(self.document.source_messages)
        return frozenset((self.document.id,))


def by_strength(ranked: list[Ranked]) -> list[Ranked]:
    """Strongest first; ties keep their order."""
    return sorted(ranked, key=lambda candidate: -candidate.strength)
