"""Executions of the state machines, state by state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from cognis_local.stack.errors import StackError

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient

    from cognis_local.stack.aws import EmulatedAccount


@dataclass(slots=True)
class StateRun:
    """One state from entering to leaving it; `failures` are its attempts that failed, as error and cause."""

    name: str
    input: str
    entered: datetime
    output: str | None = None
    left: datetime | None = None
    failures: list[tuple[str, str]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {
            "state": self.name,
            "input": self.input,
            "output": self.output,
            "seconds": _seconds(self.entered, self.left),
            "failures": [{"error": error, "cause": cause} for error, cause in self.failures],
        }


@dataclass(frozen=True, slots=True)
class Execution:
    """One run of a state machine; its name is the event's id."""

    machine: str
    name: str
    status: str
    started: datetime
    stopped: datetime | None
    error: str | None
    cause: str | None
    states: list[StateRun]

    def to_json(self) -> dict[str, Any]:
        return {
            "machine": self.machine,
            "event_id": self.name,
            "status": self.status,
            "started": self.started.isoformat(),
            "seconds": _seconds(self.started, self.stopped),
            "error": self.error,
            "cause": self.cause,
            "states": [state.to_json() for state in self.states],
        }


def last_executions(account: EmulatedAccount, count: int) -> list[Execution]:
    """The newest `count` of all machines, the oldest of them first."""
    client = account.states()
    found = [
        (item["startDate"], item["executionArn"])
        for machine in client.list_state_machines()["stateMachines"]
        for item in client.list_executions(
            stateMachineArn=machine["stateMachineArn"], maxResults=min(count, 1_000)
        )["executions"]
    ]
    return [_execution(client, arn) for _, arn in sorted(found)[-count:]]


def execution_of(account: EmulatedAccount, event_id: str) -> Execution:
    """The execution of an event. Raises StackError when there is none."""
    client = account.states()
    for machine in client.list_state_machines()["stateMachines"]:
        arn = machine["stateMachineArn"].replace(":stateMachine:", ":execution:") + f":{event_id}"
        try:
            return _execution(client, arn)
        except client.exceptions.ExecutionDoesNotExist:
            continue
    raise StackError(f"There is no execution of {event_id}.")


def _execution(client: SFNClient, arn: str) -> Execution:
    described = client.describe_execution(executionArn=arn)
    pages = client.get_paginator("get_execution_history").paginate(executionArn=arn)
    return Execution(
        machine=described["stateMachineArn"].rpartition(":")[2],
        name=described["name"],
        status=described["status"],
        started=described["startDate"],
        stopped=described.get("stopDate"),
        error=described.get("error"),
        cause=described.get("cause"),
        states=state_runs(event for page in pages for event in page["events"]),
    )


def state_runs(history: Iterable[Mapping[str, Any]]) -> list[StateRun]:
    """The states of an execution's history, in the order in which they were entered."""
    runs = list[StateRun]()
    for event in history:
        if entered := event.get("stateEnteredEventDetails"):
            runs.append(StateRun(entered["name"], entered.get("input", ""), event["timestamp"]))
        elif left := event.get("stateExitedEventDetails"):
            run = next(run for run in reversed(runs) if run.name == left["name"] and run.left is None)
            run.output, run.left = left.get("output", ""), event["timestamp"]
        elif runs and not event["type"].startswith("Execution"):
            runs[-1].failures.extend(_failures(event))
    return runs


def _failures(event: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """Whatever the kind of task, the details of a failed attempt name an error and its cause."""
    for details in event.values():
        if isinstance(details, Mapping) and details.get("error"):
            yield details["error"], details.get("cause", "")


def _seconds(start: datetime, end: datetime | None) -> float | None:
    return round((end - start).total_seconds(), 3) if end else None
