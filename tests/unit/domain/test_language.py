from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.language import Language, detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I moved to Osaka last week.", "en"),
        ("", "en"),
        ("12:30 🙂", "en"),
        ("J'habite à Lyon.", "en"),
        ("東京に住んでいます", "ja"),
        ("ラーメン", "ja"),
        ("ﾗｰﾒﾝ大好き", "ja"),
        ("東京駅", "ja"),
        ("人々", "ja"),
        ("我住在东京", "zh"),
        ("我喜歡喝茶", "zh"),
        ("오사카로 이사했어요", "ko"),
    ],
)
def test_one_script(text: str, language: Language) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("AWS Lambda と Step Functions と DynamoDB を使う", "ja"),
        ("The Beatlesが好き", "ja"),
        ("iPhone 15 Pro Max を買った", "ja"),
        ("新しいMacBook Airを会社でもらいました", "ja"),
        ("I bought a 本 yesterday", "en"),
        ("I had お好み焼き for dinner", "en"),
        ("We went to 東京 to see 花子", "en"),
        ("我用 iPhone 15 Pro Max", "zh"),
        ("나는 iPhone Pro 를 샀다", "ko"),
    ],
)
def test_two_scripts(text: str, language: Language) -> None:
    assert detect_language(text) == language


def test_the_conversation_decides_what_the_script_does_not() -> None:
    assert detect_language("大阪") == "zh"
    assert detect_language("大阪", hint="ja") == "ja"
    assert detect_language("大阪", hint="ko") == "ko"
    assert detect_language("大阪", hint="en") == "zh"
    assert detect_language("Osaka", hint="ja") == "en"
    assert detect_language("大阪にいます", hint="zh") == "ja"


@given(st.text(alphabet=st.characters(max_codepoint=0x2FF)))
def test_latin_texts_are_english_to_us(text: str) -> None:
    assert detect_language(text, hint="ja") == "en"


@given(st.text(alphabet="あいうえおカキクケコ漢字駅", min_size=1).filter(lambda text: not text.isascii()))
def test_a_japanese_conversation_stays_japanese(text: str) -> None:
    assert detect_language(text, hint="ja") == "ja"
