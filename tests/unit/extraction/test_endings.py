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
