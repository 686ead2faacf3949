"""How memories look on a terminal. Their texts are data: never markup, never control codes."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, TextIO
from zoneinfo import ZoneInfo

import click
from pydantic import BaseModel
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cognis_memory.models.answers import (
    HistoryEntry,
    MemoryAnswer,
    ScoreBreakdown,
    SearchAnswer,
    SearchResult,
)

PIPE_WIDTH = 120
"""Columns where there is no terminal to ask and COLUMNS is not set."""


def console(stream: TextIO | None = None) -> Console:
    """A console on stdout, or the given stream; plain text in a pipe and with NO_COLOR."""
    stream = stream or sys.stdout
    known_width = stream.isatty() or "COLUMNS" in os.environ
    return Console(
        file=stream, width=None if known_width else PIPE_WIDTH, markup=False, emoji=False, highlight=False
    )


def print_json(answer: BaseModel | dict[str, Any] | list[Any]) -> None:
    data = answer.model_dump(mode="json") if isinstance(answer, BaseModel) else answer
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def plain(text: str) -> str:
    """The text on one line, without control characters, which could steer the terminal."""
    return "".join(" " if unicodedata.category(character) == "Cc" else character for character in text)


def day(moment: datetime | None, zone: ZoneInfo) -> str:
    return moment.astimezone(zone).date().isoformat() if moment else "now"


def period(start: datetime, end: datetime | None, zone: ZoneInfo) -> str:
    """The days from start to end, `end` exclusive; one day where it is one."""
    first = day(start, zone)
    last = day(end - timedelta(microseconds=1), zone) if end and end > start else first
    return first if first == last else f"{first} to {last}"


def facts_line(memory: MemoryAnswer, zone: ZoneInfo) -> str:
    """What is known about a memory besides its text, in one line."""
    parts = [f"version {memory.version}" if memory.version else memory.kind.value]
    if memory.category:
        parts.append(memory.category.value)
    if memory.speaker:
        parts.append(f"said by {plain(memory.speaker)}")
    if memory.event_time:
        parts.append(f"happened {period(memory.event_time, memory.event_end, zone)}")
    if not memory.is_current:
        parts.append("no longer current")
    return " · ".join([*parts, memory.id])


def result_rows(results: Iterable[SearchResult], zone: ZoneInfo) -> Table:
    """Results, best first: rank, score, day, and the text with its facts and earlier versions below."""
    table = memory_table("", "score", "date")
    for rank, result in enumerate(results, start=1):
        table.add_row(str(rank), f"{result.score:.2f}", day(result.timestamp, zone), described(result, zone))
    return table


def memory_rows(memories: Iterable[MemoryAnswer], zone: ZoneInfo) -> Table:
    table = memory_table("date")
    for memory in memories:
        table.add_row(day(memory.timestamp, zone), described(memory, zone))
    return table


def memory_table(*columns: str) -> Table:
    """A table whose last column is the memory and takes the room that is left."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, no_wrap=True, justify="right" if column in ("", "score") else "left")
    table.add_column("memory", overflow="fold", ratio=1)
    return table


def described(memory: MemoryAnswer, zone: ZoneInfo) -> Text:
    """The text, and dimmed below it what is known about it and what was so before."""
    text = Text(plain(memory.memory))
    text.append(f"\n{facts_line(memory, zone)}", style="dim")
    if isinstance(memory, SearchResult):
        for entry in earlier(memory):
            text.append(f"\nbefore: {version_line(entry, zone)}", style="dim")
    return text


def earlier(result: SearchResult) -> Sequence[HistoryEntry]:
    """The versions in a result's history that are not the result itself."""
    return [entry for entry in result.history or () if entry.id != result.id]


def brief_rows(results: Iterable[SearchResult], zone: ZoneInfo) -> Table:
    """Results in a line each: score, day, version and text; what was so before below it."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in ("indent", "score", "date", "version"):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold", ratio=1)
    for result in results:
        version = f"version {result.version}" if result.version else result.kind.value
        text = Text(plain(result.memory))
        for entry in earlier(result):
            text.append(f"\nbefore: {version_line(entry, zone)}", style="dim")
        table.add_row("", f"{result.score:.2f}", day(result.timestamp, zone), version, text)
    return table


def version_line(entry: HistoryEntry, zone: ZoneInfo) -> str:
    return f"{plain(entry.memory)} ({day(entry.valid_from, zone)} to {day(entry.valid_until, zone)})"


def version_table(entries: Sequence[HistoryEntry], zone: ZoneInfo) -> Table:
    """A chain, oldest first, with the time in which each version was true."""
    table = memory_table("", "from", "to", "operation")
    for number, entry in enumerate(entries, start=1):
        text = Text(plain(entry.memory))
        text.append(f"\n{entry.id}", style="dim")
        table.add_row(
            str(number),
            day(entry.valid_from, zone),
            day(entry.valid_until, zone),
            entry.operation.value,
            text,
        )
    return table


def explanation(answer: SearchAnswer) -> Table:
    """The stages' ranks and scores for each result, and how long each stage took."""
    names = list(ScoreBreakdown.model_fields)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0), caption_justify="left")
    for column in ("", *names):
        table.add_column(column, justify="right", no_wrap=True)
    for rank, result in enumerate(answer.results, start=1):
        breakdown = result.score_breakdown or ScoreBreakdown()
        table.add_row(str(rank), *(_figure(getattr(breakdown, name)) for name in names))
    durations = answer.stage_durations or {}
    table.caption = " · ".join(f"{stage} {duration:.1f}" for stage, duration in durations.items())
    return table


def _figure(value: float | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
