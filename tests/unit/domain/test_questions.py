from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.questions import only_asks


@pytest.mark.parametrize(
    "text",
    [
        "Do I live in Paris?",
        "where do I live",
        "What's your favourite food?",
        "Hi Ana! How are you?",
        "Hmm, do I live in Paris?",
        "You live in Paris?",
        "Where do you live? And with whom?",
        "When I lived in Osaka, did I have a cat?",
        "私はパリに住んでいますか？",
        "どこに住んでるの？",
        "好きな食べ物は何ですか。",
        "パリに住んでたっけ",
        "こんにちは。お元気ですか？",
    ],
)
def test_what_only_asks(text: str) -> None:
    assert only_asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "👍",
        "I live in Paris.",
        "The cello.",
        "What a day!",
        "Do as I say.",
        "I moved to Osaka. And you?",
        "I moved to Osaka, did I tell you?",
        "I like Rome; what about you?",
        "Did I tell you I got a dog?",
        "大阪に引っ越しました。",
        "静かです。",
        "大阪に引っ越しました。あなたは？",
        "大阪に引っ越したんだけど、いい店知ってる？",
    ],
)
def test_what_tells_something(text: str) -> None:
    assert not only_asks(text)


@given(st.text())
def test_a_statement_beside_it_makes_any_text_tell_something(text: str) -> None:
    assert not only_asks(f"I live in Paris. {text}")


@pytest.mark.parametrize("part", ["a", "? ", "do i ", "did i ", "か、", "、", "so, ", "\n"])
def test_a_text_of_any_length_is_read_at_once(part: str) -> None:
    started = time.perf_counter()
    only_asks(part * (100_000 // len(part)))
    assert time.perf_counter() - started < 0.5
