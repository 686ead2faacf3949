"""Stage 1: what a query asks for: a time, the past of something, in which language."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from cognis_memory.domain.history_intent import asks_for_history
from cognis_memory.domain.language import detect_language
from cognis_memory.domain.temporal import TimeWindow
from cognis_memory.models.requests import SearchRequest


@dataclass(frozen=True, slots=True)
class QueryAnalysis:
    """`temporal` says that the query is about time; `window` is the time it names, if it names one."""

    language: str
    temporal: bool
    window: TimeWindow | None
    history: bool


def analyse(request: SearchRequest, now: datetime) -> QueryAnalysis:
    """Dates in the query count from its reference time, on the user's own clock."""
    # Its grammars are the largest part of a search, and other reads answer without them.
    from cognis_memory.domain.dates import asks_when, query_window  # noqa: PLC0415

    reference = (request.reference_time or now).astimezone(ZoneInfo(request.timezone))
    mention = query_window(request.query, reference)
    return QueryAnalysis(
        language=detect_language(request.query),
        temporal=mention is not None or asks_when(request.query),
        window=TimeWindow(mention.start, mention.end) if mention else None,
        history=request.history == "always"
        or (request.history == "auto" and asks_for_history(request.query)),
    )
