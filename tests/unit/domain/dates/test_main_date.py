"""The one date a message is about, what its fields say, and the preference of the caller."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from cognis_memory.domain.dates import find_dates, main_date

SAID = datetime(2024, 5, 15, 10, 30, tzinfo=ZoneInfo("Asia/Tokyo"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("We went camping last week. Anything fun this weekend?", "last week"),
        ("What are you up to tomorrow? I saw Tom on Friday.", "Friday"),
        ("I've been busy since March, but last month I got a dog.", "last month"),
        ("In the last few weeks I read a lot, and on Sunday I finished Dune.", "Sunday"),
        ("I've been busy since March.", "since March"),
        ("What did I do yesterday?", "yesterday"),
        ("週末は何をする？先週、京都に行きました。", "先週"),
    ],
)
def test_what_is_told_comes_before_what_is_asked_and_before_stretches(text: str, words: str) -> None:
    mention = main_date(text, SAID)
    assert mention is not None
    assert mention.text == words


def test_no_date_at_all() -> None:
    assert main_date("I like ramen.", SAID) is None
    assert main_date("", SAID) is None


def test_the_words_and_their_place() -> None:
    text = "昨日、well, I met Ana on 5 March 2021, remember?"
    mentions = find_dates(text, SAID)
    assert [mention.text for mention in mentions] == ["昨日", "5 March 2021"]
    assert all(text[mention.start_index : mention.end_index] == mention.text for mention in mentions)


@pytest.mark.parametrize(
    "text", ["Friday", "on Friday I go swimming", "on Friday I went swimming", "金曜に泳ぐ"]
)
def test_a_preference_overrides_the_tense(text: str) -> None:
    (past,) = find_dates(text, SAID, prefer="past")
    (future,) = find_dates(text, SAID, prefer="future")
    assert (past.start.day, future.start.day) == (10, 17)


@pytest.mark.parametrize(
    ("text", "granularity"),
    [
        ("tomorrow", "day"),
        ("last weekend", "weekend"),
        ("last week", "week"),
        ("in June 2020", "month"),
        ("last summer", "season"),
        ("Q3 2020", "quarter"),
        ("the first half of 2020", "half_year"),
        ("in 2020", "year"),
        ("in the 1990s", "decade"),
        ("from May to June 2020", "range"),
        ("this morning", "part_of_day"),
        ("去年", "year"),
        ("去年の秋", "season"),
        ("今年の上半期", "half_year"),
    ],
)
def test_granularity(text: str, granularity: str) -> None:
    (mention,) = find_dates(text, SAID)
    assert mention.granularity == granularity
