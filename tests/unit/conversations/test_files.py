"""Whatever is wrong with a file becomes a sentence that names the place and says what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cognis_local.conversations import load
from cognis_memory.errors import InvalidInput

NATIVE = {"sessions": [{"started_at": "2026-07-08T11:00:00Z", "turns": [{"speaker": "Ana", "text": "Hi"}]}]}
LOCOMO = {
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [{"speaker": "Ana", "dia_id": "D1:1", "text": "Hi"}],
}

KEYS = [
    "id",
    "sessions",
    "turns",
    "speaker",
    "text",
    "started_at",
    "conversation",
    "session_1",
    "qa",
    "evidence",
]
KEYS += ["session_1_date_time", "dia_id", "questions", "question", "timezone", "sample_id", "answer"]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(KEYS)
JSON = st.recursive(
    SCALARS | st.just("2026-07-08T11:00:00Z") | st.just("1:56 pm on 8 May, 2023"),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.sampled_from(KEYS), values, max_size=5),
    max_leaves=25,
)


def refusal(path: Path) -> str:
    with pytest.raises(InvalidInput) as refused:
        load(path)
    return str(refused.value)


def test_malformed_json_is_refused_with_its_line_and_column(write: Callable[..., Path]) -> None:
    assert "chat.json is not valid JSON: line 2, column 14" in refusal(write('{"sessions": [\n  {"id": "s1"'))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        ("  \n", "is empty"),
        ([], "holds no conversation"),
        ({}, "Expected an object with `sessions`"),
        ([1], "Expected an object with `sessions`"),
        ("[" * 100_000, "nested too deeply"),
        ("東京".encode("shift_jis"), "is not UTF-8"),
    ],
)
def test_what_is_no_conversation_is_refused(write: Callable[..., Path], content: Any, words: str) -> None:
    assert words in refusal(write(content))


def test_a_missing_file_and_a_folder_are_refused_by_name(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere.json").startswith(f"There is no file {tmp_path / 'nowhere.json'}")
    assert "is a folder" in refusal(tmp_path)


def test_a_byte_order_mark_is_no_part_of_the_text(write: Callable[..., Path]) -> None:
    assert load(write(b"\xef\xbb\xbf" + json.dumps(NATIVE).encode()))[0].turn_count == 1


def test_conversations_without_an_id_are_named_after_the_file(write: Callable[..., Path]) -> None:
    assert [found.id for found in load(write(NATIVE, "diary.json"))] == ["diary"]
    assert [found.id for found in load(write([NATIVE, LOCOMO], "diary.json"))] == ["diary-1", "diary-2"]


def test_two_conversations_of_one_id_are_refused(write: Callable[..., Path]) -> None:
    assert "two conversations with the id 'x'" in refusal(
        write([{**NATIVE, "id": "x"}, {**NATIVE, "id": "x"}])
    )


@settings(deadline=None)  # a loaded machine is no fault
@given(JSON)
def test_any_json_is_read_or_refused_in_words(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    try:
        conversations = load(path)
    except InvalidInput as error:
        refused = str(error)
    else:
        refused = ""
        assert all(conversation.turn_count for conversation in conversations)
    assert not refused or "any.json" in refused
