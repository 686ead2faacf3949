"""Stage 7: a model reads query and candidate together; its view is blended with the order so far."""

from __future__ import annotations

import re
from dataclasses import replace

from cognis_memory.domain.indexed_text import spoken_text
from cognis_memory.domain.language import CJK
from cognis_memory.domain.speakers import asks_of_self, named_speaker
from cognis_memory.errors import PermanentError, TransientError
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Role
from cognis_memory.ports import Reranker
from cognis_memory.services.retrieval.budget import ModelBudget
from cognis_memory.services.retrieval.own_memories import is_own
from cognis_memory.services.retrieval.ranking import Ranked, by_strength
from cognis_memory.services.retrieval.state import RetrievalPorts, StageLog

UNREAD = 0.001
"""What the order so far counts for candidates that the reranker did not read."""


def rerank(
    ports: RetrievalPorts,
    query: str,
    ranked: list[Ranked],
    log: StageLog,
) -> list[Ranked]:
    """Reorders the first `rerank_depth`; the others stay behind them.

    Strength becomes the settings' blend of the order so far, divided by its greatest, and the reranker's
    score; behind the head it keeps its order and counts for little. A reranker that fails, or takes longer
    than its budget, leaves the order as it is, and `degraded` says so.
    """
    depth = ports.settings.rerank_depth
    if ports.reranker is None or depth == 0 or not ranked:
        return ranked
    head, tail = ranked[:depth], ranked[depth:]
    of_self = asks_of_self(query)
    texts = [_as_askers(c.document, query) if of_self else reranked_text(c.document) for c in head]
    try:
        scores = _scores(ports.reranker, ports.budget, query, texts)
    except (TransientError, PermanentError, TimeoutError):
        log.degraded.append("rerank")
        return ranked
    share = ports.settings.rerank_share
    greatest = max(candidate.strength for candidate in head) or 1.0
    blended = [
        replace(c, strength=(1 - share) * c.strength / greatest + share * score, rerank=score)
        for c, score in zip(head, scores, strict=True)
    ]
    behind = [replace(c, strength=c.strength / greatest * UNREAD) for c in tail]
    return by_strength([*blended, *behind])


def _scores(reranker: Reranker, budget: ModelBudget | None, query: str, texts: list[str]) -> list[float]:
    if budget is None:
        return reranker.rerank(query, texts)
    return budget.spend(budget.reranking, lambda: reranker.rerank(query, texts))


def _as_askers(document: Memory | Message, query: str) -> str:
    """What a named speaker told of themselves, without the name: who asks says "I", as they did."""
    text, speaker = reranked_text(document), document.speaker or ""
    if not is_own(document) or not speaker or speaker in tuple(Role) or named_speaker(query, {speaker}):
        return text
    user = "ユーザー" if document.language in CJK else "User"
    return re.sub(rf"^{re.escape(speaker)}(?![A-Za-z0-9])", user, text)


def reranked_text(document: Memory | Message) -> str:
    """A document's own words: what was said around it has helped to find it and would now mislead."""
    return document.content if isinstance(document, Memory) else spoken_text(document)
