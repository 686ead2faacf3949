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


TWO_LUNCHES = ["User has lunch with Ida on Monday", "User has lunch with Otto on Thursday"]
TWO_LUNCHES_JA = ["ユーザーは月曜日に花子とのランチがあります", "ユーザーは木曜日に次郎とのランチがあります"]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (TWO_LUNCHES, "Lunch was cancelled."),
        (TWO_LUNCHES, "I cancelled the lunch."),
        (TWO_LUNCHES, "Lunch was moved to Sunday."),
        (["User's train to Bonn is on May 3", "User's train to Kiel is on May 5"], "My train is cancelled."),
        (TWO_LUNCHES_JA, "ランチはキャンセルになりました。"),
        (TWO_LUNCHES_JA, "ランチは日曜日にずれました。"),
    ],
)
def test_of_two_that_fit_neither_changes(extract, held, said):
    assert [(fact.operation, fact.label) for fact in extract(said, similar=held)] == [(Operation.ADD, None)]


@pytest.mark.parametrize(
    ("held", "said", "operation"),
    [
        (TWO_LUNCHES, "Lunch with Otto was cancelled.", Operation.DELETE),
        (TWO_LUNCHES, "Lunch with Otto was moved to Sunday.", Operation.UPDATE),
        (TWO_LUNCHES_JA, "次郎とのランチはキャンセルになりました。", Operation.DELETE),
        (TWO_LUNCHES_JA, "次郎とのランチは日曜日に変更になりました。", Operation.UPDATE),
    ],
)
def test_of_two_the_one_that_is_named_changes(extract, held, said, operation):
    assert [(fact.operation, fact.label) for fact in extract(said, similar=held)] == [(operation, 2)]


def test_all_that_tells_of_one_appointment_is_retracted(extract):
    held = ["User's exam is on Friday", "User is nervous about the exam on Friday"]
    facts = extract("The exam is cancelled.", similar=held)
    assert {(fact.operation, fact.label) for fact in facts} == {(Operation.DELETE, 1), (Operation.DELETE, 2)}


@pytest.mark.parametrize(
    ("held", "said", "name"),
    [
        ("User has lunch with Ida on Monday at 1pm", "Lunch is moved to Sunday.", "lunch with Ida is moved"),
        ("User has an eye exam on Monday", "The exam was postponed to Friday.", "eye exam was postponed"),
        ("User has a flight to Lima on Monday", "My flight was moved to Friday.", "flight to Lima was moved"),
        ("ユーザーは月曜日に花子とのランチがあります", "ランチは日曜日になりました。", "花子とのランチは"),
        ("ユーザーの数学の試験は月曜日です", "試験は金曜日に延期されました。", "数学の試験は"),
    ],
)
def test_it_keeps_its_name(extract, held, said, name):
    (fact,) = extract(said, similar=[held])
    assert fact.operation is Operation.UPDATE
    assert name.casefold() in fact.content.casefold()


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("面接は月曜日に変わりました。", "2026-03-23"),
        ("面接は火曜日にずれました。", "2026-03-24"),
        ("面接は金曜日に移動しました。", "2026-03-20"),
        ("レッスンは火曜日になりました。", "2026-03-24"),
        ("妹は月曜日に京都に移りました。", "2026-03-16"),
        ("月曜日に病気になりました。", "2026-03-16"),
    ],
)
def test_only_what_is_put_off_is_to_come(extract, said, day):
    (fact,) = extract(said)
    assert fact.event_time.date().isoformat() == day
