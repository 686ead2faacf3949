"""How near in time a document is to the time that a query asks about."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from cognis_memory.domain.settings import RetrievalSettings

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """A stretch of time from `start` to `end`, exclusive; both aware. An instant has `end` equal to `start`.

    Raises ValueError when it ends before it starts.
    """

    start: datetime
    end: datetime

    def __post_init__(self) -> None:
        if self.end < self.start:
            raise ValueError("a window ends no earlier than it starts")

    @property
    def width_days(self) -> float:
        return (self.end - self.start) / _DAY

    def overlaps(self, other: TimeWindow) -> bool:
        """Whether they share an instant; windows that only touch do not."""
        first, second = sorted((self, other), key=lambda window: (window.start, window.end))
        return second.start < first.end or second.start == first.start

    def distance_days(self, event: TimeWindow) -> float:
        """Days from this window to an event: 0 when they overlap, else from the nearer edge to its middle.

        The middle, since ranges are mostly whole days: today's events touch yesterday without being of it.
        """
        if self.overlaps(event):
            return 0.0
        middle = event.start + (event.end - event.start) / 2
        gap = self.start - middle if event.start < self.start else middle - self.end
        return gap / _DAY


def event_window(event_time: datetime, event_end: datetime | None) -> TimeWindow:
    """The stretch that a document's event takes; an end before the start counts as none."""
    return TimeWindow(event_time, max(event_time, event_end or event_time))


def temporal_relevance(distance_days: float, window_days: float, floor: float) -> float:
    """max(floor, 1 − distance / window_days), after Cognis (arXiv 2604.19771); `window_days` is above 0."""
    return max(floor, 1.0 - distance_days / window_days)


def proximity(window: TimeWindow, event: TimeWindow, least_decay_days: float) -> float:
    """exp(−distance / decay): 1 in the window, falling off with half its width or the least decay."""
    decay = max(least_decay_days, window.width_days / 2)
    return math.exp(-window.distance_days(event) / decay)


def boost(
    fused: Mapping[str, float],
    events: Mapping[str, TimeWindow],
    window: TimeWindow,
    settings: RetrievalSettings,
) -> dict[str, float]:
    """The score of each document of `fused` for a query about `window`, in the order given.

    temporal_weight · temporal relevance + fused_weight · fused score / greatest fused score, after Cognis
    (arXiv 2604.19771); divided by the greatest, both terms run to 1. A document without an event has the
    least relevance.
    """
    greatest = max(fused.values(), default=0.0) or 1.0
    window_days = min(max(window.width_days, settings.min_window_days), settings.max_window_days)

    def relevance(document_id: str) -> float:
        event = events.get(document_id)
        if event is None:
            return settings.temporal_floor
        return temporal_relevance(window.distance_days(event), window_days, settings.temporal_floor)

    return {
        document_id: settings.temporal_weight * relevance(document_id)
        + settings.fused_weight * score / greatest
        for document_id, score in fused.items()
    }
