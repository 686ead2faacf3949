"""Commands that look into a memory: search, ask, history, list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click
from rich.text import Text

from cognis_local.cli import output
from cognis_local.cli.options import (
    OpenMemory,
    existing,
    folder_option,
    json_option,
    search_options,
    user_option,
    zone_option,
)
from cognis_memory.errors import NotFound
from cognis_memory.models.answers import HistoryAnswer, SearchResult
from cognis_memory.models.values import Category

if TYPE_CHECKING:
    from cognis_local import Memory

NOTHING = "Nothing relevant is remembered."
ASKED_RESULTS = 4


@click.command(short_help="List what is remembered about QUERY.")
@click.argument("query")
@click.option("--top-k", "-k", type=click.IntRange(1, 100), default=10, show_default=True, help="How many.")
@click.option("--memories-only", is_flag=True, help="Leave out raw messages.")
@click.option("--no-rerank", is_flag=True, help="Leave out the reranker: faster, a little less exact.")
@click.option("--explain", is_flag=True, help="Also print how each result came to its place.")
@search_options
@user_option
@folder_option
@json_option
@click.pass_obj
def search(
    open_memory: OpenMemory,
    *,
    query: str,
    top_k: int,
    memories_only: bool,
    no_rerank: bool,
    explain: bool,
    arguments: dict[str, Any],
    zone: ZoneInfo,
    user: str,
    folder: Path,
    as_json: bool,
) -> None:
    """List what is remembered about QUERY, best first."""
    with existing(open_memory, folder) as memory:
        answer = memory.search(
            user,
            query,
            top_k=top_k,
            rerank=not no_rerank,
            include_messages=not memories_only,
            explain=explain,
            **arguments,
        )
    if as_json:
        output.print_json(answer)
        return
    console = output.console()
    console.print(output.result_rows(answer.results, zone) if answer.results else NOTHING)
    if explain:
        console.print(output.explanation(answer))


@click.command(short_help="Show the best answer to QUESTION, with its versions.")
@click.argument("question")
@search_options
@user_option
@folder_option
@json_option
@click.pass_obj
def ask(
    open_memory: OpenMemory,
    *,
    question: str,
    arguments: dict[str, Any],
    zone: ZoneInfo,
    user: str,
    folder: Path,
    as_json: bool,
) -> None:
    """Show the memory that answers QUESTION best, with its date, score and versions."""
    with existing(open_memory, folder) as memory:
        answer = memory.search(
            user,
            question,
            top_k=ASKED_RESULTS,
            **arguments,
        )
        versions = _versions(memory, user, answer.results[0]) if answer.results else None
    if as_json:
        history = versions.model_dump(mode="json")["history"] if versions else None
        output.print_json({**answer.model_dump(mode="json"), "versions": history})
        return
    console = output.console()
    if not answer.results:
        console.print(NOTHING)
        return
    best, *others = answer.results
    console.print(Text(output.plain(best.memory), style="bold"))
    console.print(
        f"{output.day(best.timestamp, zone)} · score {best.score:.2f} · {output.facts_line(best, zone)}"
    )
    if versions:
        console.print(output.version_table(versions.history, zone))
    if others:
        console.print(output.result_rows(others, zone))


def _versions(memory: Memory, user: str, best: SearchResult) -> HistoryAnswer | None:
    """The chain of the best result, where there is more to it than the result."""
    if best.version is None or (best.version == 1 and best.is_current):
        return None
    return memory.history(user, best.id)


@click.command()
@click.argument("memory_id_or_query")
@zone_option
@user_option
@folder_option
@json_option
@click.pass_obj
def history(
    open_memory: OpenMemory,
    *,
    memory_id_or_query: str,
    zone: ZoneInfo,
    user: str,
    folder: Path,
    as_json: bool,
) -> None:
    """Show every version of a memory, oldest first.

    MEMORY_ID_OR_QUERY is a memory's id (mem_...), or words that find it.
    """
    with existing(open_memory, folder) as memory:
        answer = memory.history(user, _memory_id(memory, user, memory_id_or_query))
    if as_json:
        output.print_json(answer)
    else:
        output.console().print(output.version_table(answer.history, zone))


def _memory_id(memory: Memory, user: str, id_or_query: str) -> str:
    if id_or_query.startswith("mem_"):
        return id_or_query
    found = memory.search(user, id_or_query, top_k=1, history="always", include_messages=False).results
    if not found:
        raise NotFound(f"No memory of {user!r} was found for these words; `cognis list` shows them all.")
    return found[0].id


@click.command("list")
@click.option("--limit", type=click.IntRange(1, 100), default=50, show_default=True, help="How many.")
@click.option("--cursor", help="Go on where the page that printed this cursor ended.")
@click.option("--category", type=click.Choice([category.value for category in Category]), help="Only these.")
@click.option("--include-history", is_flag=True, help="Also what is no longer so.")
@zone_option
@user_option
@folder_option
@json_option
@click.pass_obj
def list_memories(
    open_memory: OpenMemory,
    *,
    limit: int,
    cursor: str | None,
    category: str | None,
    include_history: bool,
    zone: ZoneInfo,
    user: str,
    folder: Path,
    as_json: bool,
) -> None:
    """List memories, newest first."""
    with existing(open_memory, folder) as memory:
        answer = memory.list(
            user,
            limit=limit,
            cursor=cursor,
            category=Category(category) if category else None,
            include_history=include_history,
        )
    if as_json:
        output.print_json(answer)
        return
    console = output.console()
    console.print(
        output.memory_rows(answer.memories, zone) if answer.memories else f"{user} has no memories."
    )
    if answer.next_cursor:
        console.print(f"There are more: --cursor {answer.next_cursor}")
