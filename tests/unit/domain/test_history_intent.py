from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.history_intent import asks_for_history


@pytest.mark.parametrize(
    "query",
    [
        "Where did Ana live before?",
        "Where did she use to live?",
        "Which car did I used to drive?",
        "What was my previous job?",
        "Where did I previously work?",
        "Who was my former boss?",
        "What did I originally plan?",
        "How has my diet changed over the years?",
        "Did my address change?",
        "When did I switch jobs?",
        "What is the history of my addresses?",
        "WHAT WAS MY PRIOR ADDRESS?",
        "以前はどこに住んでいましたか？",
        "前の仕事は何でしたか？",
        "昔の趣味は？",
        "住所は変わりましたか？",
        "食事の変化を教えて",
        "もともとの計画は？",
        "これまでの勤務先は？",
        "引っ越しの履歴",
        "旧住所",
        "Did I use to have a cat?",
        "Who used to be the neighbour downstairs?",
        "Which sport did her brother use to do?",
        "Was Tom ever a vegetarian?",
        "Has the shop ever been open on Sundays?",
        "Were we once neighbours?",
        "What does she no longer eat?",
        "Does he sing anymore?",
        "What did I give up?",
        "What was my old address?",
        "Where did I work before I moved?",
        "昔はベジタリアンだった？",
        "東京に住んでいたことはある？",
        "水泳を習っていたことがありますか？",
        "山形に引っ越す前、どこに住んでいましたか？",
        "結婚する前の名字は？",
        "もう弾いていない楽器は？",
        "何をやめた？",
    ],
)
def test_questions_about_how_things_were(query: str) -> None:
    assert asks_for_history(query)


@pytest.mark.parametrize(
    "query",
    [
        "Where does Ana live?",
        "What did I do last week?",
        "What did I do the week before?",
        "What happened the night before?",
        "When is my birthday?",
        "Which museum did I visit in March?",
        "どこに住んでいますか？",
        "名前は何ですか？",
        "犬の名前を教えて",
        "三日前に何をしましたか？",
        "二週間前に何をした？",
        "三ヶ月前に行った店は？",
        "一時間前に何を食べた？",
        "趣味は何ですか？",
        "Which pan do I use to fry fish?",
        "Which app does Ana use to track her runs?",
        "What am I used to eating?",
        "Is the blue towel used to dry the dog?",
        "What do I drink before bed?",
        "What should I pack before the trip?",
        "How often do I shower? Once a day?",
        "What is the best film I have ever seen?",
        "寝る前に何を飲む？",
        "駅前の店はどこ？",
        "午前は何をする？",
        "この前は何を食べた？",
        "昔から好きな曲は？",
        "魚を焼くのに使うフライパンは？",
    ],
)
def test_other_questions(query: str) -> None:
    assert not asks_for_history(query)


@given(st.text())
def test_any_text_is_safe_and_case_does_not_count(query: str) -> None:
    assert asks_for_history(query) in (True, False)
    ascii_query = query.encode("ascii", "ignore").decode()
    assert asks_for_history(ascii_query.upper()) == asks_for_history(ascii_query.lower())


@pytest.mark.parametrize("word", ["do ", "did x ", "was ", "is a ", "る前に", "もう", "前"])
def test_a_query_of_any_length_is_read_at_once(word: str) -> None:
    started = time.perf_counter()
    asks_for_history(word * (10_000 // len(word)))
    assert time.perf_counter() - started < 0.5
