"""Options that several commands share, and the types of their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import reduce, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from zoneinfo import ZoneInfo

import click

from cognis_memory.errors import InvalidInput

if TYPE_CHECKING:
    from cognis_local import Memory

Command = TypeVar("Command", bound=Callable[..., None])
OpenMemory = Callable[[Path], "Memory"]

DEFAULT_FOLDER = ".cognis"
DEFAULT_USER = "default"


def _zone(ctx: click.Context, param: click.Parameter, name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise click.BadParameter(
            f"{name!r} is not a known time zone; use a name such as Asia/Tokyo."
        ) from None


def _moment(ctx: click.Context, param: click.Parameter, text: str | None) -> datetime | None:
    """A date or time in ISO 8601; a date means its beginning."""
    try:
        return datetime.fromisoformat(text) if text is not None else None
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not a time; write 2026-07-08 or 2026-07-08T11:00:00Z."
        ) from None


def placed(moment: datetime | None, zone: ZoneInfo) -> datetime | None:
    """The moment with an offset: its own, or the zone's where it has none."""
    if moment is None or moment.tzinfo is not None:
        return moment
    return moment.replace(tzinfo=zone)


folder_option = click.option(
    "--folder",
    "-f",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_FOLDER,
    envvar="COGNIS_FOLDER",
    show_default=True,
    show_envvar=True,
    help="Where the memory lives.",
)
user_option = click.option(
    "--user",
    "-u",
    default=DEFAULT_USER,
    envvar="COGNIS_USER",
    show_default=True,
    show_envvar=True,
    help="Whose memories to read.",
)
zone_option = click.option(
    "--timezone",
    "zone",
    callback=_zone,
    metavar="ZONE",
    default="UTC",
    show_default=True,
    help="Zone of dates, in the question and in what is printed, such as Asia/Tokyo.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


def moment_option(name: str, purpose: str) -> Callable[[Command], Command]:
    return click.option(
        name,
        callback=_moment,
        metavar="TIME",
        help=f"{purpose} A date, or a time such as 2026-07-08T11:00; in --timezone unless it has an offset.",
    )


def search_options(command: Command) -> Callable[..., None]:
    """Adds what `search` and `ask` let the caller set; the command gets it as `zone` and, under the names of
    `Memory.search`, as `arguments`."""

    @wraps(command)
    def collected(
        *,
        as_of: datetime | None,
        reference_time: datetime | None,
        zone: ZoneInfo,
        context_id: str | None,
        min_relevance: float | None,
        **rest: Any,
    ) -> None:
        arguments = {
            "as_of": placed(as_of, zone),
            "reference_time": placed(reference_time, zone),
            "timezone": zone.key,
            "context_id": context_id,
            "min_relevance": min_relevance,
        }
        command(arguments=arguments, zone=zone, **rest)

    options = (
        zone_option,
        click.option("--min-relevance", type=click.FloatRange(0, 1), help="Leave out what scores less."),
        click.option("--context", "context_id", help="Also search what is kept to this context."),
        moment_option("--reference-time", "When the question is asked; now where not given."),
        moment_option("--as-of", "Answer from what was true then."),
    )
    return reduce(lambda decorated, option: option(decorated), options, collected)


def open_local_memory(folder: Path) -> Memory:
    from cognis_local import Memory  # noqa: PLC0415 - here, so that what needs no memory loads no model

    return Memory(folder)


@contextmanager
def existing(open_memory: OpenMemory, folder: Path) -> Iterator[Memory]:
    """The memory of a folder that must be there already: a question must not create an empty one."""
    if not folder.is_dir():
        raise InvalidInput(
            f"There is no memory in {folder} yet. `cognis ingest FILE` makes one; --folder names another."
        )
    with open_memory(folder) as memory:
        yield memory
