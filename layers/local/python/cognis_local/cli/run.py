"""The command `run`: a conversation goes in, its questions are asked, and what was found is printed."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path

import click
from rich.text import Text

from cognis_local.cli import output
from cognis_local.cli.ingest import by_user, finish_interrupted, ingest_shown, refuse_failed
from cognis_local.cli.options import DEFAULT_FOLDER, OpenMemory, folder_option, json_option
from cognis_local.cli.questions import TOP_K, ask_all
from cognis_local.cli.report import conclusion, introduction, shown
from cognis_local.conversations import load, load_sample


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
            console.print(Text(introduction(conversation), style="bold"))
            ingested = ingest_shown(memory, conversation, user_id, console)
            started = time.perf_counter()
            answers = ask_all(memory, conversation, user_id, ingested.message_ids, questions)
            asked = list(answers if as_json else shown(answers, console, show, conversation.timezone))
            console.print(conclusion(asked, time.perf_counter() - started))
            done.append(ingested)
            reports.append({**ingested.to_json(), "questions": [item.to_json() for item in asked]})
    if as_json:
        output.print_json(reports)
    else:
        console.print(hint(folder, owned[-1][0]))
    refuse_failed(done)


def hint(folder: Path, user_id: str) -> str:
    where = f" --folder {shlex.quote(str(folder))}" if str(folder) != DEFAULT_FOLDER else ""
    return f'Ask it more: cognis ask --user {shlex.quote(user_id)}{where} "..."'
