"""The commands behind `make run`, `stop`, `clean`, `logs` and `executions`."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from botocore.exceptions import BotoCoreError
from rich.console import Console

from cognis_local.cli import output
from cognis_local.cli.app import Commands
from cognis_local.cli.ingest import by_user, refuse_failed
from cognis_local.cli.questions import TOP_K
from cognis_local.cli.run import play
from cognis_local.conversations import Conversation, load, load_sample
from cognis_local.stack.aws import EmulatedAccount
from cognis_local.stack.client import ApiMemory
from cognis_local.stack.emulator.process import DEFAULT_PORT
from cognis_local.stack.errors import NotRunning, StackError
from cognis_local.stack.executions import execution_of, last_executions
from cognis_local.stack.folder import DEFAULT_FOLDER, Run, StackFolder, read_record
from cognis_local.stack.function_logs import (
    chosen_groups,
    followed,
    is_routine,
    lines_since,
    log_groups,
)
from cognis_local.stack.language_model import DEFAULT_MODEL, MISBEHAVING
from cognis_local.stack.search import OPENSEARCH, SHARDS, Search
from cognis_local.stack.stopping import remove_stack, stop_stack
from cognis_local.stack.supervisor import running_stack
from cognis_local.stack.views import execution_view, log_line_view
from cognis_local.stack.watch import Watch
from cognis_memory.errors import CognisError

_Command = TypeVar("_Command", bound=Callable[..., None])

_LOG_MINUTES: Final = 60.0


def _folder_option(command: _Command) -> _Command:
    return click.option(
        "--folder",
        "-f",
        type=click.Path(file_okay=False, path_type=Path),
        default=DEFAULT_FOLDER,
        show_default=True,
        help="What the stack keeps.",
    )(command)


class _Commands(Commands):
    """Turns an emulator that no longer answers into a sentence, too."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BotoCoreError as error:
            raise click.ClickException(f"The emulator does not answer any more: {error}") from None


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
def stack() -> None:
    """The whole application on one machine, on an emulator of AWS."""


@stack.command(short_help="Bring the stack up, play a conversation, stay up.")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@_folder_option
@click.option(
    "--port",
    "-p",
    type=click.IntRange(1, 65_535),
    default=DEFAULT_PORT,
    envvar="PORT",
    show_default=True,
    show_envvar=True,
    help="Where the emulator listens on 127.0.0.1.",
)
@click.option(
    "--search",
    type=click.Choice([SHARDS, OPENSEARCH]),
    default=SHARDS,
    envvar="SEARCH",
    show_default=True,
    show_envvar=True,
    help="What it searches in: user shards, or an OpenSearch node.",
)
@click.option(
    "--llm",
    metavar="URL",
    envvar="LLM",
    show_envvar=True,
    help="Extract with the model of this OpenAI-compatible server, http://…/v1, in place of the rules; "
    f"'{MISBEHAVING}': by the rules, behind a service with faults.",
)
@click.option(
    "--llm-model",
    metavar="NAME",
    default=DEFAULT_MODEL,
    envvar="LLM_MODEL",
    show_envvar=True,
    help="The model's name, for a server with several.",
)
@click.option("--idle", is_flag=True, help="Play no conversation.")
@click.option("--show", type=click.IntRange(1, TOP_K), default=2, show_default=True, help="Results to print.")
@click.option("--end-with-parent", is_flag=True, help="End when the process that started this one ends.")
def run(
    *,
    file: Path | None,
    folder: Path,
    port: int,
    search: Search,
    llm: str | None,
    llm_model: str,
    idle: bool,
    show: int,
    end_with_parent: bool,
) -> None:
    """Bring the application up, play a conversation to its API, and stay up until Ctrl-C or `stop`.

    FILE is a conversation, JSON in the project's own format or in LoCoMo's; without it, a sample comes with
    the package. URL and key stand in run.json of the folder as soon as the API answers.
    """
    parent = os.getppid() if end_with_parent else None
    conversations = load(file) if file else [load_sample()]
    owned = [] if idle else by_user(conversations, None)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    console = output.console(sys.stdout)
    stack_folder = StackFolder(folder)
    with running_stack(
        stack_folder, port, console.print, search, llm=llm or None, llm_model=llm_model or DEFAULT_MODEL
    ) as stack:
        up, watch = stack.run, Watch(stack.emulator, stack.node, stack_folder, parent)
        try:
            with watch:
                memory = ApiMemory(up.url, up.api_key, stack_folder.journal_file)
                _play(memory, owned, console, show)
                click.echo(f"\n{_address(up, owned)}")
                threading.Event().wait()
        except KeyboardInterrupt:
            if watch.fault:
                raise StackError(watch.fault) from None
            console.print("Stopping; all data stays.")


