"""`cognis-admin index …`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from cognis_admin.index_settings import changed, index_settings
from cognis_admin.options import json_option, print_json, with_deployment
from cognis_admin.progress import Progress
from cognis_admin.verification import describe, shown
from cognis_memory.adapters.opensearch import IndexSettings, OpenSearchIndex
from cognis_memory.adapters.opensearch.catalog import IndexCatalog, IndexVersion
from cognis_memory.adapters.opensearch.migration import IndexMigration, MigrationProgress
from cognis_memory.adapters.opensearch.names import SingleIndex
from cognis_memory.errors import Conflict
from cognis_memory.models.values import Owner
from cognis_memory.services.projection import Projector
from cognis_memory.services.rebuilding import RebuildNotes, Rebuilt, rebuild_all
from cognis_memory.services.restoring import restore_all
from cognis_memory.services.verification import SAMPLE, Verification, verify

if TYPE_CHECKING:
    from cognis_memory.ports import SearchIndex
    from cognis_memory.runtime.settings import Search
    from cognis_memory.runtime.wiring import Deployment

engine_option = click.option(
    "--engine",
    type=click.Choice(["opensearch", "shards"]),
    help="Which index, where it is not the one that searches use.",
)


@click.group()
def index() -> None:
    """What searches look into; it can always be made anew from the ledger."""


@index.command()
@index_settings
@click.option("--embedding-model", help="Id of the model whose vectors it holds; the deployment's.")
@with_deployment
def create(deployment: Deployment, chosen: dict[str, Any], embedding_model: str | None) -> None:
    """Make OpenSearch's index and have the deployment use it, once after the first deployment."""
    catalog = catalog_of(deployment)
    if used := catalog.in_use():
        raise Conflict(f"{used.name} is in use; another one takes its place by `cognis-admin index migrate`")
    model_id = embedding_model or deployment.models.embedder.model_id
    name = catalog.create(changed(IndexSettings(), chosen), model_id)
    catalog.lead_to(name)
    click.echo(f"{name} is made and in use.")


@index.command()
@json_option
@with_deployment
def status(deployment: Deployment, as_json: bool) -> None:
    """OpenSearch's indexes: which is in use, what they hold, what they were made for."""
    catalog = catalog_of(deployment)
    versions = [_described(catalog, version) for version in catalog.versions()]
    if as_json:
        print_json(versions)
    elif not versions:
        click.echo("There is no index; `cognis-admin index create` makes one.")
    for each in [] if as_json else versions:
        settings = ", ".join(f"{name} {value}" for name, value in each["settings"].items())
        click.echo(f"{each['name']}\t{each['state']}\t{each['health']}")
        click.echo(f"  {each['documents']:,} documents, {each['size_bytes'] / 1e6:,.1f} MB; {settings}")
        current = "" if each["current"] else " of another version of Cognis, to be migrated"
        click.echo(f"  model {each['model_id']}, layout {each['layout']}{current}")


@index.command()
@index_settings
@click.option("--abort", is_flag=True, help="Remove what an unfinished run has built, and let writes go on.")
@click.option("--delete-old", is_flag=True, help="Remove the older index at the end.")
@with_deployment
def migrate(deployment: Deployment, chosen: dict[str, Any], abort: bool, delete_old: bool) -> None:
    """Build the next version of OpenSearch's index and change to it, while reads and writes go on.

    For another number of shards, a newer mapping or another engine. Run it again when it was cut off. Writes
    are refused, and repeated by who writes, for a few seconds at the end.
    """
    catalog, projector = catalog_of(deployment), Projector(deployment.ledger, [])
    model_id = deployment.models.embedder.model_id
    migration = IndexMigration(
        deployment.opensearch_connection,
        deployment.index_names,
        model_id,
        projector.documents,
        report=_migration_progress(),
    )
    if abort:
        click.echo(f"Removed: {', '.join(migration.abort()) or 'nothing'}.")
        return
    used = catalog.in_use()
    settings = changed(used.settings, chosen) if used and chosen else None
    migrated = migration.run(settings)
    restored = restore_all(deployment.ledger, deployment.opensearch)
    migration.finish()
    click.echo(f"{migrated.name} is in use; writes were refused for {migrated.refused_seconds:.1f} s.")
    if restored:
        click.echo(f"{restored} users whom {migrated.before} lacked are in it, too.")
    if delete_old:
        catalog.delete(migrated.before)
        click.echo(f"{migrated.before} is removed.")
    else:
        click.echo(f"{migrated.before} still holds what it did; `cognis-admin index delete` removes it.")


@index.command()
@click.argument("version", type=click.IntRange(1))
@with_deployment
def delete(deployment: Deployment, version: int) -> None:
    """Remove a version of OpenSearch's index that is not in use."""
    catalog = catalog_of(deployment)
    found = catalog.find(deployment.index_names.version(version))
    if found.read or found.write:
        raise Conflict(f"{found.name} is in use")
    catalog.delete(found.name)
    click.echo(f"{found.name} is removed.")


