"""Corrections: fragments stand for what they correct, and what was denied or a joke does not stay."""

from __future__ import annotations

import pytest

from cognis_memory.models.values import Operation

from .builders import message


@pytest.mark.parametrize(
    ("before", "held", "said", "new"),
    [
        ("My birthday is on May 3rd.", "User's birthday is on May 3rd", "No, I meant May 13th.", "May 13th"),
        ("My name is Katherine.", "User's name is Katherine", "It's Catherine, not Katherine.", "Catherine"),
        ("My tutor's name is Steve.", "User's tutor's name is Steve", "Oops, I meant Stefan.", "Stefan"),
        ("My train is at 6pm.", "User's train is at 6pm", "Sorry, I misspoke, it's 7pm.", "7pm"),
        ("誕生日は5月3日です。", "ユーザーの誕生日は5月3日です", "間違えました。5月13日です。", "5月13日"),
        ("会議は水曜日です。", "ユーザーの会議は水曜日です", "いや、違う、木曜日です。", "木曜日"),
        ("兄の名前は隆です。", "ユーザーの兄の名前は隆です", "隆じゃなくて孝です。", "孝"),
        (
            "I live in Bern with Leo.",
            "User lives in Bern with Leo",
            "Actually, it's Basel.",
            "Basel with Leo",
        ),
        ("My favourite show is Ghost.", "User's favourite show is Ghost", "No, it's Ghosts.", "Ghosts"),
        ("札幌に住んでいます。", "ユーザーは札幌に住んでいます", "ごめん、仙台です。", "仙台に住んで"),
        ("札幌に住んでいます。", "ユーザーは札幌に住んでいます", "実は仙台です。", "仙台に住んで"),
        ("猫の名前はモモです。", "ユーザーの猫の名前はモモです", "間違えました、ミミです。", "ミミ"),
        ("好きな花は桜です。", "ユーザーの好きな花は桜です", "すみません、梅です。", "梅"),
    ],
)
def test_a_fragment_stands_for_what_it_corrects(extract, before, held, said, new):
    (fact,) = extract(said, similar=["User plays chess", held], before=[message(before)])
    assert (fact.operation, fact.label) == (Operation.UPDATE, 2)
    assert new in fact.content


@pytest.mark.parametrize("said", ["No, thanks.", "Sorry, one moment.", "いや、大丈夫です。"])
def test_a_refusal_corrects_nothing(extract, said):
    assert extract(said, before=[message("My birthday is on May 3rd.")]) == []


@pytest.mark.parametrize(
    ("held", "said", "who"),
    [
        ("User's sister lives in Oslo", "Sorry, I meant my cousin lives in Oslo, not my sister.", "cousin"),
        ("ユーザーの妹は京都に住んでいます", "すみません、妹じゃなくて姉が京都に住んでいます。", "姉"),
    ],
)
def test_a_fact_of_somebody_else_leaves_the_wrong_one(extract, held, said, who):
    denied, told = extract(said, similar=[held])
    assert (denied.operation, denied.label) == (Operation.DELETE, 1)
    assert told.operation is Operation.ADD
    assert who in told.content


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I live in Bern — no wait, I live in Basel.", "Basel"),
        ("My train leaves at 8:15. Wait, no, 8:50.", "8:50"),
        ("I don't live in Hull, I live in York.", "York"),
        ("I'm an astronaut. Just kidding, I'm a teacher.", "teacher"),
        ("広島に住んでいます。あ、間違えた、岡山に住んでいます。", "岡山"),
        ("犬を2匹飼っています。いや、3匹です。", "3匹"),
        ("実は宇宙飛行士なんです。冗談です。本当は教師です。", "教師"),
    ],
)
def test_what_the_same_message_takes_back_is_not_kept(extract, said, kept):
    (fact,) = extract(said)
    assert kept in fact.content


@pytest.mark.parametrize("said", ["I live on the moon. Just kidding!", "月に住んでいます。冗談です。"])
def test_a_joke_is_no_fact(extract, said):
    assert extract(said) == []


@pytest.mark.parametrize(
    "said",
    ["甲殻類アレルギーというのは間違いでした。", "甲殻類アレルギーという話は嘘です。"],
)
def test_what_is_called_untrue_is_retracted(extract, said):
    (fact,) = extract(said, similar=["ユーザーは甲殻類アレルギーです"])
    assert (fact.operation, fact.label) == (Operation.DELETE, 1)


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("好きな花は桜です。", "いや、弟のです。"),
        ("名前は花子です。", "実は雪です。"),
        ("札幌に住んでいます。", "ごめん、仕事です。"),
        ("I live in Bern with Leo.", "Actually, it's late."),
        ("I work at Apple in Cork.", "No, it's Google."),
    ],
)
def test_what_fits_nothing_said_before_is_no_fact(extract, before, said):
    assert extract(said, before=[message(before)]) == []