def _play(memory: ApiMemory, owned: Sequence[tuple[str, Conversation]], console: Console, show: int) -> None:
    """A conversation that fails does not end the stack: what went wrong can be looked at."""
    try:
        done = [
            play(memory, conversation, user, console, questions=None, show=show)[0]
            for user, conversation in owned
        ]
        refuse_failed(done)
    except CognisError as error:
        console.print(f"The conversation failed: {error}", style="red")


def _address(up: Run, owned: Sequence[tuple[str, Conversation]]) -> str:
    user_id, query = "ana", "Where does Ana live?"
    if owned:
        user_id, conversation = owned[-1]
        query = conversation.questions[0].text if conversation.questions else query
    body = json.dumps({"user_id": user_id, "query": query}, ensure_ascii=False)
    command = (
        f"curl -s {shlex.quote(f'{up.url}/v1/memories/search')} -H {shlex.quote(f'X-Api-Key: {up.api_key}')} "
        f"-H 'Content-Type: application/json' -d {shlex.quote(body)}"
    )
    return (
        f"The API is at  {up.url}\nIts key is     {up.api_key}\nAsk it         {command}\n"
        "It stays up until Ctrl-C or `make stop`; `make logs` and `make executions` show what it does."
    )


@stack.command(short_help="End the running stack; all data stays.")
@_folder_option
def stop(folder: Path) -> None:
    """End the running stack. All data stays."""
    click.echo("Stopped." if stop_stack(StackFolder(folder)) else "Nothing was running.")


@stack.command(short_help="End the stack and remove everything it keeps.")
@_folder_option
def clean(folder: Path) -> None:
    """End the running stack and remove everything it keeps, all memories included."""
    remove_stack(StackFolder(folder))
    click.echo(f"Removed {folder}.")


@stack.command(short_help="Print what the functions log.")
@click.argument("function", required=False)
@_folder_option
@click.option("--follow", is_flag=True, help="Print what comes, too, until Ctrl-C.")
@click.option(
    "--minutes", type=click.FloatRange(0), default=_LOG_MINUTES, show_default=True, help="How far back."
)
@click.option(
    "--all", "everything", is_flag=True, help="With metrics, and with START, END and REPORT of each call."
)
def logs(*, function: str | None, folder: Path, follow: bool, minutes: float, everything: bool) -> None:
    """Print what the functions log, or FUNCTION alone, named as its folder under functions/."""
    account = _running_account(folder)
    groups = chosen_groups(log_groups(account), function)
    start = datetime.now(UTC) - timedelta(minutes=minutes)
    lines = followed(account, groups, start) if follow else lines_since(account, groups, start)
    with suppress(KeyboardInterrupt):
        for line in lines:
            if everything or not is_routine(line):
                click.echo("\n".join(log_line_view(line)))


@stack.command(short_help="Print the last executions, state by state.")
@click.argument("event_id", required=False)
@_folder_option
@click.option("--last", type=click.IntRange(1, 1_000), default=5, show_default=True, help="How many.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def executions(*, event_id: str | None, folder: Path, last: int, as_json: bool) -> None:
    """Print the last executions, or that of EVENT_ID, state by state, with inputs and outputs."""
    account = _running_account(folder)
    found = [execution_of(account, event_id)] if event_id else last_executions(account, last)
    if as_json:
        output.print_json([execution.to_json() for execution in found])
        return
    console = output.console(sys.stdout)
    for execution in found:
        console.print(execution_view(execution), soft_wrap=True)


def _running_account(folder: Path) -> EmulatedAccount:
    stack_folder = StackFolder(folder)
    up = read_record(stack_folder.run_file, Run)
    if up is None or not stack_folder.is_up():
        raise NotRunning("The stack is not running; `make run` brings it up.")
    return EmulatedAccount(up.endpoint)


def main() -> None:
    """Runs the command line."""
    stack(prog_name="python -m cognis_local.stack")
