"""Months and amounts of budgets."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from cognis_memory.errors import FieldError, InvalidInput

_AMOUNT: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?", re.ASCII)
_DECEMBER: Final = 12


def month_of(moment: datetime) -> str:
    """The calendar month of an aware time, by UTC: "2026-11". Months sort as their names do."""
    return f"{moment.astimezone(UTC):%Y-%m}"


def month_end(moment: datetime) -> datetime:
    """The first moment of the month after, by UTC."""
    present = moment.astimezone(UTC)
    years, month = divmod(present.month, _DECEMBER)
    return datetime(present.year + years, month + 1, 1, tzinfo=UTC)


def parse_budget(text: str) -> Decimal:
    """US dollars as somebody writes them. Raises InvalidInput for what is no amount that can be kept."""
    if not _AMOUNT.fullmatch(text):
        advice = "use US dollars from 0 to 999999999, such as 25 or 12.50, without signs, commas and currency"
        raise InvalidInput("this is no budget", [FieldError("monthly_budget_usd", advice)])
    return Decimal(text)


def written_usd(usd: Decimal) -> str:
    """With two digits behind the point, or as many more as the amount has."""
    cents = usd.quantize(Decimal("0.01"))
    return f"{cents if cents == usd else usd.normalize():f}"
