"""The command `run`: a conversation goes in, its questions are asked, and what was found is printed."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from pathlib import Path
from typing import Protocol

import click
from rich.console import Console
from rich.text import Text

from cognis_local.cli import output
from cognis_local.cli.ingest import by_user, finish_interrupted, ingest_shown, refuse_failed
from cognis_local.cli.ingestion import Ingested, IngestingMemory
from cognis_local.cli.options import DEFAULT_FOLDER, OpenMemory, folder_option, json_option
from cognis_local.cli.questions import TOP_K, Asked, SearchedMemory, ask_all
from cognis_local.cli.report import conclusion, introduction, shown
from cognis_local.conversations import Conversation, load, load_sample


@click.command(short_help="Ingest a conversation and ask its questions.")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--user", "-u", help="Whose memory it becomes; the conversation's id where not given.")
@click.option("--questions", type=click.IntRange(0), help="Ask only so many of each conversation.")
@click.option(
    "--show", type=click.IntRange(1, TOP_K), default=2, show_default=True, help="Results to print for each."
)
@folder_option
@json_option
@click.pass_obj
def run(
    open_memory: OpenMemory,
    *,
    file: Path | None,
    user: str | None,
    questions: int | None,
    show: int,
    folder: Path,
    as_json: bool,
) -> None:
    """Ingest a conversation, ask the questions that its file holds, and print what was found.

    FILE is JSON in the project's own format or in LoCoMo's; without it, a sample comes with the package.
    The answer that the file expects stands below each result, and where its evidence was found.
    """
    owned = by_user(load(file) if file else [load_sample()], user)
    console = output.console(sys.stderr if as_json else sys.stdout)
    done, reports = [], []
    with open_memory(folder) as memory:
        finish_interrupted(memory, console)
        for user_id, conversation in owned:
            shown_results = 0 if as_json else show
            ingested, asked = play(
                memory, conversation, user_id, console, questions=questions, show=shown_results
            )
            done.append(ingested)
            reports.append({**ingested.to_json(), "questions": [item.to_json() for item in asked]})
    if as_json:
        output.print_json(reports)
    else:
        program = called_as(sys.argv[0], click.get_current_context().find_root().info_name or "cognis")
        console.print(hint(program, folder, owned[-1][0]))
    refuse_failed(done)


class PlayedMemory(IngestingMemory, SearchedMemory, Protocol):
    """What a conversation can be played to."""


def play(
    memory: PlayedMemory,
    conversation: Conversation,
    user_id: str,
    console: Console,
    *,
    questions: int | None,
    show: int,
) -> tuple[Ingested, list[Asked]]:
    """Ingests a conversation and asks its first `questions`, all of them where it is None.

    Prints the progress, the first `show` results of each question (with 0 no question at all), and how many
    found their evidence.
    """
    console.print(Text(introduction(conversation), style="bold"))
    ingested = ingest_shown(memory, conversation, user_id, console)
    started = time.perf_counter()
    answers = ask_all(memory, conversation, user_id, ingested.message_ids, questions)
    asked = list(shown(answers, console, show, conversation.timezone) if show else answers)
    console.print(conclusion(asked, time.perf_counter() - started))
    return ingested, asked


def called_as(path: str, name: str) -> str:
    """What to type for this program: its name where the shell finds it by that, else the path as it was."""
    found = shutil.which(name) == os.path.abspath(path)
    return name if found or Path(path).name != name else shlex.quote(path)


def hint(program: str, folder: Path, user_id: str) -> str:
    where = f" --folder {shlex.quote(str(folder))}" if str(folder) != DEFAULT_FOLDER else ""
    return f'Ask it more: {program} ask --user {shlex.quote(user_id)}{where} "..."'
