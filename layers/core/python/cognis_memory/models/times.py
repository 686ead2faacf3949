"""How precise the project's times are."""

from __future__ import annotations

from datetime import datetime


def whole_milliseconds(moment: datetime) -> datetime:
    """The moment without what times lose when they are stored, so that it reads back the same."""
    return moment.replace(microsecond=moment.microsecond // 1_000 * 1_000)
