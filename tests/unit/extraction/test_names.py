"""Whose name is told: that of the animal or the person brought up before, never the speaker's."""

from __future__ import annotations

import pytest

from .builders import message


@pytest.mark.parametrize(
    ("said", "content", "subject", "slot"),
    [
        (
            "We got a tortoise in May. Its name is Otto.",
            "User's tortoise's name is Otto",
            "User",
            "pet_name:tortoise",
        ),
        ("I adopted a kitten. Name's Pixel.", "User's kitten's name is Pixel", "User", "pet_name:kitten"),
        ("I bought a parrot and named him Coco.", "User named their parrot Coco", "User", "pet_name:parrot"),
        ("I have a sister. Her name is Ines.", "User's sister's name is Ines", "User's sister", "name"),
        ("灰色の猫を迎えました。名前はすずです。", "ユーザーの猫の名前はすずです", "User", "pet_name:cat"),
        (
            "白い子犬で、名前はゆきといいます。",
            "ユーザーの白い子犬の名前はゆきといいます",
            "User",
            "pet_name:dog",
        ),
        (
            "文鳥を飼い始めて、名前はピノにしました。",
            "ユーザーの文鳥の名前はピノにしました",
            "User",
            "pet_name:bird",
        ),
        (
            "インコをもらった。キキという名前です。",
            "ユーザーのインコの名前はキキです",
            "User",
            "pet_name:parrot",
        ),
        (
            "先週、妹が生まれました。名前は葵です。",
            "ユーザーの妹の名前は葵です",
            "User's younger sister",
            "name",
        ),
    ],
)
def test_a_name_is_of_who_was_brought_up(extract, said, content, subject, slot):
    fact = extract(said)[-1]
    assert (fact.content, fact.subject, fact.slot) == (content, subject, slot)


def test_a_named_speakers_pet_is_not_the_speaker(extract):
    fact = extract("黒い猫で、名前はクロ。", speaker="Nadia")[-1]
    assert (fact.content, fact.subject, fact.slot) == ("Nadiaの黒い猫の名前はクロ", "Nadia", "pet_name:cat")


@pytest.mark.parametrize(
    ("first", "said", "content"),
    [
        ("I rescued a greyhound!", "Her name is Dash.", "User's greyhound's name is Dash"),
        ("うさぎを飼い始めたよ。", "名前はモモ。", "ユーザーのうさぎの名前はモモ"),
    ],
)
def test_the_turn_before_may_bring_up_who_is_named(extract, first, said, content):
    before = [message(first), message("いいね / Nice", role="assistant")]
    (fact,) = extract(said, before=before)
    assert fact.content == content


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("私の名前は中村です。", "ユーザーの名前は中村です"),
        ("犬を飼っています。私の名前は中村です。", "ユーザーの名前は中村です"),
        ("I have a dog. My name is Petra.", "User's name is Petra"),
    ],
)
def test_the_speakers_own_name_stays_theirs(extract, said, content):
    assert extract(said)[-1].content == content


def test_a_name_not_yet_given_is_none(extract):
    assert [fact.content for fact in extract("猫を迎えた。名前はまだ決まっていない。")] == [
        "ユーザーは猫を迎えた"
    ]
