"""`cognis-admin tenant …`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cognis_admin.options import json_option, now, print_json, with_credentials, written
from cognis_memory.models.credential import Tenant
from cognis_memory.services.credentials import create_key, create_tenant

if TYPE_CHECKING:
    from cognis_memory.ports import CredentialStore


@click.group()
def tenant() -> None:
    """Those whose memories are kept apart."""


@tenant.command()
@click.argument("tenant_id", metavar="ID")
@click.option("--name", help="For people to read; the id where not given.")
@json_option
@with_credentials
def create(store: CredentialStore, tenant_id: str, name: str | None, as_json: bool) -> None:
    """Make a tenant and its first API key, which is shown once."""
    made = create_tenant(store, tenant_id, name, now=now())
    key, secret = create_key(store, tenant_id, now=now())
    if as_json:
        print_json({**_shown(made), "key_id": key.id, "api_key": secret})
    else:
        click.echo(f"Tenant {made.id} is made. Its API key {key.id}, which is not shown again:\n{secret}")


@tenant.command()
@click.argument("tenant_id", metavar="ID")
@with_credentials
def disable(store: CredentialStore, tenant_id: str) -> None:
    """Refuse all keys of a tenant, within 30 seconds; its memories stay."""
    store.set_tenant_disabled(tenant_id, True)
    click.echo(f"Tenant {tenant_id} is disabled; within 30 seconds none of its keys is accepted any more.")


@tenant.command()
@click.argument("tenant_id", metavar="ID")
@with_credentials
def enable(store: CredentialStore, tenant_id: str) -> None:
    """Accept the keys of a disabled tenant again."""
    store.set_tenant_disabled(tenant_id, False)
    click.echo(f"Tenant {tenant_id} is enabled.")


@tenant.command("list")
@json_option
@with_credentials
def list_(store: CredentialStore, as_json: bool) -> None:
    """Every tenant, by id."""
    found = sorted(store.tenants(), key=lambda tenant: tenant.id)
    if as_json:
        print_json([_shown(each) for each in found])
        return
    for each in found:
        state = "disabled" if each.disabled else "enabled"
        click.echo(f"{each.id}\t{each.name}\t{each.created_at:%Y-%m-%d}\t{state}")


def _shown(tenant: Tenant) -> dict[str, object]:
    return {
        "tenant_id": tenant.id,
        "name": tenant.name,
        "created_at": written(tenant.created_at),
        "disabled": tenant.disabled,
    }
