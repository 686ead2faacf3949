"""Commands that take a user's memories away as a file, and bring them back: export, import."""

from __future__ import annotations

from pathlib import Path

import click

from cognis_local.cli import output
from cognis_local.cli.options import (
    OpenMemory,
    existing,
    folder_option,
    json_option,
    user_option,
)
from cognis_memory.errors import InvalidInput
from cognis_memory.models.answers import EventAnswer
from cognis_memory.models.event import EventStatus

SHOWN_FAULTS = 10

_file = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))


@click.command("export")
@_file
@user_option
@folder_option
@json_option
@click.pass_obj
def export_user(open_memory: OpenMemory, *, file: Path, user: str, folder: Path, as_json: bool) -> None:
    """Write everything that is remembered of a user to FILE, as JSON Lines."""
    with existing(open_memory, folder) as memory:
        event = memory.export_user(user, file)
    _show(event, as_json, f"{_counted(event)} of {user} are in {file}.")


@click.command("import")
@_file
@user_option
@folder_option
@json_option
@click.pass_obj
def import_user(open_memory: OpenMemory, *, file: Path, user: str, folder: Path, as_json: bool) -> None:
    """Make what `cognis export` wrote to FILE the memory of a user who has none yet."""
    with open_memory(folder) as memory:
        event = memory.import_user(user, file)
    _show(event, as_json, f"{user} now has {_counted(event)}.")


def _show(event: EventAnswer, as_json: bool, summary: str) -> None:
    if event.status is not EventStatus.SUCCEEDED:
        raise InvalidInput(_reason(event))
    if as_json:
        output.print_json(event)
    else:
        click.echo(summary)


def _reason(event: EventAnswer) -> str:
    """Why it failed, with the first lines at fault."""
    said = event.error.detail if event.error else "it did not end"
    faults = [f"line {fault.line}: {fault.field} {fault.message}" for fault in event.errors[:SHOWN_FAULTS]]
    return "\n  ".join([said, *faults])


def _counted(event: EventAnswer) -> str:
    counts = event.counts
    return f"{counts.get('memories', 0)} memories and {counts.get('messages', 0)} messages"
