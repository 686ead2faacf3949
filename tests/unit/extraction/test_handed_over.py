"""Stories, roles, texts to work on and examples say nothing of who hands them over."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "said",
    [
        "Please write a story: I am a baker and I live in a lighthouse.",
        "Write me a song in which I am a giant and I own a volcano.",
        "Let's role-play: I'm a spy living in Vienna and my sister is missing.",
        "Pretend you are my lawyer. I have a broken window.",
        "I'd like you to act as a waiter. I am allergic to nuts.",
        "Translate this into German: I have three sisters and I work in a mine.",
        "Can you correct this sentence? I has a dog since two years.",
        "I live in Madrid and I works there. Please correct this sentence.",
        "Summarise the following text: My name is Olga. I grew up in Riga.",
        "Imagine I'm a farmer. I own forty sheep.",
        "Example: I live in Cairo and I love tea.",
        "物語を書いて。私は漁師で、灯台に住んでいます。",
        "歌詞を考えてください。僕は巨人で、火山を持っています。",
        "ロールプレイをしましょう。私はウィーンに住むスパイです。",
        "弁護士のふりをしてください。私は窓を割りました。",
        "店員の役をやって。私はナッツアレルギーです。",
        "次の文を英語に訳して：姉が三人いて、鉱山で働いています。",
        "この文章を添削してください。私はローマに十年住んであります。",
        "私は東京で住んでいます。この文を直してください。",
        "以下を要約して。私の名前は健太です。沖縄で育ちました。",
        "私が農家だとしよう。羊を四十頭飼っています。",
        "例文：私はカイロに住んでいます。",
    ],
)
def test_what_is_handed_over_is_no_fact(extract, said):
    assert extract(said) == []


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I'm writing a story about dragons for my niece.", "writing a story"),
        ("I translate novels for a living.", "translates novels"),
        ("I act as treasurer of our club.", "treasurer"),
        ("I live in Lille. Translate this into German: I am tired.", "lives in Lille"),
        ("Translate this: I am tired. By the way, I live in Lille.", "lives in Lille"),
        ('Translate "I am tired" into German. I live in Lille.', "lives in Lille"),
        ("姪のために竜の物語を書いています。", "物語を書いて"),
        ("小説を翻訳しています。", "翻訳して"),
        ("金沢に住んでいます。次の文を英語に訳して：私は疲れた。", "金沢に住んで"),
        ("次の文を英語に訳して：私は疲れた。ところで、金沢に住んでいます。", "金沢に住んで"),
        ("「私は疲れた」を英語に訳して。金沢に住んでいます。", "金沢に住んで"),
    ],
)
def test_what_its_author_states_beside_it_stays(extract, said, kept):
    (fact,) = extract(said)
    assert kept in fact.content