@index.command()
@click.argument("version", type=click.IntRange(1))
@with_deployment
def use(deployment: Deployment, version: int) -> None:
    """Change to a version of OpenSearch's index that is there, such as a restored one."""
    catalog = catalog_of(deployment)
    found = catalog.find(deployment.index_names.version(version))
    if found.replaces is not None and not found.write:
        raise Conflict(f"{found.name} is not complete; go on with `cognis-admin index migrate`")
    if not found.identity.is_current:
        raise Conflict(f"{found.name} is an index of another version of Cognis")
    if found.blocked:
        catalog.allow_writes(found.name)
    catalog.lead_to(found.name)
    click.echo(f"{found.name} is in use; `cognis-admin index verify --repair` brings it up to date.")


@index.command()
@engine_option
@click.option("--owner", nargs=2, metavar="TENANT USER", help="This user alone.")
@click.option("--resume", is_flag=True, help="Go on where the last run was cut off, and with who failed.")
@with_deployment
def rebuild(
    deployment: Deployment, engine: Search | None, owner: tuple[str, str] | None, resume: bool
) -> None:
    """Write every user's index anew from the ledger, while reads and writes go on."""
    name = engine or deployment.settings.search_engine
    rebuilt_index = deployment.engine(name)
    if owner is not None:
        documents = Projector(deployment.ledger, [rebuilt_index]).rebuild(Owner(*owner))
        click.echo(f"{documents} documents are written anew.")
        return
    progress = Progress()

    def report(rebuilt: Rebuilt) -> None:
        line = f"{rebuilt.owners:,} of {rebuilt.total:,} users, {rebuilt.documents:,} documents"
        progress.show(line, rebuilt.documents, "documents")

    notes = RebuildNotes(deployment.payloads, name)
    rebuilt = rebuild_all(deployment.ledger, rebuilt_index, notes, resume=resume, report=report)
    click.echo(f"{rebuilt.owners:,} users, {rebuilt.documents:,} documents are written anew.")
    for failed, error in rebuilt.failed.items():
        click.echo(f"{failed.tenant_id} {failed.user_id}: {error}", err=True)
    if rebuilt.failed:
        raise click.ClickException(f"{len(rebuilt.failed)} users failed; --resume tries them again.")


@index.command("verify")
@engine_option
@click.option("--repair", is_flag=True, help="Project users anew whose index differs from the ledger.")
@click.option(
    "--sample", type=click.IntRange(0), default=SAMPLE, show_default=True, help="Compared as a whole."
)
@click.option("--version", type=click.IntRange(1), help="A version of OpenSearch's index that is not in use.")
@json_option
@with_deployment
def verify_(
    deployment: Deployment,
    *,
    engine: Search | None,
    repair: bool,
    sample: int,
    version: int | None,
    as_json: bool,
) -> None:
    """Compare an index with the ledger, user by user; exit code 1 where they differ."""
    progress = Progress()

    def report(found: Verification) -> None:
        line = f"{found.owners:,} users, {found.documents:,} documents, {len(found.differences):,} differ"
        progress.show(line, found.documents, "documents")

    compared = _compared(deployment, engine, version)
    found = verify(deployment.ledger, compared, sample=sample, repair=repair, report=report)
    if as_json:
        print_json(shown(found))
    else:
        click.echo(describe(found))
    if not found.clean:
        sys.exit(1)


def catalog_of(deployment: Deployment) -> IndexCatalog:
    return IndexCatalog(deployment.opensearch_connection, deployment.index_names)


def _compared(deployment: Deployment, engine: Search | None, version: int | None) -> SearchIndex:
    if version is None:
        return deployment.engine(engine or deployment.settings.search_engine)
    name = deployment.index_names.version(version)
    catalog_of(deployment).find(name)
    model_id = deployment.models.embedder.model_id
    return OpenSearchIndex(deployment.opensearch_connection, model_id, names=SingleIndex(name))


def _described(catalog: IndexCatalog, version: IndexVersion) -> dict[str, Any]:
    size, identity = catalog.size(version.name), version.identity
    if version.write:
        state = "in use, refuses writes" if version.blocked else "in use"
    else:
        state = "being built" if version.replaces else "not in use"
    return {
        "name": version.name,
        "state": state,
        "health": size.health,
        "documents": size.documents,
        "size_bytes": size.size_bytes,
        "model_id": identity.model_id,
        "layout": identity.layout,
        "current": identity.is_current,
        "settings": dict(version.meta.get("settings", {})),
    }


def _migration_progress() -> Any:
    progress = Progress()

    def report(made: MigrationProgress) -> None:
        when = "last pass, writes are refused" if made.last else f"pass {made.number}"
        progress.show(f"{when}: {made.copied:,} users", made.copied, "users")

    return report
