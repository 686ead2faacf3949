"""Stage 5: what happened at the time asked about, and what the person named in the query said."""

from __future__ import annotations

from dataclasses import replace

from cognis_memory.domain.lazy_patterns import lazy_pattern
from cognis_memory.domain.settings import RetrievalSettings
from cognis_memory.domain.speakers import asks_of_self, named_speaker
from cognis_memory.domain.temporal import TimeWindow, boost, event_window, proximity
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.services.retrieval.own_memories import is_own
from cognis_memory.services.retrieval.ranking import Ranked, by_strength

_RELATIVE = lazy_pattern(r"^[^はがもの]{1,12}の(?P<relation>[^はがもの]{1,8})[はがも]")
"""The relative whom a Japanese content is about: 妹 of 「ユーザーの妹は…」."""


def boost_speaker(ranked: list[Ranked], query: str, settings: RetrievalSettings) -> list[Ranked]:
    """Strengthens what the one person named in the query said or is the subject of.

    A question of the asker's own puts what is about others behind.
    """
    speakers = {candidate.document.speaker for candidate in ranked if candidate.document.speaker}
    gain = 1 + settings.speaker_boost
    named = named_speaker(query, speakers) if settings.speaker_boost else None
    if named is None:
        return _own_first(ranked, query, gain) if settings.speaker_boost and asks_of_self(query) else ranked
    return by_strength(
        [replace(r, strength=r.strength * gain) if r.document.speaker == named else r for r in ranked]
    )


def _own_first(ranked: list[Ranked], query: str, gain: float) -> list[Ranked]:
    """Who asks of themselves does not mean their sister: what is about others not named steps back."""
    return by_strength(
        [replace(r, strength=r.strength / gain) if _is_of_another(r.document, query) else r for r in ranked]
    )


def _is_of_another(document: Memory | Message, query: str) -> bool:
    if not isinstance(document, Memory) or not document.subject or is_own(document):
        return False
    written = _RELATIVE().match(document.content)
    who = written["relation"] if written else document.subject.rpartition("'s ")[2]
    return who.casefold() not in query.casefold()


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
