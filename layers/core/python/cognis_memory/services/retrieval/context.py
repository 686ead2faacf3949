"""Search results as dated lines that fit into a prompt."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from cognis_memory.domain.prompt_injection import is_injection
from cognis_memory.domain.tokens import estimate_tokens
from cognis_memory.models.answers import ContextAnswer, SearchResult
from cognis_memory.models.requests import SearchRequest
from cognis_memory.models.values import Kind, Owner
from cognis_memory.services.retrieval.search import search
from cognis_memory.services.retrieval.state import RetrievalPorts, StageLog

DEFAULT_MAX_TOKENS = 1_000


def build_context(
    ports: RetrievalPorts,
    owner: Owner,
    request: SearchRequest,
    *,
    request_id: str,
    log: StageLog | None = None,
) -> ContextAnswer:
    """As many results, best first, as fit into `max_tokens`; a line that does not fit is left out.

    So is a message that would instruct who reads the prompt.
    """
    answer = search(ports, owner, request, request_id=request_id, log=log)
    left = request.max_tokens or DEFAULT_MAX_TOKENS
    budget = left
    lines, ids = [], []
    for result in answer.results:
        if result.kind is Kind.MESSAGE and is_injection(result.memory):
            continue
        line = context_line(result, request.timezone)
        cost = estimate_tokens(line) + 1
        if cost <= left:
            left -= cost
            lines.append(line)
            ids.append(result.id)
    return ContextAnswer(text="\n".join(lines), memory_ids=ids, tokens=budget - left)


def context_line(result: SearchResult, timezone: str) -> str:
    """`- [2026-07-08] Ana lives in Osaka (before: Ana lives in Tokyo)` in the reader's zone.

    What is no longer so says until when it was: `- [2026-01-08] Ana plays the cello (until 2026-05-01)`.
    """
    moment = result.event_time or result.timestamp
    words = " ".join(result.memory.split())
    said = f"{result.speaker}: {words}" if result.kind is Kind.MESSAGE else words
    return f"- [{_day(moment, timezone)}] {said}{_past(result, timezone)}"


def _past(result: SearchResult, timezone: str) -> str:
    entries = result.history or []
    own = next((place for place, entry in enumerate(entries) if entry.id == result.id), None)
    notes = []
    if own is not None and (ended := entries[own].valid_until):
        notes.append(f"until {_day(ended, timezone)}")
    if before := "; ".join(" ".join(entry.memory.split()) for entry in entries[:own]):
        notes.append(f"before: {before}")
    return f" ({', '.join(notes)})" if notes else ""


def _day(moment: datetime, timezone: str) -> date:
    try:
        return moment.astimezone(ZoneInfo(timezone)).date()
    except OverflowError:  # the zone's day lies beyond the calendar, before the year 1 or after 9999
        return moment.date()
