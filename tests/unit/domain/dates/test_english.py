"""What English time expressions mean, said on Wednesday, 15 May 2024, 10:30 in Tokyo."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from cognis_memory.domain.dates import DateMention, find_dates

SAID = datetime(2024, 5, 15, 10, 30, tzinfo=ZoneInfo("Asia/Tokyo"))


def days(mention: DateMention) -> tuple[date, date]:
    """First and last day, inclusive."""
    return mention.start.date(), max(mention.start, mention.end - timedelta(microseconds=1)).date()


def check(text: str, first: str, last: str | None) -> None:
    (mention,) = find_dates(text, SAID)
    assert days(mention) == (date.fromisoformat(first), date.fromisoformat(last or first))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("We sold the car yesterday.", "2024-05-14", None),
        ("I bought it the day before yesterday.", "2024-05-13", None),
        ("The trip is the day after tomorrow.", "2024-05-17", None),
        ("He phoned last night.", "2024-05-14", None),
        ("It was the night before last.", "2024-05-13", None),
        ("We got married two weeks ago.", "2024-05-01", None),
        ("I saw him a couple of days ago.", "2024-05-13", None),
        ("I quit smoking a year and a half ago.", "2022-11-15", None),
        ("I quit half a year ago.", "2023-11-15", None),
        ("It broke 3 weeks and 2 days ago.", "2024-04-22", None),
        ("Two or three days ago I saw a fox.", "2024-05-12", "2024-05-13"),
        ("He came a week ago today.", "2024-05-08", None),
        ("He came two weeks ago on Saturday.", "2024-05-04", None),
        ("We met three Fridays ago.", "2024-04-26", None),
        ("Two summers ago we went to Norway.", "2022-06-21", "2022-09-23"),
        ("We camped two weekends ago.", "2024-05-04", "2024-05-05"),
        ("It was about 3 years ago in the fall.", "2021-09-23", "2021-12-21"),
        ("In three days we leave.", "2024-05-18", None),
        ("I'll be back in a fortnight.", "2024-05-29", None),
        ("It is due in two months' time.", "2024-07-15", None),
        ("It's due a week from Friday.", "2024-05-24", None),
        ("It's due a week on Friday.", "2024-05-24", None),
        ("It's due a week tomorrow.", "2024-05-23", None),
        ("I'll call a week before Friday, 31 May.", "2024-05-24", None),
        ("The call is three weeks from tomorrow.", "2024-06-06", None),
        ("We meet 2 Mondays from now.", "2024-05-27", None),
        ("It's due two days after Christmas.", "2024-12-27", None),
        ("It happened three days before Christmas 2022.", "2022-12-22", None),
        ("My birthday is the Sunday after Easter.", "2025-04-27", None),
        ("It rained the weekend before Christmas 2023.", "2023-12-23", "2023-12-24"),
        ("This time last year I was in Peru.", "2023-05-15", None),
        ("The week of June 3 is blocked.", "2024-06-03", "2024-06-09"),
    ],
)
def test_distances(text: str, first: str, last: str | None) -> None:
    check(text, first, last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("I was ill last week.", "2024-05-06", "2024-05-12"),
        ("I was ill the week before last.", "2024-04-29", "2024-05-05"),
        ("She visits the month after next.", "2024-07-01", "2024-07-31"),
        ("The year before last we moved.", "2022-01-01", "2022-12-31"),
        ("We went out this past weekend.", "2024-05-11", "2024-05-12"),
        ("I'm away this coming weekend.", "2024-05-18", "2024-05-19"),
        ("Next weekend I'm off.", "2024-05-25", "2024-05-26"),
        ("I met her last Friday.", "2024-05-10", None),
        ("I met her last Wednesday.", "2024-05-08", None),
        ("This Sunday I rest.", "2024-05-19", None),
        ("The review is next Friday.", "2024-05-24", None),
        ("See you this coming Friday.", "2024-05-17", None),
        ("We met the Friday before last.", "2024-05-03", None),
        ("The review is on Tuesday of next week.", "2024-05-21", None),
        ("We went on Thursday last week.", "2024-05-09", None),
        ("We went hiking last summer.", "2023-06-21", "2023-09-23"),
        ("This fall we will marry.", "2024-09-23", "2024-12-21"),
        ("Last winter was mild.", "2023-12-21", "2024-03-20"),
        ("I was in Rome this April.", "2024-04-01", "2024-04-30"),
        ("I'll be in Rome next April.", "2025-04-01", "2025-04-30"),
        ("I was in Rome last May.", "2023-05-01", "2023-05-31"),
        ("Last Christmas we stayed home.", "2023-12-25", None),
        ("Sales grew last quarter.", "2024-01-01", "2024-03-31"),
        ("In the last three days I slept badly.", "2024-05-12", "2024-05-14"),
        ("The next 3 days are free.", "2024-05-16", "2024-05-18"),
        ("Over the past few weeks I have been tired.", "2024-04-24", "2024-05-14"),
        ("Earlier this week I broke my arm.", "2024-05-13", "2024-05-15"),
        ("Later this month we fly to Oslo.", "2024-05-15", "2024-05-31"),
        ("The rest of the week is free.", "2024-05-15", "2024-05-19"),
    ],
)
def test_turns(text: str, first: str, last: str | None) -> None:
    check(text, first, last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("I went to the gym on Monday.", "2024-05-13", None),
        ("I will go to the gym on Monday.", "2024-05-20", None),
        ("What did I cook on Wednesday?", "2024-05-08", None),
        ("I'm cooking on Wednesday.", "2024-05-22", None),
        ("I saw her on the 3rd.", "2024-05-03", None),
        ("I will see her on the 3rd.", "2024-06-03", None),
        ("We married on March 5th.", "2024-03-05", None),
        ("The wedding is on March 5th.", "2025-03-05", None),
        ("The lease ended in September.", "2023-09-01", "2023-09-30"),
        ("The lease ends in September.", "2024-09-01", "2024-09-30"),
        ("I started running in the winter.", "2023-12-21", "2024-03-20"),
        ("We are moving in the winter.", "2024-12-21", "2025-03-20"),
        ("What did you do over the weekend?", "2024-05-11", "2024-05-12"),
        ("I'm going away over the weekend.", "2024-05-18", "2024-05-19"),
        ("We booked a table for Friday.", "2024-05-17", None),
        ("I've got a dentist appointment on Friday.", "2024-05-17", None),
        ("I read a novel on Friday.", "2024-05-10", None),
        ("On Thanksgiving we ate too much.", "2023-11-23", None),
        ("What are we cooking for Thanksgiving?", "2024-11-28", None),
        ("Friday the 13th was scary.", "2023-10-13", None),
        ("We meet on Tuesday the 21st.", "2024-05-21", None),
    ],
)
def test_tense_decides_the_turn(text: str, first: str, last: str | None) -> None:
    check(text, first, last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("I met Anna on 5 March 2021.", "2021-03-05", None),
        ("I was born on the 3rd of July, 1990.", "1990-07-03", None),
        ("It was Mar. 14th, 2023.", "2023-03-14", None),
        ("It was the fourteenth of March 2023.", "2023-03-14", None),
        ("It was on 14-Mar-2023.", "2023-03-14", None),
        ("It was Mar 14, '23.", "2023-03-14", None),
        ("It was the 3rd of Feb 82.", "1982-02-03", None),
        ("We moved on 2021-03-05.", "2021-03-05", None),
        ("We moved on 2021/3/5.", "2021-03-05", None),
        ("It was 3/14/2023.", "2023-03-14", None),
        ("It was 14/3/2023.", "2023-03-14", None),
        ("It was 14.03.2023.", "2023-03-14", None),
        ("It was on 3/14.", "2024-03-14", None),
        ("I graduated in May of 2012.", "2012-05-01", "2012-05-31"),
        ("It began in march 2020.", "2020-03-01", "2020-03-31"),
        ("In 2019 I lived in Rome.", "2019-01-01", "2019-12-31"),
        ("We met in nineteen ninety-nine.", "1999-01-01", "1999-12-31"),
        ("She was born in the 90s.", "1990-01-01", "1999-12-31"),
        ("It was big in the 1980s.", "1980-01-01", "1989-12-31"),
        ("I graduated in the summer of 2015.", "2015-06-21", "2015-09-23"),
        ("Winter 2019 was long.", "2019-12-21", "2020-03-20"),
        ("We grew in Q2 of last year.", "2023-04-01", "2023-06-30"),
        ("We grew in 2018Q4.", "2018-10-01", "2018-12-31"),
        ("H1 2020 was rough.", "2020-01-01", "2020-06-30"),
        ("In the third quarter of 2021 we grew.", "2021-07-01", "2021-09-30"),
        ("Christmas last year was quiet.", "2023-12-25", None),
        ("Easter 2019 was late.", "2019-04-21", None),
        ("On Labor Day 2022 we grilled.", "2022-09-05", None),
        ("The race is on Sunday, May 19.", "2024-05-19", None),
    ],
)
def test_calendar_dates(text: str, first: str, last: str | None) -> None:
    check(text, first, last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("It was the last Friday of April.", "2024-04-26", None),
        ("It was the second Sunday in May last year.", "2023-05-14", None),
        ("It was the second to last Friday of June 2023.", "2023-06-23", None),
        ("It starts on the third Tuesday after Christmas 2014.", "2015-01-13", None),
        ("He left on the 20th of last month.", "2024-04-20", None),
        ("We meet on 20 of next month.", "2024-06-20", None),
        ("I'll pay on the twenty-third.", "2024-05-23", None),
        ("We moved in 2016 December.", "2016-12-01", "2016-12-31"),
        ("We meet on Oct-2.", "2024-10-02", None),
        ("The first week of October 2014 was wet.", "2014-10-06", "2014-10-12"),
        ("It closes on the last day of February 2024.", "2024-02-29", None),
        ("The first ten days of last year were cold.", "2023-01-01", "2023-01-10"),
        ("The first weekend of October is taken.", "2024-10-05", "2024-10-06"),
        ("The second half of June is free.", "2024-06-16", "2024-06-30"),
        ("The first half of 2020 was awful.", "2020-01-01", "2020-06-30"),
        ("We rented a cabin in late August.", "2023-08-21", "2023-08-31"),
        ("We rented a cabin in mid-July last year.", "2023-07-11", "2023-07-20"),
        ("The deadline is the end of the month.", "2024-05-21", "2024-05-31"),
        ("I'll call at the beginning of next week.", "2024-05-20", "2024-05-22"),
        ("I started at the beginning of 2020.", "2020-01-01", "2020-04-30"),
        ("I'll start next month on the 5th.", "2024-06-05", None),
        ("Next year in March we move.", "2025-03-01", "2025-03-31"),
        ("On a Friday in May we met.", "2024-05-01", "2024-05-31"),
    ],
)
def test_parts(text: str, first: str, last: str | None) -> None:
    check(text, first, last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("I worked there from 2003 to 2005.", "2003-01-01", "2005-12-31"),
        ("I travelled between May and July.", "2023-05-01", "2023-07-31"),
        ("I lived there from September 2019 until March 2021.", "2019-09-01", "2021-03-31"),
        ("I was there from December to February.", "2023-12-01", "2024-02-29"),
        ("I'll be there from Monday to Wednesday.", "2024-05-20", "2024-05-22"),
        ("It's Monday to Friday next week.", "2024-05-20", "2024-05-24"),
        ("The festival runs June 3-7.", "2024-06-03", "2024-06-07"),
        ("The festival runs June 28 - July 2.", "2024-06-28", "2024-07-02"),
        ("The fair is from the 3rd to the 7th of June.", "2024-06-03", "2024-06-07"),
        ("I'll be out 4-23 next month.", "2024-06-04", "2024-06-23"),
        ("We had our talks on 5/6-5/8.", "2024-05-06", "2024-05-08"),
        ("Next week between Tuesday and Thursday works.", "2024-05-21", "2024-05-23"),
        ("We rest between Christmas and New Year.", "2024-12-25", "2025-01-01"),
        ("In May/June 2020 we stayed home.", "2020-05-01", "2020-06-30"),
        ("We travel for ten days from 18 December.", "2024-12-18", "2024-12-27"),
        ("I've lived here since 2018.", "2018-01-01", "2024-05-15"),
        ("I'm away until next Thursday.", "2024-05-15", "2024-05-23"),
        ("I'm away between now and Friday.", "2024-05-15", "2024-05-17"),
    ],
)
def test_ranges(text: str, first: str, last: str | None) -> None:
    check(text, first, last)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("My cousin is getting engaged in April.", "2025-04-01"),
        ("My boss's getting married in February.", "2025-02-01"),
        ("Our neighbour's retiring in March.", "2025-03-01"),
        ("She decided to move to Leiden in April.", "2025-04-01"),
        ("I was chosen to speak in January.", "2025-01-01"),
        ("We were getting ready in April.", "2024-04-01"),
        ("My aunt's wedding was in April.", "2024-04-01"),
    ],
)
def test_what_was_decided_or_is_under_way_comes_later(text: str, first: str) -> None:
    assert find_dates(text, SAID)[0].start.date() == date.fromisoformat(first)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("We are away on the 11th and 12th of August.", [("2024-08-11", "2024-08-12")]),
        ("August 11 and 12 are taken.", [("2024-08-11", "2024-08-12")]),
        ("Camp runs on July 3, 4 and 5, 2025.", [("2025-07-03", "2025-07-05")]),
        ("We met on the 3rd and the 9th of April.", [("2024-04-03", None), ("2024-04-09", None)]),
        ("On June 3 and 12 people will come.", [("2024-06-03", None)]),
        ("On June 3, 12 of us will go.", [("2024-06-03", None)]),
    ],
)
def test_listed_days_share_their_month(text: str, spans: list[tuple[str, str | None]]) -> None:
    found = [days(mention) for mention in find_dates(text, SAID)]
    assert found == [(date.fromisoformat(a), date.fromisoformat(b or a)) for a, b in spans]


def test_end_of_month_is_clamped() -> None:
    said = datetime(2024, 3, 31, 9, 0, tzinfo=ZoneInfo("Europe/Berlin"))
    (month_ago,) = find_dates("We met a month ago.", said)
    (months_ahead,) = find_dates("We will meet in three months.", said)
    assert days(month_ago)[0] == date(2024, 2, 29)
    assert days(months_ahead)[0] == date(2024, 6, 30)


def test_several_dates_come_in_order() -> None:
    text = "We visited Prague last month, flew home on Friday, and tomorrow I work again."
    assert [mention.text for mention in find_dates(text, SAID)] == ["last month", "Friday", "tomorrow"]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Next week I'm busy, on Friday I travel.", "2024-05-24"),
        ("Last week was hard: on Tuesday I lost my keys.", "2024-05-07"),
        ("We married on May 3rd. Three days later we flew out.", "2024-05-06"),
        ("I was in Rome last week, but in Paris the week before.", "2024-04-29"),
        ("In 2022 we bought a house and in June we got a dog.", "2022-06-01"),
        ("We met in 2015. Three years later we married.", "2018-01-01"),
        ("The party is tomorrow or the day after.", "2024-05-17"),
    ],
)
def test_a_date_may_lean_on_the_one_before(text: str, first: str) -> None:
    assert days(find_dates(text, SAID)[-1])[0] == date.fromisoformat(first)


@pytest.mark.parametrize(
    "text",
    [
        "May I come in?",
        "The choir may march through town.",
        "I talked to June about it.",
        "A letter from April arrived.",
        "The sun is bright, so we sat down.",
        "Prices fall when demand drops.",
        "Spring water tastes best.",
        "I like the summer and summer dresses.",
        "August Wilson wrote plays.",
        "I watched Friday Night Lights.",
        "Happy Friday, everyone!",
        "He is 5 years old and has 3 siblings.",
        "I slept for eight hours.",
        "I finished the puzzle in three days.",
        "He ran the race in 50 minutes.",
        "It's been a week since I moved.",
        "It is a three-week-old kitten.",
        "We meet every Monday and on Sundays.",
        "Rent is due on the 1st of every month.",
        "The alarm is at 7:30.",
        "In the evening I read.",
        "He lives on the 5th floor.",
        "That was the 2nd time.",
        "I got a second opinion on the first try.",
        "We trailed by ten in the 4th.",
        "A quarter of an hour is enough.",
        "At the end of the day, it's fine.",
        "See page 12/15 of version 3.5.2.",
        "The score was 3-2, the odds 50/50.",
        "Room 2019 is upstairs.",
        "Write an essay in 2000 words.",
        "Call 555-2019 or 090-1234-5678.",
        "The host is 10.0.0.12.",
        "I paid $12 for it.",
        "Two days before the wedding it rained.",
        "I met her a long time ago, or the other day.",
        "On February 30 nothing happens.",
        "next to me, next time, the next thing",
        "These days I am tired.",
    ],
)
def test_no_date(text: str) -> None:
    assert find_dates(text, SAID) == []
