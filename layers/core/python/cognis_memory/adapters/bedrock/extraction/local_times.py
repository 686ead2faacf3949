"""Days and times as a model writes them, in the zone of the message that they come from."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT: Final = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?")


def span_of(first: str | None, last: str | None, zone: str) -> tuple[datetime | None, datetime | None]:
    """From the beginning of the first day to the end of the last, exclusive, in UTC.

    A first day alone is that day; a time of day is an instant, without an end. Both None: no time at all.
    Raises ValueError for anything else, saying what is expected and quoting nothing.
    """
    if first is None:
        if last is not None:
            raise ValueError("`to` without `from`")
        return None, None
    local = ZoneInfo(zone)
    if _MOMENT.fullmatch(first):
        if last is not None:
            raise ValueError("`to` is null where `from` has a time")
        return _utc(_parsed(first, local)), None
    start, end = _day(first), _day(last or first)
    if end < start:
        raise ValueError("`to` is before `from`")
    return _utc(_midnight(start, local)), _utc(_midnight(_day_after(end), local))


def _day(text: str) -> date:
    if not _DAY.fullmatch(text):
        raise ValueError("expected YYYY-MM-DD")
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError("there is no such day") from None


def _parsed(text: str, local: ZoneInfo) -> datetime:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=local)
    except ValueError:
        raise ValueError("there is no such day or hour") from None


def _day_after(day: date) -> date:
    try:
        return day + timedelta(days=1)
    except OverflowError:
        raise ValueError("the day is beyond the calendar") from None


def _midnight(day: date, local: ZoneInfo) -> datetime:
    return datetime.combine(day, time.min, local)


def _utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("the day is beyond the calendar") from None
