"""Counts what calls of models cost, on the event they were made for and on its tenant's month.

Each call is counted once, by a write right after its answer: event and month in one transaction. So a
stage that is repeated counts the calls that it makes again, which are paid again, and no other; a call
whose answer never came, or whose process died before that write, is not counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from cognis_memory.domain.pricing import Prices
from cognis_memory.domain.spending import month_of
from cognis_memory.domain.tokens import estimate_tokens
from cognis_memory.errors import StaleEvent, UserErased
from cognis_memory.models.event import Event, Usage
from cognis_memory.models.spending import Charge
from cognis_memory.services.progress import EventPorts, advance


class SpendingPorts(EventPorts, Protocol):
    """The part of a service's ports that counts money."""

    @property
    def prices(self) -> Prices: ...


def embedding_usage(texts: Sequence[str]) -> Usage:
    """As far as tokens can be estimated: embedders do not say them."""
    return Usage(embedding_tokens=sum(estimate_tokens(text) for text in texts))


def count_on_event(ports: SpendingPorts, event: Event, usage: Usage) -> Event:
    """The event with the usage added to it; the event itself where nothing was used.

    Raises StaleEvent when another run has moved the event on, UserErased when it went with its user: the
    tenant has paid all the same, and is charged.
    """
    if usage == Usage():
        return event
    priced = ports.prices.priced(usage)
    charge = _charge(ports, event.tenant_id, event.id, priced)
    try:
        return advance(ports, event, charge, usage=event.usage + priced)
    except StaleEvent:
        if charge is not None:
            ports.ledger.add_charge(charge)
        if ports.ledger.erasure_epoch(event.owner) != event.erasure_epoch:
            raise UserErased("the user was erased after this work was accepted") from None
        raise


def count_on_tenant(ports: SpendingPorts, tenant_id: str, origin: str, usage: Usage) -> None:
    """Charges the tenant for what is no event's; `origin` is the id of what it was for."""
    charge = _charge(ports, tenant_id, origin, ports.prices.priced(usage))
    if charge is not None:
        ports.ledger.add_charge(charge)


def _charge(ports: SpendingPorts, tenant_id: str, origin: str, priced: Usage) -> Charge | None:
    """None for what costs nothing: it needs no counter."""
    if not priced.estimated_cost_usd:
        return None
    return Charge(tenant_id, month_of(ports.clock()), priced.estimated_cost_usd, origin)
