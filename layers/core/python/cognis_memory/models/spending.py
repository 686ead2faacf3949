"""Money: what calls of models cost a tenant, and what it may spend in a month."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Final

from pydantic import PlainSerializer, WithJsonSchema

USD_STEP: Final = Decimal("0.000000001")
"""Amounts are kept to a billionth of a dollar, so that every ledger adds them up exactly."""

Usd = Annotated[
    Decimal,
    PlainSerializer(float, return_type=float, when_used="json"),
    WithJsonSchema({"type": "number", "minimum": 0}),
]
"""US dollars, in JSON a number: a float carries the digits of every amount below a million dollars."""


@dataclass(frozen=True, slots=True)
class Charge:
    """What calls of models cost a tenant in a month, by UTC and written as "2026-11".

    `origin` is the id of what they were made for; a ledger may keep the charges of different origins apart,
    so that many of them at once do not wait for one another.
    """

    tenant_id: str
    month: str
    usd: Decimal
    origin: str


@dataclass(frozen=True, slots=True)
class Spending:
    """What a tenant may spend in each month (None: as much as it likes), and has spent in a certain one."""

    budget_usd: Decimal | None
    spent_usd: Decimal

    @property
    def exhausted(self) -> bool:
        return self.budget_usd is not None and self.spent_usd >= self.budget_usd
