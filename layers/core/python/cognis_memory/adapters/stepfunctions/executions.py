"""Starts and reads executions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from botocore.exceptions import ClientError

from cognis_memory.adapters.aws.errors import error_code, translated_errors
from cognis_memory.errors import ExecutionUnavailable
from cognis_memory.models.event import Event, EventKind
from cognis_memory.ports import Execution, ExecutionStatus

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient

_WAITS_FOR_REDRIVE: Final = "PENDING_REDRIVE"


class StepFunctionsStarter:
    """The `ExecutionStarter` port over state machines of type Standard, one for each kind of event."""

    def __init__(self, client: SFNClient, machines: Mapping[EventKind, str]) -> None:
        """`machines` are their ARNs."""
        self._client = client
        self._machines = machines

    def start(self, event: Event) -> None:
        """Only ids go in: inputs can be read in the console."""
        with translated_errors("StartExecution", ExecutionUnavailable):
            try:
                self._client.start_execution(
                    stateMachineArn=self._machines[event.kind],
                    name=event.execution_name,
                    input=event.reference.model_dump_json(),
                )
            except ClientError as error:
                if error_code(error) != "ExecutionAlreadyExists":
                    raise

    def execution_of(self, event: Event) -> Execution | None:
        arn = _execution_arn(self._machines[event.kind], event.execution_name)
        with translated_errors("DescribeExecution", ExecutionUnavailable):
            try:
                found = self._client.describe_execution(executionArn=arn)
            except ClientError as error:
                if error_code(error) == "ExecutionDoesNotExist":
                    return None
                raise
        if found["status"] == _WAITS_FOR_REDRIVE:
            return Execution(ExecutionStatus.RUNNING)
        return Execution(ExecutionStatus(found["status"]), found.get("error"), found.get("cause"))


def _execution_arn(machine_arn: str, name: str) -> str:
    """`arn:…:stateMachine:<machine>` runs `arn:…:execution:<machine>:<name>`."""
    prefix, machine = machine_arn.rsplit(":stateMachine:", 1)
    return f"{prefix}:execution:{machine}:{name}"
