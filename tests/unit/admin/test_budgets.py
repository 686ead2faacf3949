"""`cognis-admin tenant budget`: seen, set and removed by whoever runs the deployment."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal

import boto3
import pytest
from aws_account import only_region
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from moto import mock_aws

from cognis_admin.cli import cognis_admin
from cognis_memory.adapters.dynamodb.credentials import DynamoCredentialStore, credential_table_definition
from cognis_memory.adapters.dynamodb.ledger import DynamoLedger
from cognis_memory.adapters.dynamodb.schema import table_definition
from cognis_memory.domain.spending import month_end, month_of, parse_budget, written_usd
from cognis_memory.errors import InvalidInput
from cognis_memory.models.spending import Charge
from cognis_memory.services.credentials import create_tenant

REGION = "eu-central-1"
STACK = {
    "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}},
    "Outputs": {"LedgerTableName": {"Value": "ledger"}, "CredentialTableName": {"Value": "credentials"}},
}

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Runs the command in an account with a deployment of stage `dev` and the tenant `acme`."""
    only_region(monkeypatch, REGION)

    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(cognis_admin, ["tenant", "budget", *arguments, "--stage", "dev"])

    with mock_aws():
        dynamodb = boto3.client("dynamodb", region_name=REGION)
        dynamodb.create_table(**credential_table_definition("credentials"))
        dynamodb.create_table(**table_definition("ledger"))
        cloudformation = boto3.client("cloudformation", region_name=REGION)
        cloudformation.create_stack(StackName="cognis-dev-data", TemplateBody=json.dumps(STACK))
        create_tenant(DynamoCredentialStore("credentials", dynamodb), "acme", None, now=datetime.now(UTC))
        yield invoke


def shown(answer: Result) -> dict[str, str | None]:
    assert answer.exit_code == 0, answer.output
    found: dict[str, str | None] = json.loads(answer.stdout)
    return found


def test_a_budget_is_set_seen_replaced_and_removed(run: Run) -> None:
    present = datetime.now(UTC)
    asked = shown(run("acme", "--json"))
    assert asked == {
        "tenant_id": "acme",
        "month": month_of(present),
        "budget_usd": None,
        "spent_usd": "0.00",
        "resets_at": f"{month_end(present):%Y-%m-%dT%H:%M:%SZ}",
    }

    assert shown(run("acme", "--set", "25", "--json")) == {**asked, "budget_usd": "25.00"}
    assert shown(run("acme", "--set", "0.000000001", "--json"))["budget_usd"] == "0.000000001"
    assert shown(run("acme", "--json"))["budget_usd"] == "0.000000001"
    assert shown(run("acme", "--remove", "--json")) == asked


def test_what_was_spent_this_month_is_shown(run: Run) -> None:
    ledger = DynamoLedger("ledger", boto3.client("dynamodb", region_name=REGION))
    ledger.add_charge(Charge("acme", month_of(datetime.now(UTC)), Decimal("1.2345"), "evt_1"))
    ledger.add_charge(Charge("acme", "2020-01", Decimal(99), "evt_1"))
    said = run("acme", "--set", "12.50")

    assert said.exit_code == 0
    assert "budget 12.50 USD a month, 1.2345 USD spent in 2" in said.stdout
    assert "no budget, 1.2345 USD spent" in run("acme", "--remove").stdout


@pytest.mark.parametrize(
    "amount",
    ["-1", "1,000", "ten", "", "nan", "Infinity", "1e9", "$5", "１２", "0.0000000001", "9999999999", "1."],
)
def test_what_is_no_amount_changes_nothing(run: Run, amount: str) -> None:
    run("acme", "--set", "25")
    refused = run("acme", f"--set={amount}")

    assert refused.exit_code == 1
    assert "monthly_budget_usd: use US dollars from 0 to 999999999" in refused.stderr
    assert shown(run("acme", "--json"))["budget_usd"] == "25.00"


@pytest.mark.parametrize("arguments", [("acm",), ("acm", "--set", "5"), ("acm", "--remove")])
def test_a_tenant_that_is_not_there_has_no_budget(run: Run, arguments: tuple[str, ...]) -> None:
    refused = run(*arguments)

    assert refused.exit_code == 1
    assert "there is no tenant acm." in refused.stderr
    ledger = DynamoLedger("ledger", boto3.client("dynamodb", region_name=REGION))
    assert ledger.get_spending("acm", "2026-07").budget_usd is None


def test_setting_and_removing_at_once_is_refused(run: Run) -> None:
    refused = run("acme", "--set", "5", "--remove")

    assert refused.exit_code == 2
    assert shown(run("acme", "--json"))["budget_usd"] is None


@given(st.decimals(0, 999_999_999, places=9))
def test_every_amount_that_can_be_kept_is_read_as_it_is_written(usd: Decimal) -> None:
    assert parse_budget(written_usd(usd)) == usd


@given(st.text(max_size=12))
def test_any_text_is_an_amount_or_refused(text: str) -> None:
    try:
        usd = parse_budget(text)
    except InvalidInput:
        return
    assert 0 <= usd < 10**9


@given(st.datetimes(datetime(1990, 1, 1), datetime(2990, 1, 1), timezones=st.timezones()))  # noqa: DTZ001
def test_a_month_ends_where_the_next_begins(moment: datetime) -> None:
    end = month_end(moment)

    assert moment < end
    assert (end.day, end.hour, end.minute, end.second, end.microsecond, end.tzinfo) == (1, 0, 0, 0, 0, UTC)
    assert month_of(moment) < month_of(end)
    assert (end - moment).days <= 31
