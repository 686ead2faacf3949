"""`cognis-admin snapshot …`."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import click

from cognis_admin.indexes import catalog_of
from cognis_admin.options import json_option, print_json, with_deployment, written
from cognis_memory.adapters.opensearch.snapshots import Snapshot, SnapshotState
from cognis_memory.errors import Conflict, NotFound

if TYPE_CHECKING:
    from cognis_memory.runtime.wiring import Deployment

_POLL_SECONDS: Final = 0.5


def with_repository(command: Callable[..., None]) -> Callable[..., None]:
    """As `with_deployment`; `--location` has the cluster know a folder as the repository."""

    @click.option("--location", help="Folder of the node's own file system, which it may use as repository.")
    @with_deployment
    @wraps(command)
    def registered(deployment: Deployment, location: str | None, **arguments: Any) -> None:
        if location is not None:
            deployment.snapshots.register("fs", {"location": location})
        command(deployment=deployment, **arguments)

    return registered


@click.group()
def snapshot() -> None:
    """Copies of OpenSearch's indexes, which the cluster keeps outside of itself."""


@snapshot.command()
@with_repository
def take(deployment: Deployment) -> None:
    """Take a snapshot of all versions of the index, and wait for it."""
    repository = deployment.snapshots
    name = repository.start(deployment.clock())
    while not (taken := repository.get(name)).ended:
        time.sleep(_POLL_SECONDS)
    if taken.state is not SnapshotState.SUCCESS:
        raise click.ClickException(f"the snapshot {name} ended as {taken.state.value}.")
    click.echo(name)


@snapshot.command("list")
@json_option
@with_repository
def list_(deployment: Deployment, as_json: bool) -> None:
    """The snapshots, oldest first."""
    found = deployment.snapshots.snapshots()
    if as_json:
        print_json([_shown(each) for each in found])
        return
    for each in found:
        indexes = ", ".join(each.indexes)
        click.echo(f"{each.name}\t{each.state.value}\t{written(each.started_at)}\t{indexes}")


@snapshot.command()
@click.argument("name")
@click.option(
    "--version", type=click.IntRange(1), help="Which index of the snapshot, where it holds several."
)
@with_repository
def restore(deployment: Deployment, name: str, version: int | None) -> None:
    """Bring an index of a snapshot back as the next version, which is not used yet."""
    repository, catalog = deployment.snapshots, catalog_of(deployment)
    chosen = None if version is None else deployment.index_names.version(version)
    source = _index_in(repository.get(name), chosen)
    restored = catalog.next_name()
    repository.restore(name, source, into=restored)
    while not repository.is_restored(restored):
        time.sleep(_POLL_SECONDS)
    number = deployment.index_names.number_of(restored)
    click.echo(
        f"{restored} is {source} as it was then. Next:\n"
        f"  cognis-admin index verify --version {number} --repair   brings it up to date from the ledger\n"
        f"  cognis-admin index use {number}                         has the deployment use it\n"
        f"  cognis-admin index verify --repair              adds what was written in between"
    )


def _index_in(held: Snapshot, chosen: str | None) -> str:
    if chosen is not None and chosen not in held.indexes:
        raise NotFound(f"{held.name} does not hold {chosen}; it holds {', '.join(held.indexes)}")
    if chosen is None and len(held.indexes) != 1:
        raise Conflict(f"{held.name} holds {', '.join(held.indexes)}; choose one with --version")
    return chosen or held.indexes[0]


def _shown(held: Snapshot) -> dict[str, object]:
    return {
        "name": held.name,
        "state": held.state.value,
        "started_at": written(held.started_at),
        "indexes": list(held.indexes),
    }
