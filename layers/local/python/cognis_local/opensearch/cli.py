"""The commands behind `make opensearch` and `make opensearch-stop`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import click

from cognis_local.cli.app import Commands
from cognis_local.opensearch.node import ensure_node, running_node, stop_node
from cognis_local.opensearch.releases import DEFAULT_LINE, RELEASES

DEFAULT_FOLDER: Final = Path(".local", "opensearch")

_Command = TypeVar("_Command", bound=Callable[..., None])


def _folder_option(command: _Command) -> _Command:
    return click.option(
        "--folder",
        "-f",
        type=click.Path(file_okay=False, path_type=Path),
        default=DEFAULT_FOLDER,
        show_default=True,
        help="What the node keeps.",
    )(command)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def opensearch() -> None:
    """A single OpenSearch node with k-NN on this machine. It needs a JDK, and Maven for the first start."""


@opensearch.command(short_help="Start the node, or find it running; print its URL.")
@_folder_option
@click.option(
    "--port",
    "-p",
    type=click.IntRange(1, 65_535),
    envvar="PORT",
    show_envvar=True,
    help="Where it listens on 127.0.0.1; where it did last, or a free one.",
)
@click.option(
    "--line",
    "-l",
    type=click.Choice(list(RELEASES)),
    default=DEFAULT_LINE,
    envvar="LINE",
    show_default=True,
    show_envvar=True,
    help="Of OpenSearch.",
)
@click.option("--heap", default="1g", show_default=True, help="Of its Java process.")
def start(*, folder: Path, port: int | None, line: str, heap: str) -> None:
    """Start the node, or find it running, and print its URL. It stays up until `stop`, with all data."""
    node = ensure_node(folder, port, line, heap=heap, say=lambda text: click.echo(text, err=True))
    click.echo(node.url)
    click.echo(f"OpenSearch {line} stays up, process {node.pid}; `make opensearch-stop` ends it.", err=True)


@opensearch.command(short_help="End the node; all data stays.")
@_folder_option
@click.option("--wipe", is_flag=True, help="Remove all of its data, too.")
def stop(*, folder: Path, wipe: bool) -> None:
    """End the node. All data stays, unless it is to be wiped."""
    click.echo("Stopped." if stop_node(folder, wipe) else "Nothing was running.")


@opensearch.command(short_help="Print where the node listens.")
@_folder_option
def status(folder: Path) -> None:
    """Print where the node listens. Exit code 3 when none is running."""
    node = running_node(folder)
    if node is None:
        click.echo("Not running.")
        raise click.exceptions.Exit(3)
    click.echo(f"{node.url} (process {node.pid})")


def main() -> None:
    """Runs the command line."""
    opensearch(prog_name="python -m cognis_local.opensearch")
