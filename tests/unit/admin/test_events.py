"""`cognis-admin events`, on a ledger and a state machine that moto runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from aws_account import only_region
from click.testing import CliRunner, Result
from moto import mock_aws

from cognis_admin.cli import cognis_admin
from cognis_memory.adapters.dynamodb.ledger import DynamoLedger
from cognis_memory.adapters.dynamodb.schema import table_definition
from cognis_memory.models.event import Event, EventFailure, EventStatus

REGION = "eu-central-1"
NOW = datetime.now(UTC)
FAILURE = EventFailure(type="ExtractionFailed", detail="the model answers nothing of use")

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Runs a command in an account with a ledger, a bucket of payloads and a state machine."""
    only_region(monkeypatch, REGION)
    with mock_aws():
        boto3.client("dynamodb", region_name=REGION).create_table(**table_definition("ledger"))
        boto3.client("s3", region_name=REGION).create_bucket(
            Bucket="payloads", CreateBucketConfiguration={"LocationConstraint": REGION}
        )
        definition = {"StartAt": "Wait", "States": {"Wait": {"Type": "Wait", "Seconds": 60, "End": True}}}
        machine = machines().create_state_machine(
            name="cognis-test-ingestion",
            definition=json.dumps(definition),
            roleArn="arn:aws:iam::123456789012:role/machines",
        )
        for name, value in {
            "LEDGER_TABLE": "ledger",
            "PAYLOAD_BUCKET": "payloads",
            "INGESTION_MACHINE_ARN": machine["stateMachineArn"],
            "ERASURE_MACHINE_ARN": machine["stateMachineArn"],
            "EXPORT_MACHINE_ARN": machine["stateMachineArn"],
            "IMPORT_MACHINE_ARN": machine["stateMachineArn"],
        }.items():
            monkeypatch.setenv(f"COGNIS_{name}", value)
        yield lambda *arguments: CliRunner().invoke(cognis_admin, ["events", *arguments])


def machines() -> Any:
    return boto3.client("stepfunctions", region_name=REGION)


def ledger() -> DynamoLedger:
    return DynamoLedger("ledger", boto3.client("dynamodb", region_name=REGION))


def failed(number: int, tenant_id: str = "acme", *, days: int = 0) -> Event:
    """An event that failed so many days ago."""
    at = NOW - timedelta(days=days)
    event = Event(
        id=f"evt_{number}",
        tenant_id=tenant_id,
        user_id="ana",
        status=EventStatus.FAILED,
        stage="ExtractMemories",
        error=FAILURE,
        created_at=at,
        updated_at=at,
        completed_at=at,
    )
    return ledger().create_event(event)


def executions() -> set[str]:
    (machine,) = machines().list_state_machines()["stateMachines"]
    listed = machines().list_executions(stateMachineArn=machine["stateMachineArn"])["executions"]
    return {each["name"] for each in listed}


def test_failed_events_are_listed_with_their_reasons(run: Run) -> None:
    failed(1, days=3)
    failed(2, days=1)
    failed(3, days=30)
    listed = run("failed")

    assert listed.exit_code == 0
    lines = [line.split("\t") for line in listed.stdout.splitlines()]
    assert [(line[1], line[2], line[3]) for line in lines] == [
        ("acme", "evt_2", "ExtractMemories"),
        ("acme", "evt_1", "ExtractMemories"),
    ]
    assert lines[0][4] == "ExtractionFailed: the model answers nothing of use"
    assert "ana" not in listed.stdout
    assert "evt_3" in run("failed", "--days", "60").stdout


def test_one_tenants_and_as_json(run: Run) -> None:
    failed(1)
    failed(2, "globex")
    listed = json.loads(run("failed", "--tenant", "globex", "--json").stdout)

    assert [(each["event_id"], each["error"]["type"], each["attempt"]) for each in listed] == [
        ("evt_2", "ExtractionFailed", 1)
    ]
    assert "No event has failed" in run("failed", "--tenant", "initech").stdout


def test_a_replay_starts_an_execution_of_its_own(run: Run) -> None:
    failed(1)
    replayed = run("replay", "evt_1")

    assert (replayed.exit_code, replayed.stdout) == (0, "evt_1: PENDING, execution evt_1-2\n")
    assert executions() == {"evt_1-2"}
    held = ledger().get_event("acme", "evt_1")
    assert held is not None
    assert (held.status, held.error) == (EventStatus.PENDING, None)
    assert run("failed").stdout.startswith("No event has failed")


def test_what_cannot_be_replayed_is_said_and_the_others_are(run: Run) -> None:
    failed(1)
    replayed = run("replay", "evt_unknown", "evt_1")

    assert replayed.exit_code == 1
    assert "evt_unknown: it is not among the failed events" in replayed.stderr
    assert executions() == {"evt_1-2"}
    again = run("replay", "evt_1", "--tenant", "acme")
    assert again.exit_code == 1
    assert "evt_1: event evt_1 is PENDING" in again.stderr
