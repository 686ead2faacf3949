"""Appointments: another time takes the place of the old, and what is called off is retracted."""

from __future__ import annotations

import pytest

from cognis_memory.models.values import Operation


@pytest.mark.parametrize(
    ("held", "said", "day"),
    [
        ("User has a job interview on Tuesday", "The interview was postponed to Friday.", "2026-03-20"),
        ("User's dentist appointment is on Friday", "The dentist appointment moved to Monday.", "2026-03-23"),
        (
            "User is meeting Dana for coffee on Friday",
            "Coffee with Dana got pushed to Saturday.",
            "2026-03-21",
        ),
        ("User's book club is on Wednesday", "Book club has moved to Sunday.", "2026-03-22"),
        ("ユーザーは火曜日に面接があります", "面接は金曜日に延期になりました。", "2026-03-20"),
        ("ユーザーの歯医者の予約は金曜日です", "歯医者の予約が月曜日に変更になりました。", "2026-03-23"),
        ("ユーザーの結婚式は6月10日です", "結婚式は9月2日に延期しました。", "2026-09-02"),
    ],
)
def test_it_gets_another_time_which_is_to_come(extract, held, said, day):
    (fact,) = extract(said, similar=["User plays chess", held])
    assert (fact.operation, fact.label) == (Operation.UPDATE, 2)
    assert fact.event_time.date().isoformat() == day


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User is having dinner with Leo on Saturday", "Dinner with Leo is cancelled."),
        ("User is going to a concert on Friday", "The concert is off because the singer is ill."),
        ("User planned a trip to Crete in September", "We had to cancel the Crete trip."),
        ("User is subscribed to The Economist", "I've cancelled my Economist subscription."),
        ("ユーザーは土曜日に健太と飲みに行く予定です", "健太との飲みの予定はキャンセルになりました。"),
        ("ユーザーは夏にハワイに行く予定です", "ハワイ旅行は中止になりました。"),
        ("ユーザーは日曜日にバーベキューをします", "雨でバーベキューは中止です。"),
        ("ユーザーはネットフリックスに加入しています", "ネットフリックスは解約しました。"),
    ],
)
def test_what_does_not_take_place_is_retracted(extract, held, said):
    facts = extract(said, similar=["User plays chess", held])
    assert [(fact.operation, fact.label) for fact in facts] == [(Operation.DELETE, 2)]


@pytest.mark.parametrize(
    ("said", "subject"),
    [
        ("The meeting is at 3pm tomorrow.", "User"),
        ("My doctor appointment is on Monday.", "User"),
        ("会議は水曜日です。", "User"),
        ("飛行機は18時発です。", "User"),
    ],
)
def test_it_is_the_speakers_without_a_word_for_it(extract, said, subject):
    assert [fact.subject for fact in extract(said)] == [subject]


@pytest.mark.parametrize("said", ["The Eiffel Tower is in Paris.", "エッフェル塔はパリにあります。"])
def test_what_is_no_appointment_is_nobodys(extract, said):
    assert extract(said) == []
