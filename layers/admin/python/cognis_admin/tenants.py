"""`cognis-admin tenant …`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from cognis_admin.options import (
    json_option,
    now,
    print_json,
    with_credentials,
    with_deployment,
    written,
)
from cognis_memory.domain.spending import month_end, month_of, written_usd
from cognis_memory.models.credential import Tenant
from cognis_memory.models.spending import Spending
from cognis_memory.services.budgets import remove_budget, set_budget, spending_of
from cognis_memory.services.credentials import create_key, create_tenant

if TYPE_CHECKING:
    from cognis_memory.ports import CredentialStore
    from cognis_memory.runtime.wiring import Deployment


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


@tenant.command()
@click.argument("tenant_id", metavar="ID")
@click.option("--set", "amount", metavar="USD", help="What it may spend in each month, such as 25 or 12.50.")
@click.option("--remove", is_flag=True, help="Let it spend what it likes.")
@json_option
@with_deployment
def budget(deployment: Deployment, tenant_id: str, amount: str | None, remove: bool, as_json: bool) -> None:
    """Show, set or remove what a tenant may spend on models in a month, by UTC.

    Once that is spent, new messages and imports are refused until the next month; searching, reading and
    deleting go on. Amounts are estimates by the deployment's list of prices.
    """
    ledger, credentials, present = deployment.ledger, deployment.credentials, deployment.clock()
    if amount is not None and remove:
        raise click.UsageError("choose one of --set and --remove.")
    if amount is not None:
        set_budget(ledger, credentials, tenant_id, amount)
    elif remove:
        remove_budget(ledger, credentials, tenant_id)
    shown = _shown_spending(tenant_id, spending_of(ledger, credentials, tenant_id, present), present)
    if as_json:
        print_json(shown)
        return
    allowed = "no budget" if shown["budget_usd"] is None else f"budget {shown['budget_usd']} USD a month"
    spent = f"{shown['spent_usd']} USD spent in {shown['month']}"
    click.echo(f"{tenant_id}: {allowed}, {spent}; the next month begins at {shown['resets_at']}.")


def _shown_spending(tenant_id: str, spending: Spending, moment: datetime) -> dict[str, str | None]:
    """Amounts as text, as no digit of them may be lost."""
    return {
        "tenant_id": tenant_id,
        "month": month_of(moment),
        "budget_usd": None if spending.budget_usd is None else written_usd(spending.budget_usd),
        "spent_usd": written_usd(spending.spent_usd),
        "resets_at": written(month_end(moment)),
    }


def _shown(tenant: Tenant) -> dict[str, object]:
    return {
        "tenant_id": tenant.id,
        "name": tenant.name,
        "created_at": written(tenant.created_at),
        "disabled": tenant.disabled,
    }
