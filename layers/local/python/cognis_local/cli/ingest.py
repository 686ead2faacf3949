"""Commands that bring conversations: ingest, sample."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from cognis_local.cli import output
from cognis_local.cli.ingestion import Ingested, IngestingMemory, ingest_conversation
from cognis_local.cli.options import DEFAULT_USER, OpenMemory, folder_option, json_option
from cognis_local.cli.progress import Tally, ingestion_progress
from cognis_local.conversations import Conversation, load
from cognis_local.conversations.files import sample_file
from cognis_memory.errors import InvalidInput, PermanentError
from cognis_memory.models.values import Operation

if TYPE_CHECKING:
    from cognis_local import Memory

LEFT_ALONE = timedelta(minutes=1)
"""Younger ingestions may be those of another command on the same folder."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--user",
    "-u",
    envvar="COGNIS_USER",
    show_envvar=True,
    help=f"Whose memory it becomes; {DEFAULT_USER!r} where not given, or each conversation's own id "
    "where the file holds several.",
)
@folder_option
@json_option
@click.pass_obj
def ingest(open_memory: OpenMemory, file: Path, user: str | None, folder: Path, as_json: bool) -> None:
    """Remember the conversations in FILE.

    FILE is JSON in the project's own format (`cognis sample` prints one) or in LoCoMo's. What was ingested
    before is not ingested again, so a command that was interrupted can simply be repeated.
    """
    conversations = load(file)
    if user is None and len(conversations) == 1:
        user = DEFAULT_USER
    owned = by_user(conversations, user)
    console = output.console(sys.stderr)
    with open_memory(folder) as memory:
        finish_interrupted(memory, console)
        done = [ingest_shown(memory, conversation, user_id, console) for user_id, conversation in owned]
    if as_json:
        output.print_json([ingested.to_json() for ingested in done])
    refuse_failed(done)


def by_user(conversations: Sequence[Conversation], user: str | None) -> list[tuple[str, Conversation]]:
    """Each conversation with its user: the one named, or the conversation's own id."""
    if user is not None and len(conversations) > 1:
        raise InvalidInput(
            f"The file holds {len(conversations)} conversations; leave --user out, and each becomes the "
            "memory of a user named after it."
        )
    return [(conversation.id if user is None else user, conversation) for conversation in conversations]


def finish_interrupted(memory: Memory, console: Console) -> None:
    """Completes what an earlier run that was killed had accepted."""
    finished = memory.resume(idle=LEFT_ALONE)
    if finished:
        console.print(f"Requests that an interrupted run had left, now finished: {len(finished)}")


def ingest_shown(
    memory: IngestingMemory, conversation: Conversation, user_id: str, console: Console
) -> Ingested:
    """Ingests one conversation with a progress bar, then says what it came to."""
    with ingestion_progress(conversation, console) as progress:
        ingested = ingest_conversation(memory, conversation, user_id, progress)
    console.print(summary(ingested, progress.tally))
    return ingested


def summary(ingested: Ingested, tally: Tally) -> str:
    counts = ", ".join(f"{ingested.operations[operation]} {operation}" for operation in Operation)
    if ingested.known and ingested.known == len(ingested.message_ids):
        return f"{ingested.user_id}: nothing new; all {ingested.known} messages are known already ({counts})"
    known = f"; {ingested.known} messages were known already" if ingested.known else ""
    return f"{ingested.user_id}: {tally} ({counts}) in {tally.seconds:.1f} s{known}"


def refuse_failed(done: Sequence[Ingested]) -> None:
    """Ends the command with the first reason when an event failed."""
    failed = [event for ingested in done for event in ingested.failed]
    if failed:
        total = sum(len(ingested.events) for ingested in done)
        reason = failed[0].error.detail if failed[0].error else "No reason was recorded."
        kept = " Their messages are kept and can be searched." if all(e.messages for e in failed) else ""
        raise PermanentError(f"{len(failed)} of {total} requests failed: {reason}{kept}")


@click.command(short_help="Print the sample conversation.")
def sample() -> None:
    """Print the sample conversation, as an example of the project's own format."""
    click.echo(sample_file().read_text(encoding="utf-8"), nl=False)
