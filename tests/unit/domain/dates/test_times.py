"""Clock times, instants and parts of the day; zones and clock changes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from cognis_memory.domain.dates import find_dates

TOKYO = ZoneInfo("Asia/Tokyo")
SAID = datetime(2024, 5, 15, 10, 30, tzinfo=TOKYO)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Dentist appointment tomorrow at 08:30.", "2024-05-16T08:30"),
        ("I'll call you at 7pm on Friday.", "2024-05-17T19:00"),
        ("Dinner is on Friday evening at 8.", "2024-05-17T20:00"),
        ("The flight leaves July 3 at 18:20.", "2024-07-03T18:20"),
        ("The call is on 2021-03-05T10:00:00.", "2021-03-05T10:00"),
        ("I ran yesterday at a quarter past six in the morning.", "2024-05-14T06:15"),
        ("We landed last night at 11.", "2024-05-14T23:00"),
        ("Meet me at noon on Saturday.", "2024-05-18T12:00"),
        ("Let's meet tomorrow at 4.", "2024-05-16T16:00"),
        ("明日の8時半に歯医者に行きます。", "2024-05-16T08:30"),
        ("明日は8時半に歯医者に行きます。", "2024-05-16T08:30"),
        ("来週火曜の午後3時に打ち合わせです。", "2024-05-21T15:00"),
        ("昨日の夜10時に電話があった。", "2024-05-14T22:00"),
        ("今晩８時から飲み会です。", "2024-05-15T20:00"),
        ("火曜の15:30に会いましょう。", "2024-05-21T15:30"),
        ("平成7年1月17日5時46分に起きた。", "1995-01-17T05:46"),
        ("昨夜2時に寝た。", "2024-05-15T02:00"),
    ],
)
def test_a_clock_time_on_a_day_is_an_instant(text: str, moment: str) -> None:
    (mention,) = find_dates(text, SAID)
    assert mention.start == mention.end == datetime.fromisoformat(moment).replace(tzinfo=TOKYO)
    assert mention.granularity == "minute"


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("This morning I swam.", "2024-05-15T06:00", "2024-05-15T12:00"),
        ("Tonight we eat out.", "2024-05-15T18:00", "2024-05-16T00:00"),
        ("We spoke on the afternoon of May 3rd.", "2024-05-03T12:00", "2024-05-03T18:00"),
        ("We spoke yesterday from 3 to 5pm.", "2024-05-14T15:00", "2024-05-14T17:00"),
        ("We spoke last Friday between 3pm and 5pm.", "2024-05-10T15:00", "2024-05-10T17:00"),
        ("9am-5pm tomorrow is blocked.", "2024-05-16T09:00", "2024-05-16T17:00"),
        ("The party is from Friday 8pm to Saturday 2am.", "2024-05-17T20:00", "2024-05-18T02:00"),
        ("明日の朝に出発する。", "2024-05-16T06:00", "2024-05-16T12:00"),
        ("明日の9時から17時まで会議", "2024-05-16T09:00", "2024-05-16T17:00"),
        ("昨日の午後3時から5時まで寝た。", "2024-05-14T15:00", "2024-05-14T17:00"),
    ],
)
def test_hours_of_a_day(text: str, start: str, end: str) -> None:
    (mention,) = find_dates(text, SAID)
    assert mention.start == datetime.fromisoformat(start).replace(tzinfo=TOKYO)
    assert mention.end == datetime.fromisoformat(end).replace(tzinfo=TOKYO)


@pytest.mark.parametrize(
    ("text", "distance", "granularity"),
    [
        ("He left two hours ago.", timedelta(hours=-2), "hour"),
        ("I'll be there in 20 minutes.", timedelta(minutes=20), "minute"),
        ("2時間前に食べた。", timedelta(hours=-2), "hour"),
        ("30分後に着きます。", timedelta(minutes=30), "minute"),
    ],
)
def test_hours_and_minutes_are_counted_from_the_message(
    text: str, distance: timedelta, granularity: str
) -> None:
    (mention,) = find_dates(text, SAID)
    assert mention.start == mention.end == SAID + distance
    assert mention.granularity == granularity


def test_hours_are_elapsed_time_across_a_clock_change() -> None:
    said = datetime(2024, 3, 31, 9, 0, tzinfo=ZoneInfo("Europe/Berlin"))  # clocks went from 2 to 3 that night
    (mention,) = find_dates("I woke up eight hours ago.", said)
    assert mention.start.astimezone(UTC) == said.astimezone(UTC) - timedelta(hours=8)
    assert mention.start.isoformat() == "2024-03-31T00:00:00+01:00"


def test_a_day_is_a_wall_day_across_a_clock_change() -> None:
    said = datetime(2024, 4, 1, 9, 0, tzinfo=ZoneInfo("Europe/Berlin"))
    (mention,) = find_dates("It rained yesterday.", said)
    assert mention.start.isoformat() == "2024-03-31T00:00:00+01:00"
    assert mention.end.isoformat() == "2024-04-01T00:00:00+02:00"
    assert mention.end.astimezone(UTC) - mention.start.astimezone(UTC) == timedelta(hours=23)


def test_a_wall_time_that_a_clock_change_leaves_out_moves_past_it() -> None:
    said = datetime(2024, 3, 30, 9, 0, tzinfo=ZoneInfo("Europe/Berlin"))
    (mention,) = find_dates("The backup runs tomorrow at 02:30.", said)
    assert mention.start.isoformat() == "2024-03-31T03:30:00+02:00"


def test_the_zone_decides_what_day_it_is() -> None:
    moment = datetime(2024, 1, 1, 3, 0, tzinfo=UTC)
    (in_utc,) = find_dates("I moved yesterday.", moment)
    (in_new_york,) = find_dates("I moved yesterday.", moment.astimezone(ZoneInfo("America/New_York")))
    assert in_utc.start.date().isoformat() == "2023-12-31"
    assert in_new_york.start.date().isoformat() == "2023-12-30"


def test_a_naive_reference_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        find_dates("yesterday", datetime(2024, 5, 15, 10, 30))  # noqa: DTZ001
