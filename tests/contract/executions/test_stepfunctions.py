"""The port of executions over Step Functions: machines that moto runs, and faults of the service."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber
from moto import mock_aws

from cognis_memory.adapters.stepfunctions import StepFunctionsStarter
from cognis_memory.errors import ExecutionUnavailable, PermanentError
from cognis_memory.models.event import Event, EventKind
from cognis_memory.ports import Execution, ExecutionStatus

NOW = datetime(2026, 7, 15, 12, 0, tzinfo=UTC)
ROLE = "arn:aws:iam::123456789012:role/machines"
RUNS = {"stepfunctions": {"execute_state_machine": True}}

WAITS = {"Type": "Wait", "Seconds": 30, "Next": "Done"}
FAILS = {"Type": "Fail", "Error": "LedgerUnavailable", "Cause": '{"errorMessage": "slow"}'}


@dataclass(frozen=True, slots=True)
class Service:
    """Machines of one state each for both kinds of events."""

    client: Any
    arns: Mapping[EventKind, str]

    @property
    def starter(self) -> StepFunctionsStarter:
        return StepFunctionsStarter(self.client, self.arns)

    def execution(self, event: Event, *, until: ExecutionStatus) -> Execution:
        for _ in range(200):
            found = self.starter.execution_of(event)
            if found is not None and found.status is until:
                return found
            time.sleep(0.02)
        raise AssertionError(f"the execution of {event.id} does not get to {until}")


def opened(ingestion: dict[str, Any], erasure: dict[str, Any]) -> Service:
    client = boto3.client("stepfunctions", region_name="eu-central-1")
    arns = {}
    for kind, state in {EventKind.INGESTION: ingestion, EventKind.ERASURE: erasure}.items():
        definition = {"StartAt": "First", "States": {"First": state, "Done": {"Type": "Succeed"}}}
        made = client.create_state_machine(
            name=f"cognis-test-{kind}", definition=json.dumps(definition), roleArn=ROLE
        )
        arns[kind] = made["stateMachineArn"]
    return Service(client, arns)


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    with mock_aws(config=RUNS):
        yield


def event(kind: EventKind = EventKind.INGESTION, number: int = 1) -> Event:
    return Event(
        id=f"evt_{number}", tenant_id="acme", user_id="ana", kind=kind, created_at=NOW, updated_at=NOW
    )


@pytest.mark.usefixtures("aws")
def test_an_execution_bears_the_events_id_and_is_given_ids_alone() -> None:
    service = opened(WAITS, WAITS)
    service.starter.start(event())
    service.starter.start(event(EventKind.ERASURE, 2))

    for kind, id_ in ((EventKind.INGESTION, "evt_1"), (EventKind.ERASURE, "evt_2")):
        (listed,) = service.client.list_executions(stateMachineArn=service.arns[kind])["executions"]
        assert listed["name"] == id_
        found = service.client.describe_execution(executionArn=listed["executionArn"])
        assert json.loads(found["input"]) == {"tenant_id": "acme", "event_id": id_}


@pytest.mark.usefixtures("aws")
def test_an_execution_that_runs_or_has_ended_is_not_started_again() -> None:
    service = opened(FAILS, WAITS)
    for _ in range(2):
        service.starter.start(event())
    service.execution(event(), until=ExecutionStatus.FAILED)
    service.starter.start(event())

    listed = service.client.list_executions(stateMachineArn=service.arns[EventKind.INGESTION])
    assert len(listed["executions"]) == 1


@pytest.mark.usefixtures("aws")
def test_a_replay_is_an_execution_of_its_own() -> None:
    service = opened(FAILS, WAITS)
    service.starter.start(event())
    service.execution(event(), until=ExecutionStatus.FAILED)
    again = event().model_copy(update={"attempt": 2})

    assert service.starter.execution_of(again) is None
    service.starter.start(again)
    assert service.starter.execution_of(again) is not None
    listed = service.client.list_executions(stateMachineArn=service.arns[EventKind.INGESTION])
    assert {each["name"] for each in listed["executions"]} == {"evt_1", "evt_1-2"}


@pytest.mark.usefixtures("aws")
def test_what_became_of_an_execution() -> None:
    service = opened(FAILS, {"Type": "Succeed"})
    assert service.starter.execution_of(event()) is None
    service.starter.start(event())
    service.starter.start(event(EventKind.ERASURE))

    failed = service.execution(event(), until=ExecutionStatus.FAILED)
    assert (failed.error, failed.cause) == (FAILS["Error"], FAILS["Cause"])
    service.execution(event(EventKind.ERASURE), until=ExecutionStatus.SUCCEEDED)


@pytest.mark.usefixtures("aws")
def test_one_that_runs_until_it_is_stopped() -> None:
    service = opened(WAITS, WAITS)
    service.starter.start(event())
    service.execution(event(), until=ExecutionStatus.RUNNING)
    (listed,) = service.client.list_executions(stateMachineArn=service.arns[EventKind.INGESTION])[
        "executions"
    ]
    service.client.stop_execution(executionArn=listed["executionArn"])

    service.execution(event(), until=ExecutionStatus.ABORTED)


def stubbed(operation: str, code: str, status: int) -> StepFunctionsStarter:
    client = boto3.client(
        "stepfunctions", region_name="eu-central-1", aws_access_key_id="x", aws_secret_access_key="x"
    )
    stub = Stubber(client)
    stub.add_client_error(operation, code, "user ana said so", http_status_code=status)
    stub.activate()
    prefix = "arn:aws:states:eu-central-1:123456789012:stateMachine:cognis-test"
    return StepFunctionsStarter(client, {EventKind.INGESTION: f"{prefix}-ingestion"})


@pytest.mark.parametrize(
    ("code", "status", "error"),
    [
        ("ThrottlingException", 400, ExecutionUnavailable),
        ("ServiceUnavailable", 503, ExecutionUnavailable),
        ("StateMachineDoesNotExist", 400, PermanentError),
        ("AccessDeniedException", 400, PermanentError),
    ],
)
def test_faults_of_the_service_become_errors_of_ours(code: str, status: int, error: type[Exception]) -> None:
    with pytest.raises(error, match=f"StartExecution.*{code}") as raised:
        stubbed("start_execution", code, status).start(event())
    assert "ana" not in str(raised.value)
    with pytest.raises(error, match=f"DescribeExecution.*{code}"):
        stubbed("describe_execution", code, status).execution_of(event())


def test_an_execution_that_waits_for_its_redrive_runs() -> None:
    client = boto3.client(
        "stepfunctions", region_name="eu-central-1", aws_access_key_id="x", aws_secret_access_key="x"
    )
    prefix = "arn:aws:states:eu-central-1:123456789012"
    described = {
        "executionArn": f"{prefix}:execution:cognis-test-ingestion:evt_1",
        "stateMachineArn": f"{prefix}:stateMachine:cognis-test-ingestion",
        "status": "PENDING_REDRIVE",
        "startDate": NOW,
    }
    starter = StepFunctionsStarter(client, {EventKind.INGESTION: described["stateMachineArn"]})
    with Stubber(client) as stub:
        stub.add_response("describe_execution", described, {"executionArn": described["executionArn"]})
        assert starter.execution_of(event()) == Execution(ExecutionStatus.RUNNING)
