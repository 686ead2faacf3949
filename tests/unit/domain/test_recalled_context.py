"""What a memory or a prompt put into a turn is told from what its author said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.recalled_context import without_recalled_context


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("- [2026-07-08] Ana lives in Osaka\n\nWhat now?", "\nWhat now?"),
        ("[Memory] I live in Osaka\nWhat now?", "What now?"),
        ("Relevant memories:\n- I live in Osaka\n- I have a dog\nI moved to Kobe.", "I moved to Kobe."),
        ("Here is what you know about me: I live in Osaka.\nI moved to Kobe.", "I moved to Kobe."),
        ("## User profile\nName: Ana\nHome: Osaka\n\nI moved to Kobe.", "\nI moved to Kobe."),
        ("You are a helpful assistant. I live in Rome.\n\nI moved to Kobe.", "\nI moved to Kobe."),
        ("System: You are helpful.\nAnswer briefly.\n\nI moved to Kobe.", "\nI moved to Kobe."),
        ("関連する記憶：\n- 大阪に住んでいます\n\n神戸に引っ越しました。", "\n神戸に引っ越しました。"),
        ("【記憶】大阪に住んでいます\n神戸に引っ越しました。", "神戸に引っ越しました。"),
        (
            "ユーザーについて知っていること：大阪に住んでいます\n神戸に引っ越しました。",
            "神戸に引っ越しました。",
        ),
        (
            "あなたは親切なアシスタントです。私は東京にいます。\n\n神戸に引っ越しました。",
            "\n神戸に引っ越しました。",
        ),
        ("<memory>I live in Osaka</memory>I moved to Kobe.", "\nI moved to Kobe."),
    ],
)
def test_recalled_parts_go_and_the_rest_stays(text: str, left: str) -> None:
    assert without_recalled_context(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "- I live in Osaka\n- I have two dogs",
        "My memories of Rome: I lived near the station.",
        "About me: I am a nurse.",
        "You are a great assistant! I live in Osaka.",
        "In our last conversation I said Rome, but I moved to Milan.",
        "ポルトの記憶が懐かしいです。",
        "私について：猫を飼っています。",
        "あなたは聞き上手ですね。私は寂しいです。",
    ],
)
def test_what_is_told_stays_as_it_is(text: str) -> None:
    assert without_recalled_context(text) is text


@given(st.text(alphabet="abc \n-*.:：#[]<>/記憶メモ memoryRelevant"))
def test_what_is_left_holds_nothing_recalled(text: str) -> None:
    left = without_recalled_context(text)

    assert without_recalled_context(left) == left
    assert len(left) <= len(text)
