from __future__ import annotations

from datetime import datetime

from cognis_memory.models.message import Message
from cognis_memory.models.values import Role

WEDNESDAY = "2026-03-18T10:00:00Z"


def message(
    content: str,
    *,
    role: str = "user",
    speaker: str | None = None,
    timezone: str = "UTC",
    at: str = WEDNESDAY,
) -> Message:
    moment = datetime.fromisoformat(at)
    return Message(
        id="msg",
        tenant_id="tenant",
        user_id="user",
        event_id="evt",
        position=0,
        role=Role(role),
        speaker=speaker or role,
        content=content,
        timestamp=moment,
        timezone=timezone,
        created_at=moment,
    )
