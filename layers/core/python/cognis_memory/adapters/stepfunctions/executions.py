"""Starts and reads executions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from botocore.exceptions import ClientError

from cognis_memory.adapters.aws.errors import error_code, translated_errors
from cognis_memory.errors import ExecutionUnavailable
from cognis_memory.models.event import Event, EventKind, EventReference
from cognis_memory.ports import Execution, ExecutionStatus

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient

_WAITS_FOR_REDRIVE: Final = "PENDING_REDRIVE"


class StepFunctionsStarter:
    """The `ExecutionStarter` port over two state machines of type Standard."""

    def __init__(self, client: SFNClient, *, ingestion_arn: str, erasure_arn: str) -> None:
        self._client = client
        self._machines = {EventKind.INGESTION: ingestion_arn, EventKind.ERASURE: erasure_arn}

    def start_ingestion(self, reference: EventReference) -> None:
        self._start(self._machines[EventKind.INGESTION], reference)

    def start_erasure(self, reference: EventReference) -> None:
        self._start(self._machines[EventKind.ERASURE], reference)

    def execution_of(self, event: Event) -> Execution | None:
        arn = _execution_arn(self._machines[event.kind], event.id)
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

    def _start(self, machine_arn: str, reference: EventReference) -> None:
        """Only ids go in: inputs can be read in the console."""
        request = reference.model_dump_json(include=set(EventReference.model_fields))
        with translated_errors("StartExecution", ExecutionUnavailable):
            try:
                self._client.start_execution(
                    stateMachineArn=machine_arn, name=reference.event_id, input=request
                )
            except ClientError as error:
                if error_code(error) != "ExecutionAlreadyExists":
                    raise


def _execution_arn(machine_arn: str, name: str) -> str:
    """`arn:…:stateMachine:<machine>` runs `arn:…:execution:<machine>:<name>`."""
    prefix, machine = machine_arn.rsplit(":stateMachine:", 1)
    return f"{prefix}:execution:{machine}:{name}"
