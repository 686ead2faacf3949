"""Keyword search: stems and characters, any text a safe query."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cognis_memory.domain.filters import EVERYTHING, Comparator, Comparison
from cognis_memory.models.values import Kind

from .builders import OWNER, SearchIndex, apply, document, ids, matching

TEXTS = {
    1: "Ana was running three marathons in Kyoto's old town.",
    2: "Her daughters like café crème and naïve paintings.",
    3: "Bo works for Ångström Ltd. and earns $1,200 a week; reach him by e-mail.",
    4: "東京タワーの近くに住んでいます。犬を二匹飼っています。",
    5: "週末はコーヒーを飲みながら夜食を食べるのが好きです。",
    6: "我喜欢猫，也喜欢喝绿茶。",
    7: "서울에서 친구와 김치찌개를 먹었어요.",
    8: "ＦＵＬＬ ＷＩＤＴＨ ２０２６ and ﾊﾟｿｺﾝ",
    9: "She said: \"NOT\" AND (never) OR* NEAR^2 -minus col:value {x} 'quoted'",
}


@pytest.fixture
def full(index: SearchIndex) -> SearchIndex:
    apply(index, *(document(number, text) for number, text in TEXTS.items()))
    return index


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("run", 1),
        ("RUNNING marathon", 1),
        ("Where in Kyoto was it?", 1),
        ("kyoto’s", 1),
        ("daughter's", 2),
        ("cafe", 2),
        ("NAÏVE", 2),
        ("angstrom", 3),
        ("1200", 3),
        ("email", 3),
        ("e-mails", 3),
        ("東京", 4),
        ("東京タワーはどこ？", 4),
        ("犬", 4),
        ("ペットの犬を飼っている人", 4),
        ("タワー", 4),
        ("ｺｰﾋｰ", 5),
        ("夜食", 5),
        ("猫", 6),
        ("绿茶", 6),
        ("서울", 7),
        ("김치찌개", 7),
        ("full width", 8),
        ("2026", 8),
        ("パソコン", 8),
        ("minus", 9),
        ('col:"value"', 9),
    ],
)
def test_words_are_found_in_their_texts(full: SearchIndex, query: str, number: int) -> None:
    assert matching(full, query)[0] == document(number).id


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        "the",
        "who is it?",
        "これはどこですか",
        '"',
        "'",
        "()",
        "*",
        "^",
        ":",
        "\0",
        "🎉",
        "-",
        "\ud800",
    ],
)
def test_a_query_without_a_word_to_look_for_finds_nothing(full: SearchIndex, query: str) -> None:
    assert full.match(OWNER, query, filter=EVERYTHING, limit=10) == []


@pytest.mark.parametrize(
    "query",
    [
        'marathons" OR "x',
        "marathons AND missing",
        "marathons NOT kyoto",
        "NEAR(marathons nothing, 2)",
        "text:marathons",
        "-marathons",
        "marathons*",
        "^marathons",
        "{context}: marathons",
        "marathons\0kyoto",
        "'); DROP TABLE words; -- marathons",
        "marathons 🎉 \ud800",
        "marathons " * 2_000,
        "marathons " + " ".join(f"word{number}" for number in range(2_000)),
    ],
)
def test_operators_are_words_like_others(full: SearchIndex, query: str) -> None:
    assert document(1).id in matching(full, query)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(max_size=60))
def test_any_text_is_a_safe_query(full: SearchIndex, query: str) -> None:
    hits = full.match(OWNER, query, filter=EVERYTHING, limit=3)

    assert len(hits) <= 3
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=60))
def test_any_text_is_a_safe_document(index: SearchIndex, text: str) -> None:
    changed = document(1, f"{text} needle", context=text, revision=index.count(OWNER) + 1)
    index.drop(OWNER)
    apply(index, changed, document(2, text))

    assert document(1).id in matching(index, "needle")


def test_rare_words_weigh_more_than_common_ones(index: SearchIndex) -> None:
    apply(index, *(document(number, "tea in the garden") for number in range(8)))
    apply(index, document(10, "tea and biscuits, long ago, on a cold and rainy afternoon"))

    assert matching(index, "tea biscuit")[0] == document(10).id
    assert len(matching(index, "tea biscuit")) == 9


def test_new_documents_rank_with_old_ones(index: SearchIndex) -> None:
    """The same words rank the same, whenever they were written."""
    fillers = [document(number, f"filler number {number} about nothing") for number in range(40)]
    apply(index, *fillers, document(50, "a zebra crossed the road"))
    apply(index, document(51, "the zebra and the zebra again, a zebra"))

    assert matching(index, "zebra") == [document(51).id, document(50).id]
    scores = [hit.score for hit in index.match(OWNER, "zebra", filter=EVERYTHING, limit=2)]
    assert scores[0] < 2 * scores[1]


def test_what_was_said_before_counts_less_than_what_is_said(index: SearchIndex) -> None:
    said = document(1, "We went to Hakone", kind=Kind.MESSAGE)
    after = document(2, "It was lovely there", context="We went to Hakone", kind=Kind.MESSAGE)
    apply(index, after, said, *(document(number) for number in range(3, 9)))

    assert matching(index, "hakone") == [said.id, after.id]


def test_context_that_is_taken_back_is_found_no_more(index: SearchIndex) -> None:
    after = document(2, "It was lovely there", context="We went to Hakone", kind=Kind.MESSAGE)
    apply(index, after, *(document(number) for number in range(3, 9)))
    apply(index, document(2, "It was lovely there", kind=Kind.MESSAGE, revision=2))

    assert matching(index, "hakone") == []
    assert matching(index, "lovely") == [after.id]


def test_filters_apply_before_the_limit(index: SearchIndex) -> None:
    apply(index, *(document(number, "tea") for number in range(20)))
    apply(index, document(30, "tea, once upon a time, far away from here", speaker="Bo"))
    speaker = Comparison("speaker", Comparator.EQ, "Bo")

    assert matching(index, "tea", filter=speaker, limit=1) == [document(30).id]
    assert len(matching(index, "tea", limit=7)) == 7
    assert set(matching(index, "tea")) == ids(*range(20), 30)
