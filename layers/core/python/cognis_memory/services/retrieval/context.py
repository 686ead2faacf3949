"""Search results as dated lines that fit into a prompt."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from cognis_memory.domain.tokens import estimate_tokens
from cognis_memory.models.answers import ContextAnswer, SearchResult
from cognis_memory.models.requests import SearchRequest
from cognis_memory.models.values import Kind, Owner
from cognis_memory.services.retrieval.search import search
from cognis_memory.services.retrieval.state import RetrievalPorts

DEFAULT_MAX_TOKENS = 1_000


def build_context(
    ports: RetrievalPorts, owner: Owner, request: SearchRequest, *, request_id: str
) -> ContextAnswer:
    """As many results, best first, as fit into `max_tokens`; a line that does not fit is left out."""
    answer = search(ports, owner, request, request_id=request_id)
    left = request.max_tokens or DEFAULT_MAX_TOKENS
    budget = left
    lines, ids = [], []
    for result in answer.results:
        line = context_line(result, request.timezone)
        cost = estimate_tokens(line) + 1
        if cost <= left:
            left -= cost
            lines.append(line)
            ids.append(result.id)
    return ContextAnswer(text="\n".join(lines), memory_ids=ids, tokens=budget - left)


def context_line(result: SearchResult, timezone: str) -> str:
    """`- [2026-07-08] Ana lives in Osaka (before: Ana lives in Tokyo)` in the reader's zone."""
    moment = result.event_time or result.timestamp
    day = moment.astimezone(ZoneInfo(timezone)).date().isoformat()
    words = " ".join(result.memory.split())
    said = f"{result.speaker}: {words}" if result.kind is Kind.MESSAGE else words
    before = "; ".join(" ".join(entry.memory.split()) for entry in result.history or [])
    return f"- [{day}] {said}" + (f" (before: {before})" if before else "")
