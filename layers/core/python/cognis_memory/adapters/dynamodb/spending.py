"""What tenants may spend in a month, and have spent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Final

from cognis_memory.adapters.dynamodb.items import number, text
from cognis_memory.adapters.dynamodb.schema import (
    BUDGET,
    TTL_ATTRIBUTE,
    budget_key,
    spending_key,
    tenant_partition,
)
from cognis_memory.adapters.dynamodb.table import Table
from cognis_memory.adapters.dynamodb.transaction import Transaction
from cognis_memory.adapters.ledger.encoding import from_nanos, to_nanos
from cognis_memory.models.spending import Charge, Spending

MONTHS_KEPT: Final = timedelta(days=400)
"""Since the month began: the same month of the year before can still be looked up."""


class TenantSpending:
    """The part of the ledger that counts money."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def add_charge(self, charge: Charge) -> None:
        """A transaction of one item, because its token makes the client's own repeats safe."""
        transaction = self._table.transaction()
        charge_tenant(transaction, charge)
        transaction.run()

    def get_spending(self, tenant_id: str, month: str) -> Spending:
        """In one request: the shards of the month, and the budget, which comes after them."""
        found = self._table.query(
            "pk = :pk AND sk >= :month", {":pk": text(tenant_partition(tenant_id)), ":month": text(month)}
        )
        amounts = {item["sk"]["S"]: from_nanos(int(item["nano_usd"]["N"])) for item in found}
        spent = sum((usd for name, usd in amounts.items() if name.startswith(f"{month}#")), Decimal(0))
        return Spending(amounts.get(BUDGET), spent)

    def set_budget(self, tenant_id: str, budget_usd: Decimal | None) -> None:
        transaction = self._table.transaction()
        if budget_usd is None:
            transaction.delete(budget_key(tenant_id))
        else:
            transaction.put({**budget_key(tenant_id), "nano_usd": number(to_nanos(budget_usd))})
        transaction.run()


def charge_tenant(transaction: Transaction, charge: Charge) -> None:
    """Has the transaction add to what the tenant has spent."""
    began = datetime.strptime(charge.month, "%Y-%m").replace(tzinfo=UTC)
    transaction.update(
        spending_key(charge.tenant_id, charge.month, charge.origin),
        "ADD nano_usd :usd SET #ttl = :ttl",
        {":usd": number(to_nanos(charge.usd)), ":ttl": number(int((began + MONTHS_KEPT).timestamp()))},
        names={"#ttl": TTL_ATTRIBUTE},  # a reserved word
    )
