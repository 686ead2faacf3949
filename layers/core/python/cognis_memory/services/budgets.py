"""The monthly budgets of tenants: set by whoever runs the deployment, checked before new work."""

from __future__ import annotations

import math
from datetime import datetime
from decimal import Decimal

from cognis_memory.domain.pricing import Prices
from cognis_memory.domain.spending import month_end, month_of, parse_budget, written_usd
from cognis_memory.errors import BudgetExceeded, ConfigurationError, NotFound
from cognis_memory.models.spending import Spending
from cognis_memory.ports import CredentialStore, Ledger


def check_budget(ledger: Ledger, tenant_id: str, prices: Prices, now: datetime) -> None:
    """Raises BudgetExceeded when the tenant has spent its budget of this month.

    Raises ConfigurationError when it has one and a model's price is unknown: what that model costs would
    count as nothing, and the budget would never be spent.
    """
    spending = ledger.get_spending(tenant_id, month_of(now))
    if spending.budget_usd is None:
        return
    if prices.unknown:
        raise ConfigurationError(
            f"a tenant has a budget, but the price of {' and '.join(prices.unknown)} is unknown; add it to"
            " COGNIS_PRICES"
        )
    if spending.exhausted:
        raise _exceeded(spending.budget_usd, spending.spent_usd, now)


def set_budget(ledger: Ledger, credentials: CredentialStore, tenant_id: str, amount: str) -> Decimal:
    """Gives the tenant a budget of so many US dollars for each month; returns it as a number.

    Raises InvalidInput for what is no amount, NotFound for an unknown tenant.
    """
    budget_usd = parse_budget(amount)
    _check_tenant(credentials, tenant_id)
    ledger.set_budget(tenant_id, budget_usd)
    return budget_usd


def remove_budget(ledger: Ledger, credentials: CredentialStore, tenant_id: str) -> None:
    """Lets the tenant spend what it likes. Raises NotFound for an unknown tenant."""
    _check_tenant(credentials, tenant_id)
    ledger.set_budget(tenant_id, None)


def spending_of(ledger: Ledger, credentials: CredentialStore, tenant_id: str, now: datetime) -> Spending:
    """The tenant's budget, and what it has spent this month. Raises NotFound for an unknown tenant."""
    _check_tenant(credentials, tenant_id)
    return ledger.get_spending(tenant_id, month_of(now))


def _check_tenant(credentials: CredentialStore, tenant_id: str) -> None:
    if credentials.get_tenant(tenant_id) is None:
        raise NotFound(f"there is no tenant {tenant_id}")


def _exceeded(budget_usd: Decimal, spent_usd: Decimal, now: datetime) -> BudgetExceeded:
    reset = month_end(now)
    return BudgetExceeded(
        f"{written_usd(spent_usd)} of {written_usd(budget_usd)} US dollars of this month's budget are spent;"
        f" the next month begins at {reset:%Y-%m-%dT%H:%M:%SZ}. Until then searching, reading and deleting"
        " go on; whoever runs the service can raise the budget",
        retry_after_seconds=max(1, math.ceil((reset - now).total_seconds())),
    )
