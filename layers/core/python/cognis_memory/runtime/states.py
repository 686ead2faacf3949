"""The tasks of the state machines as Lambda handlers: JSON in, a stage, JSON out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel, ConfigDict, Field

from cognis_memory.errors import CognisError
from cognis_memory.models.event import EventReference
from cognis_memory.ports import Execution, ExecutionStatus
from cognis_memory.runtime.invocation import in_time
from cognis_memory.runtime.log_lines import log_end
from cognis_memory.runtime.metrics import Metric, emit
from cognis_memory.runtime.observability import logger, observed
from cognis_memory.runtime.wiring import Deployment, deployment
from cognis_memory.services.executions import failure_of
from cognis_memory.services.ingestion import embed_and_commit_memories, failure
from cognis_memory.services.ingestion.state import IngestionPorts, IngestionState, LeaseAnswer
from cognis_memory.services.memories.erasing import ErasureState, StoresAnswer
from cognis_memory.services.memories.ports import RemovalPorts

Stage = Callable[[IngestionPorts, IngestionState], IngestionState]
Json = dict[str, Any]
Handler = Callable[[Json, LambdaContext], Json]

ENDING: Final = frozenset({embed_and_commit_memories.STAGE, failure.STAGE})
"""The states after which an ingestion has ended."""


class StateError(BaseModel):
    """What a Catch hands over: the error's name and, as text, what its Lambda function answered."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    error: str = Field(alias="Error")
    cause: str = Field(alias="Cause", default="")


class FailedState(BaseModel):
    """The input of RecordFailure: the state that failed as it went in, and its error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    state: IngestionState
    error: StateError


def state_handler(name: str, stage: Stage) -> Handler:
    """The handler of one state of an ingestion; its input and output are an IngestionState."""

    def handle(event: Json, context: LambdaContext) -> Json:
        with in_time(context), observed(name):
            return _run(deployment(), name, stage, IngestionState.model_validate(event))

    return handle


def record_failure(event: Json, context: LambdaContext) -> Json:
    """The handler of RecordFailure."""
    with in_time(context), observed(failure.STAGE):
        failed = FailedState.model_validate(event)
        execution = Execution(ExecutionStatus.FAILED, failed.error.error, failed.error.cause)
        reason = failure_of(execution)

        def stage(ports: IngestionPorts, state: IngestionState) -> IngestionState:
            return failure.record_failure(ports, state, reason)

        return _run(deployment(), failure.STAGE, stage, failed.state)


def erasure_handler(name: str, stage: Callable[[RemovalPorts, ErasureState], ErasureState]) -> Handler:
    """The handler of one state of an erasure; its input and output are an ErasureState."""

    def handle(event: Json, context: LambdaContext) -> Json:
        with in_time(context), observed(name):
            opened, state = deployment(), ErasureState.model_validate(event)
            with logged(name, state) as line:
                after = stage(opened.memories, state)
                line |= {"ledger": after.ledger, "stores": after.stores}
            ended = opened.ledger.get_event(state.tenant_id, state.event_id)
            if after.stores is StoresAnswer.EMPTY and ended is not None:
                log_end(opened, ended)
            return after.model_dump(mode="json", exclude_defaults=True)

    return handle


def _run(opened: Deployment, name: str, stage: Stage, state: IngestionState) -> Json:
    ports = opened.ingestion
    with logged(name, state) as line:
        after = stage(ports, state)
        line |= {"lease": after.lease, "lease_polls": after.lease_polls or None}
    if after.lease is LeaseAnswer.WAITING:
        emit({Metric.LEASE_WAITS: 1})
    if name in ENDING and (ended := ports.ledger.get_event(state.tenant_id, state.event_id)):
        log_end(opened, ended)
    return after.model_dump(mode="json", exclude_defaults=True)


@contextmanager
def logged(name: str, reference: EventReference) -> Iterator[dict[str, object]]:
    """A line for every run of a state; the caller may add to it."""
    line: dict[str, object] = {"state": name, "event_id": reference.event_id, "tenant": reference.tenant_id}
    started = time.perf_counter()
    try:
        yield line
    except CognisError as error:
        line |= {"error": error.code, "detail": str(error)}
        raise
    finally:
        line["duration_ms"] = round((time.perf_counter() - started) * 1_000, 3)
        logger().info("state", extra={key: value for key, value in line.items() if value is not None})
