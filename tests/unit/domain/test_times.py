from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.times import parse_time

OFFSETS = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=OFFSETS))  # noqa: DTZ001
def test_what_is_written_is_read_back(moment: datetime) -> None:
    parsed = parse_time(moment.isoformat())
    assert parsed == moment
    assert parsed.tzinfo is UTC


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-07-15T12:00:00Z", datetime(2026, 7, 15, 12, tzinfo=UTC)),
        ("2026-07-15t12:00:00z", datetime(2026, 7, 15, 12, tzinfo=UTC)),
        ("2026-07-15 12:00:00.5-09:30", datetime(2026, 7, 15, 21, 30, 0, 500_000, tzinfo=UTC)),
        ("2026-07-15T12:00:00.1234567Z", datetime(2026, 7, 15, 12, 0, 0, 123_456, tzinfo=UTC)),
    ],
)
def test_forms_of_rfc_3339(text: str, moment: datetime) -> None:
    assert parse_time(text) == moment


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-07-15",
        "2026-07-15T12:00:00",
        "2026-07-15T12:00Z",
        "20260715T120000Z",
        "2026-W29-3T12:00:00Z",
        "2026-02-29T12:00:00Z",
        "2026-07-15T24:00:01Z",
        "2026-07-15T12:00:60Z",
        "2026-07-15T12:00:00+25:00",
        "0001-01-01T00:00:00+09:00",
        "2026-07-15T12:00:00Z\n",
        "２０２６-07-15T12:00:00Z",
        "yesterday",
    ],
)
def test_anything_else_is_no_instant(text: str) -> None:
    assert parse_time(text) is None
