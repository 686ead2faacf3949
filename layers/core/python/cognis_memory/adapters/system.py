"""What a process has from its machine: the time, and numbers that nobody can guess."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from cognis_memory.domain.ids import RANDOM_BYTES, event_id
from cognis_memory.models.times import whole_milliseconds


def now() -> datetime:
    """The `Clock` port: in whole milliseconds, as times are stored."""
    return whole_milliseconds(datetime.now(UTC))


def new_event_id(accepted_at: datetime) -> str:
    """The id of an event accepted at that time."""
    return event_id(round(accepted_at.timestamp() * 1_000), secrets.token_bytes(RANDOM_BYTES))
