"""The terms of documents and queries."""

from __future__ import annotations

import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from snowballstemmer.english_stemmer import EnglishStemmer

from cognis_memory.domain.text import index_terms, normalise_text, query_terms
from cognis_memory.domain.text.stopwords import ENGLISH_STOP_WORDS

TEXTS = st.text(max_size=80) | st.text("aé'’-,.0123 \u0301猫のヴｶﾞ々한글我\u3099\0🎉", max_size=40)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", []),
        ("  \t\n", []),
        ("running runs", ["run", "run"]),
        ("The universities' libraries", ["universiti", "librari"]),
        ("Gaye's", ["gay"]),
        ("gaye’s", ["gay"]),
        ("O'Brien’s", ["obrien"]),
        ("It's what I don’t know", ["know"]),
        ("Café Ångström", ["cafe", "angstrom"]),
        ("cafe\u0301", ["cafe"]),
        ("STRASSE straße", ["strass", "strass"]),
        ("Øresund Łódź Æsir", ["oresund", "lodz", "aesir"]),
        ("İstanbul", ["istanbul"]),
        ("e-mail", ["e", "mail", "email"]),
        ("COVID-19", ["covid", "19", "covid19"]),
        ("$1,200,000 or 3,5", ["1200000", "3", "5"]),
        ("2026-07-08", ["2026", "07", "08", "20260708"]),
        ("snake_case", ["snake", "case"]),
        ("ＡＢＣ１２３", ["abc123"]),
        ("co\u00adoperate", ["cooper"]),
        ("привет ПРИВЕТ", ["привет", "привет"]),
    ],
)
def test_words(text: str, terms: list[str]) -> None:
    assert index_terms(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("猫", ["猫"]),
        ("東京", ["東京", "東", "京"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー", "東", "京", "タ", "ワ", "ー"]),
        ("ｶﾞｲﾄﾞ", ["ガイ", "イド", "ガ", "イ", "ド"]),
        ("か\u3099", ["が"]),
        ("人々、佐々木", ["人々", "人", "々", "佐々", "々木", "佐", "々", "木"]),
        ("猫がcat", ["猫が", "猫", "が", "cat"]),
        ("ここから", ["こか", "こ", "こ", "か", "ら"]),
        ("喜欢猫", ["喜欢", "欢猫", "喜", "欢", "猫"]),
        ("한국어 공부", ["한국", "국어", "한", "국", "어", "공부", "공", "부"]),
        ("𠮷野家", ["𠮷野", "野家", "𠮷", "野", "家"]),
    ],
)
def test_characters(text: str, terms: list[str]) -> None:
    assert index_terms(text) == terms


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("Who is the king of the kings?", ["king"]),
        ("Where is she?", []),
        ("犬", ["犬"]),
        ("え", ["え"]),
        ("犬は好き", ["犬は", "は好", "好き", "犬", "好"]),
        ("コーヒー", ["コー", "ーヒ", "ヒー"]),
        ("これはどこですか", ["れは", "はど", "こで", "すか"]),
        ("私は彼女が好き", ["私は", "は彼", "女が", "が好", "好き", "女", "好"]),
        ("a 🎉 \0 \" ' ( ) * ^ : - \ud800", []),
    ],
)
def test_queries_leave_out_what_is_not_worth_looking_for(query: str, terms: list[str]) -> None:
    assert query_terms(query) == terms


ENDINGS = ("", "s", "es", "ed", "ing", "ly", "ies", "ation", "ational", "izer", "fulness", "edly", "ment")


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12), st.sampled_from(ENDINGS))
def test_english_stems_are_those_that_snowball_defines(beginning: str, ending: str) -> None:
    """Compiled and in Python alike: an index written with the one is searched with the other."""
    word = beginning + ending
    assume(word not in ENGLISH_STOP_WORDS)
    assert index_terms(word) == [EnglishStemmer().stemWord(word)]


@given(TEXTS)
def test_terms_are_safe_in_any_query_language(text: str) -> None:
    for term in index_terms(text):
        assert term
        assert len(term) <= 64
        assert not [character for character in term if character.isascii() and not character.isalnum()]
        assert not [character for character in term if character.isspace()]
        term.encode()


@given(TEXTS)
def test_a_query_asks_for_terms_of_its_own_text_only(text: str) -> None:
    asked = query_terms(text)

    assert set(asked) <= set(index_terms(text))
    assert len(asked) == len(set(asked))


@given(TEXTS)
def test_case_width_and_accents_make_no_difference(text: str) -> None:
    full_width = text.translate({code: code + 0xFEE0 for code in range(0x41, 0x5B)})

    assert index_terms(full_width) == index_terms(text)
    assert index_terms(normalise_text(text)) == index_terms(text)


@given(st.text(st.characters(codec="ascii")))
def test_a_japanese_word_beside_it_leaves_the_terms_of_an_ascii_text_as_they_are(text: str) -> None:
    assert index_terms(f"{text} 猫") == [*index_terms(text), "猫"]
    assert query_terms(f"{text} 猫") == [*query_terms(text), "猫"]


@given(TEXTS, TEXTS)
def test_terms_of_texts_apart_are_those_of_each(left: str, right: str) -> None:
    assert index_terms(f"{left} / {right}") == [*index_terms(left), *index_terms(right)]


@pytest.mark.parametrize(
    "text",
    [
        "\u064e\u0651\u0650" * 40_000,
        "\u0300\u0327" * 60_000,
        "か\u3099" * 60_000,
        "a-" * 60_000,
        "1," * 60_000,
        "a" * 120_000,
    ],
    ids=["marks", "accents", "voicing", "hyphens", "commas", "letters"],
)
def test_long_texts_take_time_in_proportion(text: str) -> None:
    start = time.process_time()
    index_terms(text)

    assert time.process_time() - start < 5  # in quadratic time it would be many times that
