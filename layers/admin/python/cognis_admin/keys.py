"""`cognis-admin key …`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cognis_admin.options import json_option, now, print_json, with_credentials, written
from cognis_memory.models.credential import ApiKey
from cognis_memory.services.credentials import create_key, list_keys

if TYPE_CHECKING:
    from cognis_memory.ports import CredentialStore


@click.group()
def key() -> None:
    """API keys; only their digests are kept, so that a lost key can be replaced but not shown."""


@key.command()
@click.argument("tenant_id", metavar="TENANT")
@click.option("--user-id", help="Bind the key to this user: it reads and writes nobody else's memories.")
@json_option
@with_credentials
def create(store: CredentialStore, tenant_id: str, user_id: str | None, as_json: bool) -> None:
    """Make another API key of a tenant, which is shown once."""
    made, secret = create_key(store, tenant_id, user_id=user_id, now=now())
    if as_json:
        print_json({**_shown(made), "api_key": secret})
    else:
        bound = f" of user {user_id}" if user_id else ""
        click.echo(f"API key {made.id}{bound}, which is not shown again:\n{secret}")


@key.command()
@click.argument("key_id", metavar="KEY_ID")
@with_credentials
def revoke(store: CredentialStore, key_id: str) -> None:
    """Refuse a key for good, within 30 seconds."""
    store.revoke_key(key_id)
    click.echo(f"Key {key_id} is revoked; within 30 seconds it is not accepted any more.")


@key.command("list")
@click.argument("tenant_id", metavar="TENANT")
@json_option
@with_credentials
def list_(store: CredentialStore, tenant_id: str, as_json: bool) -> None:
    """The keys of a tenant, oldest first."""
    found = list_keys(store, tenant_id)
    if as_json:
        print_json([_shown(each) for each in found])
        return
    for each in found:
        state = "revoked" if each.revoked else "valid"
        click.echo(f"{each.id}\t{each.user_id or '(all users)'}\t{each.created_at:%Y-%m-%d}\t{state}")


def _shown(key: ApiKey) -> dict[str, object]:
    return {
        "key_id": key.id,
        "tenant_id": key.tenant_id,
        "user_id": key.user_id,
        "created_at": written(key.created_at),
        "revoked": key.revoked,
    }
