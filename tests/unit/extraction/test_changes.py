"""Changes of a life told in other words than what they end: the old must not stay beside the new."""

from __future__ import annotations

import pytest

from cognis_memory.models.values import Operation

CHESS = {"en": "User plays chess", "ja": "ユーザーは将棋を指しています"}


@pytest.mark.parametrize(
    ("held", "said", "new"),
    [
        ("User is an accountant", "I got hired as a pilot at KLM.", "pilot"),
        ("User is a bartender", "I landed a job as a flight attendant!", "flight attendant"),
        ("User is a nurse", "I quit the hospital and started as a teacher at a primary school.", "teacher"),
        ("User is a nurse", "I quit my job as a nurse to open Café Zumba.", "Café Zumba"),
        ("User hates coffee", "I've come to love coffee.", "love coffee"),
        ("User loves olives", "I've gone off olives.", "off olives"),
        ("User dislikes running", "I've started to enjoy running.", "enjoy running"),
        ("User's favourite band is Blur", "These days my favourite band is Pulp.", "Pulp"),
        ("User can't eat dairy", "I'm able to eat dairy again.", "able to eat dairy"),
        ("User's name is Ann Lee", "I changed my name to Ann Park.", "Ann Park"),
        ("ユーザーは看護師をしています", "病院を辞めて、小学校の先生になりました。", "先生"),
        ("ユーザーは経理をしています", "転職して、パイロットになりました。", "パイロット"),
        ("ユーザーは営業の仕事をしています", "会社を辞めて、今は保育士として働いています。", "保育士"),
        ("ユーザーはヴィーガンになりました", "ヴィーガンはやめて、また肉を食べています。", "肉"),
        ("ユーザーの名前は佐藤花子です", "結婚して鈴木花子になりました。", "鈴木花子"),
        ("ユーザーの名前は高橋美咲です", "名字が変わって、田中美咲になりました。", "田中美咲"),
        ("ユーザーの好きな歌手は宇多田ヒカルです", "今一番好きな歌手は椎名林檎です。", "椎名林檎"),
        ("ユーザーは納豆が嫌いです", "最近、納豆が好きになりました。", "納豆"),
        ("ユーザーは乳製品は食べられません", "乳製品がまた食べられるようになりました。", "乳製品"),
    ],
)
def test_it_replaces_what_was(extract, held, said, new):
    facts = extract(said, similar=[CHESS["ja" if "ユーザー" in held else "en"], held])
    updates = [fact for fact in facts if fact.operation is Operation.UPDATE]
    assert [fact.label for fact in updates] == [2]
    assert new in updates[0].content


@pytest.mark.parametrize(
    ("held", "said", "new"),
    [
        ("User plays tennis", "I stopped playing tennis to focus on chess.", "chess"),
        ("ユーザーはテニスをしています", "テニスはやめて、代わりに水泳を始めました。", "水泳"),
    ],
)
def test_an_end_that_goes_on_retracts_and_is_remembered(extract, held, said, new):
    facts = extract(said, similar=[held])
    assert [(fact.operation, fact.label) for fact in facts] == [(Operation.DELETE, 1), (Operation.ADD, None)]
    assert new in facts[1].content
    assert [(fact.operation, fact.label) for fact in extract(said)] == [
        (Operation.DELETE, None),
        (Operation.ADD, None),
    ]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User has a dog called Rex", "Actually, I don't have a dog, that was a joke."),
        ("User has a parrot", "I was only joking, I don't have a parrot."),
        ("User plays the violin", "Forget what I said about the violin."),
        ("User collects old maps", "Please delete everything I told you about the old maps."),
        ("User owns a boat", "I was joking when I said I own a boat."),
        ("ユーザーはインコを飼っています", "実はインコは飼っていません。冗談でした。"),
        ("ユーザーはバイオリンを弾いています", "バイオリンについて言ったことは忘れて。"),
        ("ユーザーは古地図を集めています", "古地図の話は全部忘れてください。"),
    ],
)
def test_what_was_not_so_is_retracted(extract, held, said):
    facts = extract(said, similar=[CHESS["en"], held])
    assert [(fact.operation, fact.label) for fact in facts] == [(Operation.DELETE, 2)]


@pytest.mark.parametrize(
    "said",
    [
        "Forget what I said about the violin.",
        "I was just kidding about the boat.",
        "バイオリンについて言ったことは忘れて。",
        "隣の人について話したことは全部忘れて。",
    ],
)
def test_to_forget_what_nobody_holds_leaves_a_tombstone(extract, said):
    (fact,) = extract(said)
    assert (fact.operation, fact.label, fact.retracts) == (Operation.DELETE, None, False)


@pytest.mark.parametrize("said", ["Forget it.", "Ignore everything I told you about my neighbour."])
def test_to_forget_nothing_in_particular_is_nothing(extract, said):
    assert extract(said) == []


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User works at the office on Mondays", "I left my bag at the office."),
        ("User smokes", "I don't have a car."),
        ("ユーザーはタバコを吸います", "テニスをやめて、水泳を始めました。"),
    ],
)
def test_other_memories_stay(extract, held, said):
    facts = extract(said, similar=[held])
    assert [fact.label for fact in facts] == [None] * len(facts)
    assert facts[-1].operation is Operation.ADD


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("User's birthday is May 4", "My birthday is the 4th of May."),
        ("ユーザーの誕生日は5月4日です", "誕生日は五月四日です。"),
        ("ユーザーの誕生日は12月14日です", "誕生日は十二月十四日です。"),
    ],
)
def test_a_date_written_otherwise_is_the_same(extract, held, said):
    assert [(fact.operation, fact.label) for fact in extract(said, similar=[held])] == [(Operation.NONE, 1)]


def test_whom_the_speaker_met(extract):
    assert extract("We met at a fair.")[0].content == "User met somebody at a fair"
    assert extract("My brother has a friend, Ken. We met in Rome.")[-1].content.startswith("User met ")
    (fact,) = extract("We met in Rome.", speaker="Ana", before=[])
    assert fact.content == "Ana met somebody in Rome"
