"""What tenants may spend in a month, and have spent."""

from __future__ import annotations

import sqlite3
from decimal import Decimal

from cognis_memory.adapters.ledger.encoding import from_nanos, to_nanos
from cognis_memory.adapters.sqlite.database import Database
from cognis_memory.models.spending import Charge, Spending


class TenantSpending:
    """The part of the ledger that counts money."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_charge(self, charge: Charge) -> None:
        with self._database.writing() as connection:
            charge_tenant(connection, charge)

    def get_spending(self, tenant_id: str, month: str) -> Spending:
        with self._database.reading() as connection:
            budget = connection.execute(
                "SELECT nano_usd FROM budgets WHERE tenant_id = ?", (tenant_id,)
            ).fetchone()
            spent = connection.execute(
                "SELECT nano_usd FROM spending WHERE tenant_id = ? AND month = ?", (tenant_id, month)
            ).fetchone()
        return Spending(budget and from_nanos(budget[0]), from_nanos(spent[0]) if spent else Decimal(0))

    def set_budget(self, tenant_id: str, budget_usd: Decimal | None) -> None:
        with self._database.writing() as connection:
            if budget_usd is None:
                connection.execute("DELETE FROM budgets WHERE tenant_id = ?", (tenant_id,))
            else:
                connection.execute(
                    "INSERT OR REPLACE INTO budgets (tenant_id, nano_usd) VALUES (?, ?)",
                    (tenant_id, to_nanos(budget_usd)),
                )


def charge_tenant(connection: sqlite3.Connection, charge: Charge) -> None:
    """Adds to what the tenant has spent."""
    connection.execute(
        "INSERT INTO spending (tenant_id, month, nano_usd) VALUES (?, ?, ?)"
        " ON CONFLICT (tenant_id, month) DO UPDATE SET nano_usd = nano_usd + excluded.nano_usd",
        (charge.tenant_id, charge.month, to_nanos(charge.usd)),
    )
