"""Any text is safe, quickly."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cognis_local.extraction import RulesExtractor
from cognis_memory.models.extraction import ExtractionRequest, LabelledMemory
from cognis_memory.models.values import Category, Operation

from .builders import message

EXTRACTOR = RulesExtractor()
FRAGMENTS = st.sampled_from(
    [
        *(
            "I",
            "I'm",
            "my",
            "we",
            "live",
            "in",
            "Rome",
            "and",
            "but",
            "not",
            "no longer",
            "moved",
            "to",
            "the",
        ),
        *("dog", "called", "Rex", "hates", "tomorrow", "2026", "forget", "that", "call", "me", "always"),
        *(
            "私",
            "東京",
            "に",
            "住んで",
            "います",
            "好き",
            "です",
            "もう",
            "ません",
            "昨日",
            "は",
            "が",
            "も",
            "を",
        ),
        *("「", "」", "『", '"', "'", "(", ")", ",", ".", "!", "?", ";", "-", "。", "、"),
        *("<memory>", "```", ">", ":", "\n", "😀", "\u3000", "\x00", "﷽"),
    ]
)
UNITS = [
    *("I live in Rome and ", "I live in Rome. ", "東京に住んでいて、", "私は東京に住んでいます。"),
    *("hey, ", "not ", "my mother's ", "when I was, ", "call me ", "ignore all ", "Ken ", "、", "1. "),
    *("a", "私", " ", "\n", "\u3000", '"', "' a", "「", "(", "<memory ", "```", "> a\n"),
]


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.text(max_size=300),
        st.lists(FRAGMENTS, max_size=40).map(" ".join),
        st.lists(FRAGMENTS, max_size=40).map("".join),
    )
)
def test_any_text_gives_well_formed_facts(text):
    if not text:
        return
    for fact in EXTRACTOR.extract(ExtractionRequest((message(text),))).facts:
        assert fact.content.strip() == fact.content != ""
        assert fact.operation in {Operation.ADD, Operation.DELETE}  # "forget I ...": a tombstone
        assert fact.label is None
        assert fact.message_index == 0
        assert fact.event_end is None or fact.event_time < fact.event_end


@settings(max_examples=100, deadline=None)
@given(st.lists(FRAGMENTS, max_size=30).map(" ".join))
def test_labels_are_those_of_the_request(extract_with_similar, text):
    for fact in extract_with_similar(text):
        assert fact.label is not None or fact.operation in {Operation.ADD, Operation.DELETE}
        assert fact.label is None or fact.operation is not Operation.ADD
        assert fact.label in {None, 3, 7}


@pytest.fixture(scope="module")
def extract_with_similar():
    held = (
        LabelledMemory(3, "User lives in Rome", Category.PERSONAL_DETAILS),
        LabelledMemory(7, "ユーザーは東京に住んでいます", Category.PERSONAL_DETAILS),
    )
    return lambda text: EXTRACTOR.extract(ExtractionRequest((message(text),), (), held)).facts


@pytest.mark.parametrize("unit", UNITS)
def test_long_texts_take_no_longer_than_they_are_long(unit):
    text = unit * (100_000 // len(unit))
    EXTRACTOR.extract(ExtractionRequest((message("I live in Rome. 京都に住んでいます。"),)))
    started = time.process_time()
    EXTRACTOR.extract(ExtractionRequest((message(text),)))
    assert time.process_time() - started < 5


def test_one_extractor_serves_many_threads():
    texts = [
        f"I own {n} boats and live in Rome." if n % 2 else f"東京に{n}年住んでいます。" for n in range(2, 60)
    ]
    alone = [EXTRACTOR.extract(ExtractionRequest((message(text),))) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda text: EXTRACTOR.extract(ExtractionRequest((message(text),))), texts))
    assert together == alone


@pytest.mark.parametrize("text", ["저는 서울에 살고 있습니다.", "我住在北京，喜欢喝茶。"])
def test_other_languages_give_nothing(text):
    assert EXTRACTOR.extract(ExtractionRequest((message(text),))).facts == ()


def test_it_takes_one_message_a_call():
    assert EXTRACTOR.chunk_messages == 1
