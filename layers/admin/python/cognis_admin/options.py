"""Options that all commands share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import wraps
from typing import Any

import click

from cognis_admin.deployment import credential_store, find_deployment

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


stage_option = click.option(
    "--stage",
    default="prod",
    envvar="COGNIS_STAGE",
    show_default=True,
    show_envvar=True,
    help="The deployment's stage; its stacks name tables, buckets and the search domain.",
)


def with_credentials(command: Callable[..., None]) -> Callable[..., None]:
    """Gives the command the credential store that the options `--table` and `--stage` name, as `store`."""

    @stage_option
    @click.option(
        "--table",
        envvar="COGNIS_CREDENTIAL_TABLE",
        show_envvar=True,
        help="The table of tenants and keys, where it is not to be looked up.",
    )
    @wraps(command)
    def connected(*, stage: str, table: str | None, **arguments: Any) -> None:
        command(store=credential_store(stage, table), **arguments)

    return connected


def with_deployment(command: Callable[..., None]) -> Callable[..., None]:
    """Gives the command the deployment that `--stage` and the environment name, as `deployment`."""

    @stage_option
    @wraps(command)
    def opened(*, stage: str, **arguments: Any) -> None:
        command(deployment=find_deployment(stage), **arguments)

    return opened


def now() -> datetime:
    return datetime.now(UTC)


def written(moment: datetime) -> str:
    """RFC 3339, in UTC."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def print_json(answer: Mapping[str, Any] | list[dict[str, Any]]) -> None:
    click.echo(json.dumps(answer, ensure_ascii=False, indent=2))
