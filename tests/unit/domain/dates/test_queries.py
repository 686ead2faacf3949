"""What a question says about time."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from cognis_memory.domain.dates import asks_when, query_window

SAID = datetime(2024, 5, 15, 10, 30, tzinfo=ZoneInfo("Asia/Tokyo"))


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What did I do last week?", "2024-05-06", "2024-05-13"),
        ("in March", "2024-03-01", "2024-04-01"),
        ("photos from summer 2019", "2019-06-21", "2019-09-24"),
        ("Where was I in 2019?", "2019-01-01", "2020-01-01"),
        ("When in 2022 did we go to Rome?", "2022-01-01", "2023-01-01"),
        ("What did I do on Friday?", "2024-05-10", "2024-05-11"),
        ("What am I doing on Friday?", "2024-05-17", "2024-05-18"),
        ("Do I have anything on Friday?", "2024-05-17", "2024-05-18"),
        ("Friday dinner", "2024-05-10", "2024-05-11"),
        ("What did I do in the past 3 days?", "2024-05-12", "2024-05-15"),
        ("去年の夏に何をした？", "2023-06-21", "2023-09-24"),
        ("先週何をした？", "2024-05-06", "2024-05-13"),
        ("3月の予定は？", "2025-03-01", "2025-04-01"),
        ("3月に何をした？", "2024-03-01", "2024-04-01"),
        ("3月の写真", "2024-03-01", "2024-04-01"),
    ],
)
def test_the_window_a_question_asks_about(question: str, start: str, end: str) -> None:
    window = query_window(question, SAID)
    assert window is not None
    assert (window.start.date().isoformat(), window.end.date().isoformat()) == (start, end)


@pytest.mark.parametrize(
    "question", ["When did I go to Paris?", "What is my job?", "いつパリに行った？", "仕事は何？", "", "?"]
)
def test_no_window(question: str) -> None:
    assert query_window(question, SAID) is None


@pytest.mark.parametrize(
    "question",
    [
        "When did I go to Paris?",
        "when is my dentist appointment",
        "When's the party?",
        "So when will it rain?",
        "When Gina got her tattoo?",
        "Do you remember when we met?",
        "Tell me when Anna moved.",
        "I forgot when the exam is.",
        "Since when do I live here?",
        "What date is the wedding?",
        "On which day did I leave?",
        "In what year was I born?",
        "Can you tell me the date of the exam?",
        "How long ago did I quit smoking?",
        "How many weeks has it been since I saw Tom?",
        "いつパリに行った？",
        "京都にはいつ行きましたか",
        "誕生日はいつですか",
        "いつから住んでいる？",
        "いつまでに払う？",
        "何月に結婚した？",
        "何日に会う？",
        "何曜日に会う？",
        "何年前に卒業した？",
        "どのくらい前に会った？",
        "結婚式の日付は？",
    ],
)
def test_asks_when(question: str) -> None:
    assert asks_when(question)


@pytest.mark.parametrize(
    "text",
    [
        "What did I do when I was in Paris?",
        "When I was young I lived in Rome.",
        "When I grow up, will I be able to fly?",
        "I was happy when she called.",
        "Call me whenever you like.",
        "What did I eat yesterday?",
        "How long did I live there?",
        "How many days did I stay?",
        "いつもありがとう",
        "いつか行きたい",
        "いつの間にか寝ていた",
        "いつでもいいよ",
        "何年間住んでいた？",
        "何日間泊まった？",
        "何日も寝ていない",
        "昨日は何をした？",
        "どのくらいかかる？",
        "",
    ],
)
def test_does_not_ask_when(text: str) -> None:
    assert not asks_when(text)
