"""Looking into a memory: `search`, `ask`, `history`, `list`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import Result
from rich.cells import cell_len

if TYPE_CHECKING:
    from tests.unit.cli.conftest import DictionaryMemory

Cli = Callable[..., Result]


@pytest.fixture
def held(memory: DictionaryMemory) -> DictionaryMemory:
    texts = ["Ana lives in Tokyo => Ana lives in Osaka", "Ana likes tea", "アナは猫を飼っている [むぎ]"]
    for day, text in enumerate(texts, start=1):
        message = {"content": text, "speaker": "Ana", "timestamp": f"2026-01-0{day}T20:00:00Z"}
        memory.add("default", [message])
    return memory


def test_search_lists_scores_dates_versions_and_what_was_before(cli: Cli, held: DictionaryMemory) -> None:
    shown = cli("search", "where lives ana").stdout
    assert shown.index("Ana lives in Osaka") < shown.index("Ana likes tea")
    for part in ("0.50", "2026-01-01", "version 2", "said by Ana", "mem_1"):
        assert part in shown
    assert "before: Ana lives in Tokyo (2026-01-01 to 2026-06-05)" in shown


def test_search_passes_on_what_was_asked(cli: Cli, held: DictionaryMemory) -> None:
    options = ["--top-k", "3", "--memories-only", "--no-rerank", "--min-relevance", "0.2", "--context", "c1"]
    times = ["--as-of", "2026-03-01", "--reference-time", "2026-07-01T00:00:00Z", "--timezone", "Asia/Tokyo"]
    assert cli("search", "tea", *options, *times, "--user", "u1").exit_code == 0
    (asked,) = held.asked
    assert asked.pop("as_of").isoformat() == "2026-03-01T00:00:00+09:00"
    assert asked.pop("reference_time").isoformat() == "2026-07-01T00:00:00+00:00"
    assert asked == {
        "user_id": "u1",
        "query": "tea",
        "top_k": 3,
        "include_messages": False,
        "rerank": False,
        "explain": False,
        "min_relevance": 0.2,
        "context_id": "c1",
        "timezone": "Asia/Tokyo",
    }


def test_dates_are_those_of_the_asked_zone(cli: Cli, held: DictionaryMemory) -> None:
    assert "2026-01-02" in cli("search", "tea").stdout
    assert "2026-01-03" in cli("search", "tea", "--timezone", "Asia/Tokyo").stdout


def test_explain_shows_scores_and_durations(cli: Cli, held: DictionaryMemory) -> None:
    shown = cli("search", "tea", "--explain").stdout
    assert "vector_rank" in shown
    assert "fusion_ms 0.2" in shown


def test_ask_shows_the_best_with_all_its_versions_then_others(cli: Cli, held: DictionaryMemory) -> None:
    lines = cli("ask", "where lives ana").stdout.splitlines()
    assert lines[0] == "Ana lives in Osaka"
    assert lines[1].startswith("2026-01-01 · score 0.50 · version 2")
    versions = [line.split() for line in lines if "ADD" in line or "UPDATE" in line]
    assert versions[0][:4] == ["1", "2026-01-01", "2026-06-05", "ADD"]
    assert versions[1][:4] == ["2", "2026-06-05", "now", "UPDATE"]
    assert "Ana likes tea" in "\n".join(lines)


def test_ask_shows_no_versions_where_there_is_one(cli: Cli, held: DictionaryMemory) -> None:
    assert "operation" not in cli("ask", "tea").stdout


def test_nothing_relevant_is_said_so(cli: Cli, held: DictionaryMemory) -> None:
    for command in ("ask", "search"):
        result = cli(command, "quantum")
        assert (result.exit_code, result.stdout) == (0, "Nothing relevant is remembered.\n")


def test_history_takes_an_id_or_words(cli: Cli, held: DictionaryMemory) -> None:
    by_id, by_words = cli("history", "mem_1"), cli("history", "lives")
    assert by_id.stdout == by_words.stdout
    assert by_id.stdout.index("Ana lives in Tokyo") < by_id.stdout.index("Ana lives in Osaka")
    assert held.asked[0]["include_messages"] is False


def test_history_of_nothing_is_an_error(cli: Cli, held: DictionaryMemory) -> None:
    for wanted, words in (
        ("mem_9", "There is no memory mem_9"),
        ("quantum", "No memory of 'default' was found"),
    ):
        result = cli("history", wanted)
        assert result.exit_code == 1
        assert words in result.stderr


def test_list_pages_from_the_newest(cli: Cli, held: DictionaryMemory) -> None:
    first = cli("list", "--limit", "2").stdout
    assert first.index("アナは猫を飼っている") < first.index("Ana likes tea")
    assert "There are more: --cursor 2" in first
    rest = cli("list", "--limit", "2", "--cursor", "2").stdout
    assert "Ana lives in Osaka" in rest
    assert "cursor" not in rest


def test_a_user_without_memories_has_an_empty_list(cli: Cli, held: DictionaryMemory) -> None:
    assert cli("list", "--user", "u9").stdout == "u9 has no memories.\n"


@pytest.mark.parametrize("command", [["search", "lives"], ["ask", "lives"], ["history", "lives"], ["list"]])
def test_json_is_the_whole_answer_and_no_more(cli: Cli, held: DictionaryMemory, command: list[str]) -> None:
    answer = json.loads(cli(*command, "--json").stdout)
    found = next(value for key, value in answer.items() if key in ("results", "history", "memories"))
    assert "Ana lives in Osaka" in {entry["memory"] for entry in found}


def test_text_is_shown_as_it_is_and_cannot_steer_the_terminal(cli: Cli, memory: DictionaryMemory) -> None:
    text = "[bold]tea[/bold] :cat: \x1b[31mred\x07\nnext"
    memory.add("default", [{"content": text, "speaker": "Ana", "timestamp": "2026-01-01T00:00:00Z"}])
    shown = cli("list").stdout
    assert "[bold]tea[/bold] :cat:  [31mred  next" in shown
    assert "\x1b" not in shown


def test_wide_characters_keep_the_columns_straight(cli: Cli, memory: DictionaryMemory) -> None:
    for text in ("猫が好き" * 30, "tea"):
        memory.add("default", [{"content": text, "speaker": "Ana", "timestamp": "2026-01-01T00:00:00Z"}])
    lines = [line.rstrip() for line in cli("list").stdout.splitlines()]
    assert max(cell_len(line) for line in lines) <= 100
    assert "".join(line.strip() for line in lines).count("猫が好き") == 30


def test_a_question_makes_no_folder(cli: Cli, tmp_path: Path) -> None:
    missing = tmp_path / "none"
    result = cli("ask", "tea", "--folder", missing)
    assert result.exit_code == 1
    assert f"There is no memory in {missing} yet. `cognis ingest FILE` makes one" in result.stderr
    assert not missing.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--as-of", "yesterday"], "'yesterday' is not a time; write 2026-07-08"),
        (["--timezone", "Mars/Base"], "'Mars/Base' is not a known time zone"),
        (["--top-k", "0"], "0 is not in the range"),
    ],
)
def test_a_wrong_option_says_what_to_write(cli: Cli, arguments: list[str], words: str) -> None:
    result = cli("search", "tea", *arguments)
    assert result.exit_code == 2
    assert words in result.stderr
