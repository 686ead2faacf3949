"""What tenants may spend, and have spent: exact sums, whoever counts at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest
from botocore.exceptions import ClientError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cognis_memory.adapters.dynamodb.ledger import DynamoLedger
from cognis_memory.errors import StaleEvent
from cognis_memory.models.spending import Charge, Spending
from cognis_memory.ports import Ledger

from .builders import NOW, OWNER, erase_all, event, later

JULY = "2026-07"


def charge(usd: str, *, tenant: str = "acme", month: str = JULY, origin: str = "evt_0001") -> Charge:
    return Charge(tenant, month, Decimal(usd), origin)


def spent(ledger: Ledger, month: str = JULY) -> Decimal:
    return ledger.get_spending("acme", month).spent_usd


def test_a_tenant_that_spent_nothing_may_spend_what_it_likes(ledger: Ledger) -> None:
    assert ledger.get_spending("acme", JULY) == Spending(None, Decimal(0))


def test_an_event_and_its_charge_are_written_together(ledger: Ledger) -> None:
    ledger.create_event(event())
    ledger.update_event(later(event(), stage="StoreMessages"), charge("0.000000001"))

    with pytest.raises(StaleEvent):
        ledger.update_event(later(event(), stage="ExtractMemories"), charge("5"))
    assert spent(ledger) == Decimal("0.000000001")


def test_charges_without_an_event_are_counted_as_well(ledger: Ledger) -> None:
    ledger.add_charge(charge("0.25"))
    ledger.add_charge(charge("0.5", origin="mem_1"))

    assert spent(ledger) == Decimal("0.75")


def test_months_and_tenants_are_counted_apart(ledger: Ledger) -> None:
    for month in ("2025-07", "2026-06", JULY, "2026-08", "2027-07"):
        ledger.add_charge(charge("1", month=month))
    ledger.add_charge(charge("0.5"))
    ledger.add_charge(charge("9", tenant="acme2"))

    assert [spent(ledger, month) for month in ("2026-06", JULY, "2026-08", "2026-09")] == [1, 1.5, 1, 0]
    assert ledger.get_spending("acme2", JULY) == Spending(None, Decimal(9))


@pytest.mark.parametrize("usd", ["0", "0.000000001", "12.5", "999999999.999999999"])
def test_a_budget_reads_back_to_the_last_digit(ledger: Ledger, usd: str) -> None:
    ledger.set_budget("acme", Decimal(usd))

    for month in ("2025-01", JULY):
        assert ledger.get_spending("acme", month) == Spending(Decimal(usd), Decimal(0))
    assert ledger.get_spending("acme2", JULY).budget_usd is None


def test_a_budget_is_replaced_and_removed(ledger: Ledger) -> None:
    ledger.set_budget("acme", Decimal(10))
    ledger.add_charge(charge("3"))
    ledger.set_budget("acme", Decimal(20))
    assert ledger.get_spending("acme", JULY) == Spending(Decimal(20), Decimal(3))

    ledger.set_budget("acme", None)
    ledger.set_budget("acme", None)
    assert ledger.get_spending("acme", JULY) == Spending(None, Decimal(3))


def test_a_budget_is_exhausted_when_all_of_it_is_spent() -> None:
    assert Spending(Decimal(1), Decimal(1)).exhausted
    assert Spending(Decimal(0), Decimal(0)).exhausted
    assert not Spending(Decimal(1), Decimal("0.999999999")).exhausted
    assert not Spending(None, Decimal(10**6)).exhausted


def test_erasing_a_user_does_not_lower_what_its_tenant_spent(ledger: Ledger) -> None:
    ledger.create_event(event())
    ledger.update_event(later(event()), charge("2"))
    ledger.set_budget("acme", Decimal(5))
    ledger.raise_erasure_epoch(OWNER, 1)
    erase_all(ledger)

    assert ledger.held_items(OWNER, limit=10) == []
    assert list(ledger.owners()) == []
    assert ledger.get_spending("acme", JULY) == Spending(Decimal(5), Decimal(2))


def test_charges_at_once_add_up_exactly(ledger: Ledger) -> None:
    """Of events of their own, as many ingestions make them, and of one and the same origin."""
    events = [event(number) for number in range(1, 25)]
    for made in events:
        ledger.create_event(made)

    def work(number: int) -> None:
        ledger.update_event(later(events[number]), charge("0.000000003", origin=events[number].id))
        ledger.add_charge(charge("0.1"))

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(work, range(len(events))))

    assert spent(ledger) == len(events) * Decimal("0.100000003")


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.decimals(0, 1_000, places=9), max_size=8), st.integers(1, 10**9))
def test_any_amounts_add_up_exactly(ledger: Ledger, amounts: list[Decimal], tenant: int) -> None:
    name = f"tenant-{tenant}"
    before = ledger.get_spending(name, JULY).spent_usd
    for number, usd in enumerate(amounts):
        ledger.add_charge(Charge(name, JULY, usd, f"evt_{number}"))

    assert ledger.get_spending(name, JULY).spent_usd - before == sum(amounts, Decimal(0))


def test_a_month_is_spread_and_goes_after_the_year(
    dynamodb_ledger: DynamoLedger, dynamodb_client: Any, dynamodb_table: str
) -> None:
    """Many charges at once meet in few items, none of which names the tenant."""
    for number in range(100):
        dynamodb_ledger.add_charge(charge("0.01", origin=f"evt_{number}"))
    items = dynamodb_client.scan(TableName=dynamodb_table)["Items"]

    assert 4 <= len(items) <= 8
    assert spent(dynamodb_ledger) == 1
    assert "acme" not in str(items)
    for item in items:
        days = (int(item["ttl"]["N"]) - NOW.timestamp()) / 86_400
        assert 366 < days < 400


class LosingAnswers:
    """A client whose first transaction is done though it says that it is still under way.

    As DynamoDB does, it answers a repeat by the same token without doing it again.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self.tokens: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def transact_write_items(self, **arguments: Any) -> Any:
        repeated = arguments["ClientRequestToken"] in self.tokens
        self.tokens.append(arguments["ClientRequestToken"])
        if repeated:
            return
        self._client.transact_write_items(**arguments)
        raise ClientError({"Error": {"Code": "TransactionInProgressException"}}, "TransactWriteItems")


def test_a_charge_that_is_sent_again_carries_the_token_that_makes_it_safe(
    dynamodb_client: Any, dynamodb_table: str
) -> None:
    client: Any = LosingAnswers(dynamodb_client)
    DynamoLedger(dynamodb_table, client).add_charge(charge("1"))

    assert len(client.tokens) == 2
    assert spent(DynamoLedger(dynamodb_table, dynamodb_client)) == 1
