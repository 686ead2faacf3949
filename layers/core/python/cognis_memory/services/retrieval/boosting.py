"""Stage 5: what happened at the time asked about, and what the person named in the query said."""

from __future__ import annotations

from dataclasses import replace

from cognis_memory.domain.settings import RetrievalSettings
from cognis_memory.domain.speakers import named_speaker
from cognis_memory.domain.temporal import TimeWindow, boost, event_window, proximity
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.services.retrieval.ranking import Ranked, by_strength


def boost_speaker(ranked: list[Ranked], query: str, settings: RetrievalSettings) -> list[Ranked]:
    """Strengthens what the one person named in the query said or is the subject of."""
    speakers = {candidate.document.speaker for candidate in ranked if candidate.document.speaker}
    named = named_speaker(query, speakers) if settings.speaker_boost else None
    if named is None:
        return ranked
    gain = 1 + settings.speaker_boost
    return by_strength(
        [replace(r, strength=r.strength * gain) if r.document.speaker == named else r for r in ranked]
    )


def boost_time(ranked: list[Ranked], window: TimeWindow | None, settings: RetrievalSettings) -> list[Ranked]:
    """Strengthens what happened in or near the window, by the settings' formula."""
    if window is None or not ranked:
        return ranked
    events = {candidate.id: _nearest_time(candidate.document, window) for candidate in ranked}
    if settings.temporal_gain:
        near = {id_: proximity(window, event, settings.temporal_decay_days) for id_, event in events.items()}
        boosted = {r.id: r.strength * (1 + settings.temporal_gain * near[r.id]) for r in ranked}
    else:
        near = boost(dict.fromkeys(events, 0.0), events, window, settings)
        boosted = boost({r.id: r.strength for r in ranked}, events, window, settings)
    return by_strength([replace(r, strength=boosted[r.id], temporal=near[r.id]) for r in ranked])


def _nearest_time(document: Memory | Message, window: TimeWindow) -> TimeWindow:
    """When it happened or when it was said, whichever is nearer to the window."""
    said = TimeWindow(document.timestamp, document.timestamp)
    if document.event_time is None:
        return said
    happened = event_window(document.event_time, document.event_end)
    return min(happened, said, key=window.distance_days)
