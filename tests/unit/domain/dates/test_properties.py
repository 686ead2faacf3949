"""What holds for every text and every reference."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cognis_memory.domain.dates import asks_when, find_dates, main_date, query_window
from cognis_memory.domain.dates.holidays import HOLIDAYS, easter
from cognis_memory.domain.dates.spans import CalendarUnitName, add_months, days_in_month, unit_span

# Zones with clock changes at midnight, half hours and odd offsets among them.
ZONES = [
    ZoneInfo(name)
    for name in (
        "UTC",
        "Asia/Tokyo",
        "Europe/Berlin",
        "America/New_York",
        "America/Sao_Paulo",
        "Asia/Beirut",
        "Australia/Lord_Howe",
        "Pacific/Apia",
        "Asia/Kathmandu",
    )
]
WORDS = """
    last next this past coming week weekend month year Monday Fri sat March may 5th 31 2019 1999 two a
    few couple days weeks ago in from to until between and since before after of the at on early mid
    late end half quarter q3 summer winter Christmas easter morning night 7pm 19:30 noon 2021-03-05
    3/14 99/99/9999 9999 0 000 - – , . ? ( ' yesterday tomorrow hence hours 9999999999 every first
    second rest earlier 90s will went I 昨日 来週 の 火曜 日曜日 3日 前 後 5月 7月 から まで 去年 夏
    末 第2 二千 十 〇 年 令和 元年 9999年 9999年前 99999日後 午後 3時 半 ここ この前の 今度の この
    数日 翌日 クリスマス 1/2 ~ は に 、 。 た ます 行った 予定
"""
UNITS: list[CalendarUnitName] = ["day", "week", "month", "quarter", "half_year", "year", "decade"]
PIECES = st.sampled_from(WORDS.split())
TEXTS = st.one_of(
    st.text(max_size=120),
    st.lists(PIECES, max_size=14).map(" ".join),
    st.lists(PIECES, max_size=14).map("".join),
)
REFERENCES = st.datetimes(
    min_value=datetime(1, 1, 3),  # noqa: DTZ001 - zones are drawn apart
    max_value=datetime(9999, 12, 29),  # noqa: DTZ001
    timezones=st.sampled_from(ZONES),
)


@settings(max_examples=250, deadline=None)
@given(TEXTS, REFERENCES)
def test_any_text_is_safe_and_mentions_are_sound(text: str, reference: datetime) -> None:
    stop = 0
    for mention in find_dates(text, reference):
        assert stop <= mention.start_index < mention.end_index <= len(text)
        assert text[mention.start_index : mention.end_index] == mention.text
        assert mention.start.astimezone(UTC) <= mention.end.astimezone(UTC)
        assert mention.start.tzinfo is mention.end.tzinfo is reference.tzinfo
        stop = mention.end_index


@settings(max_examples=100, deadline=None)
@given(TEXTS, REFERENCES)
def test_the_main_date_and_the_window_are_dates_of_the_text(text: str, reference: datetime) -> None:
    found = find_dates(text, reference)
    main = main_date(text, reference)
    assert (main in found) if found else main is None
    window = query_window(text, reference)
    assert window is None or text[window.start_index : window.end_index] == window.text
    assert asks_when(text) in (True, False)


@settings(max_examples=100, deadline=None)
@given(
    st.integers(1, 200),
    st.sampled_from(["day", "week", "month", "year"]),
    st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=st.sampled_from(ZONES)),  # noqa: DTZ001
)
def test_both_languages_count_alike(count: int, unit: str, reference: datetime) -> None:
    word = {"day": "日", "week": "週間", "month": "か月", "year": "年"}[unit]
    (english,) = find_dates(f"It happened {count} {unit}s ago.", reference)
    (japanese,) = find_dates(f"{count}{word}前に起きた。", reference)
    assert (english.start, english.end) == (japanese.start, japanese.end)
    assert english.start < reference


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["Monday", "Thursday", "Sunday"]), st.sampled_from(ZONES), st.dates())
def test_last_and_coming_weekday_are_within_a_week(weekday: str, zone: ZoneInfo, day: date) -> None:
    reference = datetime(max(2, min(9998, day.year)), day.month, min(28, day.day), 12, tzinfo=zone)
    (last,) = find_dates(f"We met last {weekday}.", reference)
    (coming,) = find_dates(f"We will meet this coming {weekday}.", reference)
    assert 1 <= (reference.date() - last.start.date()).days <= 7
    assert 1 <= (coming.start.date() - reference.date()).days <= 7
    assert last.start.strftime("%A") == coming.start.strftime("%A") == weekday


@given(st.dates(), st.integers(-500, 500))
def test_months_are_added_and_clamped(day: date, months: int) -> None:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        with pytest.raises(ValueError, match="year"):
            add_months(day, months)
        return
    moved = add_months(day, months)
    assert (moved.year, moved.month) == (year, month + 1)
    assert moved.day == min(day.day, days_in_month(year, month + 1))


@given(
    st.dates(date(200, 1, 1), date(9800, 1, 1)),
    st.sampled_from(UNITS),
    st.integers(-12, 12),
)
def test_units_tile_the_calendar(day: date, unit: CalendarUnitName, shift: int) -> None:
    here = unit_span(unit, day)
    assert here.first_day <= day <= here.last_day
    there = unit_span(unit, day, shift)
    after = unit_span(unit, day, shift + 1)
    assert there.end == after.start


@pytest.mark.parametrize(
    ("year", "day"),
    [(1818, "03-22"), (1943, "04-25"), (2000, "04-23"), (2008, "03-23"), (2019, "04-21"), (2024, "03-31")],
)
def test_easter(year: int, day: str) -> None:
    assert easter(year).isoformat() == f"{year}-{day}"


@given(st.sampled_from(sorted(HOLIDAYS)), st.integers(1900, 2099))
def test_every_holiday_lies_in_its_year(name: str, year: int) -> None:
    rule, length = HOLIDAYS[name]
    assert rule(year).year == year
    assert 1 <= length <= 7


REPEATED = [
    *("last ", "two days after ", "the week before ", "from Monday to ", "Monday - ", "first week of "),
    *("1/", "7 ", "来週の", "クリスマスの翌日の", "月曜から", "2年と", "二", "年", "when ", "how many days "),
]


@pytest.mark.parametrize("piece", REPEATED)
def test_time_grows_with_the_text_only(piece: str) -> None:
    """Four times the text takes about four times as long; a quadratic rule would take sixteen."""
    reference = datetime(2024, 5, 15, 10, 30, tzinfo=UTC)

    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        best = float("inf")
        for _ in range(3):
            started = time.process_time()
            find_dates(text, reference)
            asks_when(text)
            best = min(best, time.process_time() - started)
        return best

    short, long = seconds(1_000), seconds(4_000)
    assert long <= 10 * short + 0.02


@pytest.mark.parametrize(
    "text",
    [
        "クリスマス" + "の翌日" * 3000,
        "クリスマス" + "の3日前" * 3000,
        "the day after " * 3000 + "Easter",
        "two days before " * 3000 + "Easter",
        "of the last week " * 3000,
        "Next week, the Tuesday before last, " * 500,
    ],
)
def test_deep_nesting_is_safe(text: str) -> None:
    assert all(mention.text for mention in find_dates(text, datetime(2024, 5, 15, 10, 30, tzinfo=UTC)))
