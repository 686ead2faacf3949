from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.adapters.bedrock.extraction.local_times import span_of

ZONES = st.sampled_from(["UTC", "Asia/Tokyo", "America/New_York", "Pacific/Apia", "Europe/Berlin"])
DAYS = st.dates(date(1, 1, 3), date(9999, 12, 29))


@given(first=DAYS, days=st.integers(0, 400), zone=ZONES)
def test_days_run_from_midnight_to_midnight_where_they_were_meant(first: date, days: int, zone: str) -> None:
    last = min(first.toordinal() + days, date(9999, 12, 29).toordinal())

    start, end = span_of(first.isoformat(), date.fromordinal(last).isoformat(), zone)

    assert start is not None
    assert end is not None
    assert start.astimezone(ZoneInfo(zone)).date() == first
    assert end.astimezone(ZoneInfo(zone)).date() in (
        date.fromordinal(last + 1),
        date.fromordinal(last + 2),  # Apia left out a whole day
    )
    assert start < end


@given(day=DAYS, zone=ZONES)
def test_a_day_alone_is_that_day(day: date, zone: str) -> None:
    assert span_of(day.isoformat(), None, zone) == span_of(day.isoformat(), day.isoformat(), zone)


def test_a_time_is_an_instant() -> None:
    tokyo = datetime(2026, 7, 9, 15, 30, tzinfo=ZoneInfo("Asia/Tokyo"))

    assert span_of("2026-07-09T15:30", None, "Asia/Tokyo") == (tokyo.astimezone(UTC), None)
    assert span_of("2026-07-09T15:30:20", None, "UTC") == (
        datetime(2026, 7, 9, 15, 30, tzinfo=UTC) + timedelta(seconds=20),
        None,
    )


def test_no_day_is_no_time() -> None:
    assert span_of(None, None, "UTC") == (None, None)


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (None, "2026-01-01"),
        ("2026-01-02", "2026-01-01"),
        ("2026-02-30", None),
        ("2026-01-01", "2026-13-01"),
        ("2026-01-01T25:00", None),
        ("2026-01-01T10:00", "2026-01-01"),
        ("2026-01-01T10:00Z", None),
        ("20260101", None),
        ("last week", None),
        ("", None),
        ("0000-01-01", None),
        ("9999-12-31", None),
        ("0001-01-01", None),
    ],
)
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
def test_what_is_no_span_is_refused_without_being_quoted(
    first: str | None, last: str | None, zone: str
) -> None:
    if (first, zone) == ("0001-01-01", "America/New_York"):
        assert span_of(first, last, zone)[0] is not None
        return
    with pytest.raises(ValueError, match=r"expected|no such|before|null|without|calendar") as refused:
        span_of(first, last, zone)
    assert "last week" not in str(refused.value)
