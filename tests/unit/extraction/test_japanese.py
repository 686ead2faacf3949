"""Japanese messages become statements in the third person."""

from __future__ import annotations

import pytest

from .builders import message


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("東京に住んでいます。", "ユーザーは東京に住んでいます"),
        ("私は看護師です。", "ユーザーは看護師です"),
        ("趣味は登山です。", "ユーザーの趣味は登山です"),
        ("私の机は窓のそばにあります。", "ユーザーの机は窓のそばにあります"),
        ("コーヒーは苦手です。", "ユーザーはコーヒーが苦手です"),
        ("週末は釣りに行きます。", "ユーザーは週末、釣りに行きます"),
        ("実は双子なんです。", "ユーザーは双子です"),
        ("猫を飼ってるよ。", "ユーザーは猫を飼ってる"),
        ("娘がいます。", "ユーザーは娘がいます"),
        (
            "母が入院しているので、毎週病院に行っています。",
            "ユーザーは母が入院しているので、毎週病院に行っています",
        ),
        ("最近ハマっているのはボルダリングです。", "ユーザーが最近ハマっているのはボルダリングです"),
    ],
)
def test_wording(extract, said, content):
    (fact,) = extract(said)
    assert fact.content.replace("（2026年3月21日〜3月22日）", "") == content
    assert (fact.subject, fact.language) == ("User", "ja")


@pytest.mark.parametrize(
    "said",
    [
        "昨日の朝礼で売上を発表しました。",
        "先月、町内の大会に出ました。",
        "来週の予定は歯医者と散髪です。",
    ],
)
def test_what_is_done_or_planned_without_a_subject_is_the_speakers(extract, said):
    (fact,) = extract(said)
    assert fact.subject == "User"
    assert fact.event_time is not None


@pytest.mark.parametrize(
    "said", ["新しい機種が発表されました。", "エラーが出ました。", "明日発売です。", "私のほうは最悪だよ。"]
)
def test_what_happens_by_itself_is_nobodys(extract, said):
    assert extract(said) == []


def test_one_fact_for_each_thing_that_is_said(extract):
    facts = extract("妹は看護師で、福岡に住んでいます。甘いものは好きだけど、チョコレートは食べません。")
    assert [fact.content for fact in facts] == [
        "ユーザーの妹は看護師です",
        "ユーザーの妹は福岡に住んでいます",
        "ユーザーは甘いものが好きだ",
        "ユーザーはチョコレートは食べません",
    ]
    assert [fact.subject for fact in facts] == [
        "User's younger sister",
        "User's younger sister",
        "User",
        "User",
    ]


@pytest.mark.parametrize(
    ("said", "subject"),
    [
        ("友達のケンは野球が嫌いです。", "ケン"),
        ("お母さんは教師です。", "User's mother"),
        ("隣の席の山田さんは辛い料理が好きです。", "山田"),
        ("うちの犬はチョコという名前です。", "User"),
    ],
)
def test_subject(extract, said, subject):
    assert [fact.subject for fact in extract(said)] == [subject]


def test_a_named_speaker_is_named(extract):
    (fact,) = extract("僕は三年前からインコを飼ってるよ。", speaker="健太")
    assert fact.content.startswith("健太は三年前")
    assert fact.subject == "健太"


@pytest.mark.parametrize(
    "said",
    [
        "こんにちは！",
        "ありがとうございます、助かりました。",
        "日本の首都はどこですか？",
        "おすすめの店を教えてください。",
        "この文章を要約して。",
        "もし宝くじが当たったら、世界一周したいです。",
        "それはいい考えです。",
        "私もそう思います。",
        "今日は暑いですね。",
        "また雨が降ってきました。",
        "水は100度で沸騰します。",
        "猫は一日に16時間寝ます。",
        "円安が進んでいるそうです。",
        "健太くんは優しいね。",
        "質問があります。",
        "二番目の方が好きです。",
        "新しいiPhoneは15万円です。",
        "いい知らせがある。",
        "ちょっと報告があります。",
        "聞いてほしいことがあるんだ。",
        "相談したいことがあります。",
        "嬉しいことがあったよ。",
        "聞いてよ！",
        "あんなに好きだったのに。",
        "まだ起きてるよ。",
        "疲れたというか、飽きた。",
        "原因は油だったみたい。",
    ],
)
def test_small_talk_questions_and_requests_say_nothing(extract, said):
    assert extract(said) == []


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("僕のことは「たっちゃん」と呼んでください。", "ユーザーは「たっちゃん」と呼ばれたい"),
        ("これからはタメ口で話してください。", "ユーザーはこれからはタメ口で話してほしい"),
    ],
)
def test_standing_wishes_are_facts(extract, said, content):
    assert [fact.content for fact in extract(said)] == [content]


class TestAssistant:
    @pytest.mark.parametrize(
        "said",
        [
            "土曜日に「鮨さいとう」を予約しました。",
            "京都では嵐山をおすすめします。",
            "28日にリマインダーをお送りします。",
        ],
    )
    def test_commitments_and_recommendations_are_facts(self, extract, said):
        (fact,) = extract(said, role="assistant")
        assert fact.content.startswith("アシスタントは")
        assert fact.subject == "Assistant"

    @pytest.mark.parametrize(
        "said",
        [
            "生地は三か月まで冷凍できます。",
            "AIなので、経験はありません。",
            "公式サイトで確認することをお勧めします。",
        ],
    )
    def test_answers_are_none(self, extract, said):
        assert extract(said, role="assistant") == []


def test_what_is_said_of_the_listener_is_not_of_the_speaker(extract):
    before = [message("試験が近いんだ。", speaker="Anna")]
    assert extract("Annaなら絶対に合格する。", speaker="Ben", before=before) == []


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("昨日は眠れなかったけど。", "ユーザーは昨日（2026年3月17日）、眠れなかった"),
        ("でも来月、大会に出るつもり。", "ユーザーは来月（2026年4月）、大会に出るつもり"),
        ("4月2日に奈良に行くね。", "ユーザーは4月2日（2026年）に奈良に行く"),
    ],
)
def test_what_only_joins_or_softens_is_left_out(extract, said, content):
    assert [fact.content for fact in extract(said)] == [content]
