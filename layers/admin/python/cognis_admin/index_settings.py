"""Options that say what an OpenSearch index is made like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

import click

from cognis_memory.adapters.opensearch import IndexSettings

_OPTIONS = (
    click.option("--shards", type=click.IntRange(1), help="Primary shards. [3]"),
    click.option("--replicas", help="Copies of each shard, by the number of nodes. [0-1]"),
    click.option("--engine", type=click.Choice(["lucene", "faiss"]), help="Of the vectors' graphs. [lucene]"),
    click.option("--full-graph/--no-full-graph", default=None, help="A graph over all 768 components, too."),
    click.option(
        "--refresh", "refresh_seconds", type=float, help="Seconds until writes are found; each waits. [1]"
    ),
)


def index_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Gives the command the settings that were chosen, as `chosen`, a dict of those alone."""

    @wraps(command)
    def with_chosen(**arguments: Any) -> None:
        names = ("shards", "replicas", "engine", "full_graph", "refresh_seconds")
        given = {name: arguments.pop(name) for name in names}
        command(chosen={name: value for name, value in given.items() if value is not None}, **arguments)

    for option in reversed(_OPTIONS):
        with_chosen = option(with_chosen)
    return with_chosen


def changed(settings: IndexSettings, chosen: dict[str, Any]) -> IndexSettings:
    """The settings with what was chosen. Raises click.UsageError for what no index can have."""
    try:
        return replace(settings, **chosen)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
