"""When a fact happens, by the speaker's calendar."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest


def test_the_date_stands_after_the_words_that_mean_it(extract):
    (fact,) = extract("I went to Paris last week.", at="2023-05-24T12:00:00Z")
    assert fact.content == "User went to Paris last week (15–21 May 2023)"
    assert (fact.event_time, fact.event_end) == (
        datetime(2023, 5, 15, tzinfo=UTC),
        datetime(2023, 5, 22, tzinfo=UTC),
    )


def test_japanese_dates_are_written_in_japanese(extract):
    (fact,) = extract("昨日、京都に行きました。", at="2026-07-08T03:00:00Z", timezone="Asia/Tokyo")
    assert fact.content == "ユーザーは昨日（2026年7月7日）、京都に行きました"
    assert fact.event_time == datetime(2026, 7, 6, 15, tzinfo=UTC)


def test_a_clock_time_is_the_speakers(extract):
    (fact,) = extract(
        "I have a dentist appointment tomorrow at 08:30.", at="2026-07-08T10:00:00Z", timezone="Asia/Shanghai"
    )
    assert fact.event_time == datetime(2026, 7, 9, 0, 30, tzinfo=UTC)
    assert fact.event_end is None


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("I flew to Rome on 3 April 2021.", "User flew to Rome on 3 April 2021"),
        ("I'm flying to Rome on 3 April.", "User is flying to Rome on 3 April (2026)"),
        ("I quit smoking last year.", "User quit smoking last year (2025)"),
        ("My birthday is on the 9th of November.", "User's birthday is on the 9th of November"),
        ("I live in Rome.", "User lives in Rome"),
    ],
)
def test_the_date_says_what_the_words_leave_open(extract, said, written):
    assert [fact.content for fact in extract(said)] == [written]


def test_a_second_clause_happens_when_the_first_does(extract):
    first, second = extract("Yesterday I drove to Split and visited a museum.")
    assert first.event_time == second.event_time == datetime(2026, 3, 17, tzinfo=UTC)


def test_an_unknown_zone_counts_as_utc(extract):
    (fact,) = extract("I went to Paris yesterday.", timezone="Mars/Olympus")
    assert fact.event_time == datetime(2026, 3, 17, tzinfo=UTC)


def test_a_fact_without_a_date_has_no_event_time(extract):
    (fact,) = extract("I like jazz.")
    assert fact.event_time is None


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("I moved to Oslo three years ago.", "three years ago (2023)"),
        ("I moved to Oslo two months ago.", "two months ago (January 2026)"),
        ("I moved to Oslo ten days ago.", "ten days ago (8 March 2026)"),
        ("3年前にオスロに引っ越しました。", "3年前（2023年）"),
        ("2ヶ月前にオスロに引っ越しました。", "2ヶ月前（2026年1月）"),
        ("10日前にオスロに引っ越しました。", "10日前（2026年3月8日）"),
    ],
)
def test_a_date_is_as_exact_as_what_is_said(extract, said, written):
    assert written in extract(said)[0].content


@pytest.mark.parametrize("said", ["日曜日にチェスをします。", "金曜日にヨガを習います。"])
def test_what_is_done_on_a_weekday_is_a_habit(extract, said):
    (fact,) = extract(said)
    assert fact.event_time is None
    assert "（" not in fact.content


@pytest.mark.parametrize(
    ("said", "lapses"),
    [
        ("I worked at Acme from 2023 to 2025.", True),
        ("I was in Paris from 1 May to 7 May.", True),
        ("I work at Acme since 2023.", False),
        ("I work at the office from Monday to Friday.", False),
        ("I went to Paris last week.", False),
        ("2023年から2025年までアクメで働いていました。", True),
        ("5月1日から7日までパリにいました。", True),
        ("2023年からアクメで働いています。", False),
        ("月曜から金曜まで会社で働いています。", False),
    ],
)
def test_what_names_both_its_ends_lapses(extract, said, lapses):
    (fact,) = extract(said)
    assert fact.lapses is lapses
