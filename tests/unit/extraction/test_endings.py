"""What ends with a bond or a life, and what is over."""

from __future__ import annotations

import pytest

from cognis_memory.models.values import Operation


def _ended(facts):
    return {fact.label for fact in facts if fact.operation in {Operation.DELETE, Operation.UPDATE}}


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (["User's girlfriend is Mei"], "Mei and I broke up."),
        (["User is dating Mei", "User's girlfriend's name is Mei"], "We split up in May."),
        (["User has a boyfriend"], "My boyfriend and I are no longer together."),
        (["User is getting married in June"], "We called off the wedding."),
        (["ユーザーの彼女の名前は美咲です"], "美咲とは別れました。"),
        (["ユーザーは由美と付き合っています"], "別れました。"),
        (["ユーザーは彼氏がいます"], "彼氏と別れました。"),
        (["ユーザーは来月結婚する予定です"], "婚約を解消しました。"),
    ],
)
def test_a_breakup_ends_what_told_of_the_bond(extract, held, said):
    assert _ended(extract(said, similar=held)) == set(range(1, len(held) + 1))


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (["User has a hamster called Nibbles"], "Nibbles died yesterday."),
        (["User's rabbit's name is Clover", "User has a rabbit"], "Our rabbit passed away."),
        (["ユーザーはハムスターのモモを飼っています"], "モモが先週亡くなりました。"),
        (["ユーザーの犬の名前はハチです", "ユーザーは犬を飼っています"], "うちの犬が死んでしまいました。"),
    ],
)
def test_a_death_ends_the_having_and_is_a_fact(extract, held, said):
    facts = extract(said, similar=held)
    assert _ended(facts) == set(range(1, len(held) + 1))
    assert [fact.operation for fact in facts if fact.label is None] == [Operation.ADD]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (["User's wife is Jo"], "My brother and his wife broke up."),
        (["User has a dog called Rex"], "Nibbles died yesterday."),
        (["User's grandmother lives in Kyoto"], "My grandfather died."),
        (["User's uncle's name is Bruno", "User's name is Bruno"], "Bruno died."),
        (["User has a poster of Bowie", "User has a book about dogs and Bowie"], "Bowie died."),
        (["User has two ponies, Star and Moon"], "Moon died."),
        (["User has a parrot called Kiwi and often talks to it"], "Kiwi died."),
        (["ユーザーの叔父の名前はコタロウです"], "コタロウが死にました。"),
        (["ユーザーはリンカーンの写真を持っています"], "リンカーンが亡くなりました。"),
        (["ユーザーの妻の名前は恵子です"], "妹は彼氏と別れました。"),
    ],
)
def test_somebody_elses_end_leaves_the_speakers(extract, held, said):
    assert _ended(extract(said, similar=held)) == set()


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User has the flu", "I've recovered from the flu."),
        ("User is taking a course of antibiotics", "I've finished my antibiotics."),
        ("ユーザーは足を骨折しています", "足の骨折は治りました。"),
        ("ユーザーは高所恐怖症です", "高所恐怖症は克服しました。"),
        ("ユーザーは転職活動をしています", "転職活動は終わりました。"),
    ],
)
def test_what_is_over_is_retracted(extract, held, said):
    assert [(f.operation, f.label) for f in extract(said, similar=[held])] == [(Operation.DELETE, 1)]


@pytest.mark.parametrize(
    ("held", "said", "left"),
    [
        (
            "User has a pony called Star and a goat called Daisy",
            "Daisy passed away.",
            "User has a pony called Star",
        ),
        ("User has a parrot, a ferret and a snake", "Our ferret died.", "User has a parrot and a snake"),
        (
            "ユーザーはインコのピーコとうさぎのモカを飼っています",
            "モカが死んでしまいました。",
            "ユーザーはインコのピーコを飼っています",
        ),
    ],
)
def test_a_death_leaves_the_other_animals(extract, held, said, left):
    died, kept = extract(said, similar=[held])
    assert died.operation is Operation.ADD
    assert (kept.operation, kept.label, kept.content, kept.subject) == (Operation.UPDATE, 1, left, "User")
    assert kept.event_time is None


@pytest.mark.parametrize(
    "said",
    [
        "Mei and I broke up the old shed.",
        "Mei and I split up to look for the keys.",
        "I broke up with Mei's book club.",
        "I separated the whites from the yolks.",
        "I dumped the leftovers.",
        "I got divorced from common sense.",
    ],
)
def test_an_idiom_ends_no_bond(extract, said):
    assert _ended(extract(said, similar=["User is married to Mei", "User's wife is Mei"])) == set()


@pytest.mark.parametrize(
    "said",
    [
        "Mei and I broke up amicably.",
        "I broke up with Mei.",
        "I got divorced from my wife.",
        "We separated two years ago.",
        "I split up with my wife because we argued.",
        "I dumped Mei.",
    ],
)
def test_a_breakup_may_say_with_whom_when_and_why(extract, said):
    assert _ended(extract(said, similar=["User is married to Mei"])) == {1}
