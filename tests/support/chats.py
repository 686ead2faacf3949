"""Requests for extraction as the pipeline makes them."""

from __future__ import annotations

from datetime import datetime, timedelta

from cognis_memory.domain.language import detect_language
from cognis_memory.models.extraction import ExtractionRequest, LabelledMemory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Category, Role

WEDNESDAY = datetime.fromisoformat("2026-07-08T11:00:00+00:00")


def turn(content: str, position: int = 0, *, speaker: str = "Ana", timezone: str = "UTC") -> Message:
    moment = WEDNESDAY + timedelta(minutes=position)
    return Message(
        id=f"msg_{position}",
        tenant_id="tenant",
        user_id="user",
        event_id="evt",
        position=position,
        role=Role.USER,
        speaker=speaker,
        content=content,
        language=detect_language(content),
        timestamp=moment,
        timezone=timezone,
        created_at=moment,
    )


def held(label: int, content: str, slot: str | None = None, *, retracted: bool = False) -> LabelledMemory:
    return LabelledMemory(
        label, content, Category.PERSONAL_DETAILS, "user", slot, WEDNESDAY, retracted=retracted
    )


def asking(*contents: str, similar: tuple[LabelledMemory, ...] = ()) -> ExtractionRequest:
    messages = tuple(turn(content, position) for position, content in enumerate(contents))
    return ExtractionRequest(messages, similar=similar)
