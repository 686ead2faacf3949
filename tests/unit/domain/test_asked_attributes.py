from __future__ import annotations

import pytest

from cognis_memory.domain.asked_attributes import asked_attributes


@pytest.mark.parametrize(
    ("query", "slot"),
    [
        ("Where do I live?", "home"),
        ("what city am I living in", "home"),
        ("Which company do I work for now?", "employer"),
        ("What do I do for a living?", "job"),
        ("What's my job?", "job"),
        ("What car do I drive?", "car"),
        ("What phone do I have?", "mobile"),
        ("Am I married?", "relationship_status"),
        ("Am I vegan?", "diet"),
        ("Hey, where do I live these days?", "home"),
        ("Which town am I based in?", "home"),
        ("Who do I work for", "employer"),
        ("今どこに住んでるんだっけ", "home"),
        ("私の住まいは？", "home"),
        ("勤務先はどこですか", "employer"),
        ("職業は？", "job"),
        ("どのスマホを使っていますか", "mobile"),
        ("どこに住んでいますか？", "home"),
        ("私は今どこで働いていますか", "employer"),
        ("私の仕事は何？", "job"),
        ("何の車に乗っていますか", "car"),
        ("結婚していますか", "relationship_status"),
    ],
)
def test_it_names_what_is_asked_of_the_asker(query: str, slot: str) -> None:
    assert slot in asked_attributes(query)


@pytest.mark.parametrize(
    "query",
    [
        "Where does my sister live?",
        "What does my wife do for a living?",
        "Where did I live before?",
        "Which car is the fastest?",
        "How do companies work?",
        "妹はどこに住んでいますか",
        "妻の仕事は何ですか",
        "田中さんは結婚していますか",
        "車の歴史を教えて",
        "Where do I work out?",
        "Where do I live-stream from?",
        "What is my home phone number?",
        "What is my work email?",
        "What's my position on nuclear power?",
        "When does my work schedule start?",
        "What is my car insurance company?",
        "What is my job interview date?",
        "勤務先の電話番号は？",
        "仕事は何時に終わる？",
        "住まいの広さは？",
        "独身の友達は何人？",
        "車は何色？",
        "職場は駅から遠い？",
        "どのスマホがおすすめ？",
        "どこで働いている人が好き？",
        "どこに住んでいましたか",
        "私はどこで働いていましたか",
    ],
)
def test_other_questions_name_nothing(query: str) -> None:
    assert asked_attributes(query) == frozenset()
