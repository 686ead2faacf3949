"""Times as RFC 3339 writes them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from cognis_memory.models.values import RFC3339

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def parse_time(text: str) -> datetime | None:
    """The instant, in UTC and to the microsecond, that an RFC 3339 date-time names; None for any other text.

    A date alone, a time without an offset and a leap second (`:60`) name no instant here.
    """
    if not RFC3339.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):  # no such day or hour, or outside the years 1 to 9999 in UTC
        return None


def microseconds(moment: datetime) -> int:
    """Since 1970, exactly."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def instant_of(text: str) -> int | None:
    """The microseconds since 1970 of an RFC 3339 time; None for any other text."""
    moment = parse_time(text)
    return None if moment is None else microseconds(moment)
