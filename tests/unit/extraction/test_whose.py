"""What is said about others stays theirs, and what is said twice is one fact."""

from __future__ import annotations

import pytest

from cognis_memory.models.values import Operation


@pytest.mark.parametrize(
    ("said", "subject"),
    [
        ("My sister's husband is a doctor.", "User's sister's husband"),
        ("My friend Ken's wife is a nurse.", "Ken's wife"),
        ("My wife's friend Tom lives in Oslo.", "Tom"),
        ("My brother's dog is called Max.", "User's brother"),
        ("妹の夫は教師です。", "User's younger sister's husband"),
        ("ケンの奥さんは看護師です。", "ケン's wife"),
        ("田中さんの息子は医者です。", "田中's son"),
        ("妻の友達のケンは医者です。", "ケン"),
        ("妹の犬はマックスという名前です。", "User's younger sister"),
    ],
)
def test_the_last_of_several_is_meant(extract, said, subject):
    (fact,) = extract(said)
    assert fact.subject == subject


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("My sister's husband is a doctor.", "User's sister is a nurse"),
        ("My mother's boss lives in Lyon.", "User's mother lives in Paris"),
        ("妹の夫は教師です。", "ユーザーの妹は看護師です"),
        ("妹の犬はマックスという名前です。", "ユーザーの犬はレックスという名前です"),
    ],
)
def test_a_relative_of_somebody_changes_nothing_of_theirs(extract, said, held):
    (fact,) = extract(said, similar=[held])
    assert fact.operation is Operation.ADD


def test_a_pronoun_for_nobody_known_is_not_the_speaker(extract):
    assert extract("友達に聞いたんですが、彼は納豆が苦手だそうです。") == []


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("I'm allergic to peanuts.", "User has a peanut allergy"),
        ("I have a peanut allergy.", "User is allergic to peanuts"),
        ("I really love hiking a lot.", "User loves hiking"),
        ("ピーナッツアレルギーがあります。", "ユーザーはピーナッツにアレルギーがあります"),
    ],
)
def test_rewordings_merge(extract, said, held):
    (fact,) = extract(said, similar=[held])
    assert fact.operation is Operation.NONE


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("I'm allergic to peanuts. I have a peanut allergy. My cat is called Mio. My cat's name is Mio.", 2),
        ("I work as a nurse. I'm a nurse. As I said, I'm a nurse. I live in Ghent.", 2),
        ("看護師です。看護師として働いています。猫を飼っています。", 2),
    ],
)
def test_one_turn_gives_a_fact_each_without_repeats(extract, said, count):
    assert len(extract(said)) == count


@pytest.mark.parametrize(
    "said",
    [
        "As you know, I live in Osaka.",
        "You may remember that I live in Osaka.",
        "I told you before that I live in Osaka.",
    ],
)
def test_what_is_said_again_is_stated_all_the_same(extract, said):
    (fact,) = extract(said)
    assert fact.content == "User lives in Osaka"
