"""Likings and tolerances against those that are held: of the same thing, of wider and of narrower ones."""

from __future__ import annotations

import pytest

from cognis_memory.models.values import Operation


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User loves strong black tea", "I don't like tea any more."),
        ("User enjoys alpine skiing in Norway", "I no longer enjoy skiing."),
        ("User is a big fan of French cinema", "I hate cinema now."),
        ("User likes salty snacks", "I can't stand salty food any more."),
        ("User hates green olives", "I love olives now."),
        ("User loves techno", "I used to love techno."),
        ("ユーザーは濃い抹茶が大好きです", "抹茶はもう好きではありません。"),
        ("ユーザーは甘い和菓子が好きです", "もう甘いものは苦手になりました。"),
        ("ユーザーは甘いものが大好きです", "甘いものが好きじゃなくなった。"),
        ("ユーザーは小型犬が苦手です", "今は小型犬が好きです。"),
    ],
)
def test_a_change_of_heart_covers_what_it_is_more_general_than(extract, held, said):
    (fact,) = extract(said, similar=["User plays chess", held])
    assert (fact.operation, fact.label) == (Operation.UPDATE, 2)


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User loves tea", "I don't like green tea."),
        ("User loves tea cake", "I hate tea."),
        ("User likes the pizza place by the river", "I don't like pizza."),
        ("User hates green olives", "I love olives."),
        ("User likes miso ramen", "I love ramen."),
        ("User loves jazz and folk music", "I don't like music lessons any more."),
        ("ユーザーは抹茶が好きです", "抹茶アイスが嫌いになりました。"),
        ("ユーザーはうどん屋が好きです", "うどんは嫌いです。"),
        ("ユーザーは映画が好きです", "ホラー映画は苦手です。"),
    ],
)
def test_two_things_stay_two(extract, held, said):
    (fact,) = extract(said, similar=[held])
    assert fact.operation is Operation.ADD


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User is allergic to walnuts", "Turns out I'm not allergic to walnuts after all."),
        ("User has a severe soy allergy", "My soy allergy is gone."),
        ("User is lactose intolerant", "I can drink milk now."),
        ("User can't eat prawns", "I can actually eat prawns."),
        ("User is allergic to eggs", "I'm fine with eggs now."),
        ("User is allergic to kiwi", "I'm not allergic to kiwi or mango after all."),
        ("User has asthma", "It turns out I don't have asthma."),
        ("User can eat crab", "I'm allergic to crab now."),
        ("ユーザーは小麦アレルギーです", "小麦アレルギーじゃなかった。"),
        ("ユーザーはえびアレルギーがあります", "検査したら、えびアレルギーではありませんでした。"),
        ("ユーザーは牛乳が飲めません", "実は牛乳は平気だった。"),
        ("ユーザーは乳糖不耐症です", "もう牛乳を飲めるようになりました。"),
        ("ユーザーは卵アレルギーです", "卵アレルギーが治りました。"),
        ("ユーザーは喘息があります", "喘息じゃなかったです。"),
    ],
)
def test_a_corrected_intolerance_replaces_the_one_held(extract, held, said):
    facts = extract(said, similar=["User plays chess", held])
    assert [(fact.operation, fact.label) for fact in facts] == [(Operation.UPDATE, 2)]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User is allergic to shellfish and peanuts", "I'm not allergic to peanuts after all."),
        ("User is allergic to shellfish and peanuts", "I'm no longer allergic to peanuts."),
        ("User is allergic to cats", "I'm not allergic to dogs."),
        ("ユーザーは卵アレルギーです", "牛乳は大丈夫だった。"),
    ],
)
def test_another_intolerance_is_kept(extract, held, said):
    (fact,) = extract(said, similar=[held])
    assert fact.operation is Operation.ADD


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User likes jazz", "I don't like jazz in the morning."),
        ("User loves running", "I hate running when it rains."),
        ("User likes tea", "I don't like tea with milk."),
        ("ユーザーは餅が好きです", "夜9時以降は餅が好きではありません。"),
    ],
)
def test_a_dislike_at_times_leaves_the_liking(extract, held, said):
    (fact,) = extract(said, similar=[held])
    assert fact.operation is Operation.ADD


@pytest.mark.parametrize(
    "said", ["明日は大丈夫です。", "時間は平気だった。", "I'm fine with that.", "I'm okay."]
)
def test_being_fine_is_no_tolerance(extract, said):
    assert extract(said) == []


def test_a_fuller_wording_of_an_allergy_replaces_the_short_one(extract):
    (fact,) = extract("I'm allergic to raw cashew nuts.", similar=["User is allergic to cashew nuts"])
    assert (fact.operation, fact.label) == (Operation.UPDATE, 1)
