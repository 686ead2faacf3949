"""The group of commands, and how errors are shown."""

from __future__ import annotations

from typing import Any

import click

from cognis_local.cli.ingest import ingest, sample
from cognis_local.cli.options import open_local_memory
from cognis_local.cli.read import ask, history, list_memories, search
from cognis_local.cli.run import run
from cognis_local.cli.transfer import export_user, import_user
from cognis_memory.errors import CognisError, InvalidInput

INTERRUPTED = 130
"""The shell's exit code for a process that SIGINT ended."""


class Commands(click.Group):
    """Turns the project's errors into one sentence on stderr and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CognisError as error:
            raise click.ClickException(sentence(error)) from None
        except KeyboardInterrupt:
            click.echo("Stopped. Run the same command again: it goes on where this one stopped.", err=True)
            raise click.exceptions.Exit(INTERRUPTED) from None


def sentence(error: CognisError) -> str:
    """What went wrong, the fields at fault where the message does not name them, and whether to repeat."""
    text = str(error) or error.code
    if isinstance(error, InvalidInput):
        faults = [f"{fault.field}: {fault.message}" for fault in error.errors if fault.field not in text]
        return "\n  ".join([text, *faults])
    if not error.retryable:
        return text
    return f"{text if text.endswith('.') else f'{text}.'} Try again in a moment."


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="cognis")
@click.pass_context
def cognis(ctx: click.Context) -> None:
    """Long-term memory for conversations, in a folder on this machine.

    \b
    cognis run                              ingest a sample conversation and ask about it
    cognis ingest chat.json                 remember a conversation
    cognis ask "Where does Ana live?"       the best answer, with its date, score and versions
    cognis history "where Ana lives"        how a memory changed

    The memory lives in the folder .cognis here, or in the one that --folder or $COGNIS_FOLDER names.
    Every command takes --json for machines.
    """
    ctx.obj = ctx.obj or open_local_memory


for command in (run, ingest, sample, search, ask, history, list_memories, export_user, import_user):
    cognis.add_command(command)
