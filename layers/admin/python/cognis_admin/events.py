"""`cognis-admin events …`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import click

from cognis_admin.options import json_option, print_json, with_deployment, written
from cognis_memory.errors import CognisError, NotFound
from cognis_memory.models.event import Event
from cognis_memory.services.replaying import ReplayPorts, replay_event

if TYPE_CHECKING:
    from cognis_memory.ports import Ledger
    from cognis_memory.runtime.wiring import Deployment

_LOOKED_THROUGH: Final = 10_000
"""Failed events among which one tenant's, or one id, is looked for."""

_EVER: Final = datetime(1970, 1, 1, tzinfo=UTC)

tenant_option = click.option("--tenant", "tenant_id", metavar="TENANT", help="Of this tenant alone.")


@click.group()
def events() -> None:
    """Accepted work that failed: what, why, and once more."""


@events.command()
@tenant_option
@click.option("--days", type=click.IntRange(1), default=14, show_default=True, help="Failed so lately.")
@click.option("--limit", type=click.IntRange(1, 1_000), default=50, show_default=True)
@json_option
@with_deployment
def failed(deployment: Deployment, tenant_id: str | None, days: int, limit: int, as_json: bool) -> None:
    """The events that are FAILED, newest first: when, of whom, in which stage, and why."""
    since = deployment.clock() - timedelta(days=days)
    found = [*_failed(deployment.ledger, since, tenant_id, limit)]
    if as_json:
        print_json([_shown(event) for event in found])
        return
    for event in found:
        reason = f"{event.error.type}: {event.error.detail}" if event.error else ""
        columns = (written(event.updated_at), event.tenant_id, event.id, event.stage or "", reason)
        click.echo("\t".join(columns))
    if not found:
        click.echo(f"No event has failed in the last {days} days.")


@events.command()
@click.argument("event_ids", metavar="EVENT...", nargs=-1, required=True)
@click.option("--tenant", "tenant_id", metavar="TENANT", help="Whose they are; looked up where not given.")
@with_deployment
def replay(deployment: Deployment, event_ids: tuple[str, ...], tenant_id: str | None) -> None:
    """Carry out failed events once more, each by an execution of its own; exit code 1 where one cannot be."""
    ports = ReplayPorts(deployment.ledger, deployment.payloads, deployment.starter, deployment.clock)
    refused = 0
    for event_id in event_ids:
        try:
            event = replay_event(ports, tenant_id or _tenant_of(deployment.ledger, event_id), event_id)
        except CognisError as error:
            refused += 1
            click.echo(f"{event_id}: {error}", err=True)
        else:
            click.echo(f"{event_id}: {event.status}, execution {event.execution_name}")
    if refused:
        raise click.ClickException(f"{refused} of {len(event_ids)} cannot be replayed.")


def _failed(ledger: Ledger, since: datetime, tenant_id: str | None, limit: int) -> Iterator[Event]:
    found = ledger.failed_events(since, limit if tenant_id is None else _LOOKED_THROUGH)
    of_tenant = [event for event in found if tenant_id in (None, event.tenant_id)]
    yield from of_tenant[:limit]


def _tenant_of(ledger: Ledger, event_id: str) -> str:
    for event in ledger.failed_events(_EVER, _LOOKED_THROUGH):
        if event.id == event_id:
            return event.tenant_id
    raise NotFound("it is not among the failed events; name its tenant with --tenant to see how it stands")


def _shown(event: Event) -> dict[str, Any]:
    """Without the user's id, which need not be on a screen to act."""
    return {
        "event_id": event.id,
        "tenant_id": event.tenant_id,
        "kind": event.kind.value,
        "stage": event.stage,
        "attempt": event.attempt,
        "error": event.error and event.error.model_dump(),
        "created_at": written(event.created_at),
        "failed_at": written(event.updated_at),
    }
