"""What runs beside the state machines: after an execution that died, and on a schedule."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any, Final, TypeVar

from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel

from cognis_memory.deadline import fits, within
from cognis_memory.errors import CognisError
from cognis_memory.models.event import EventReference
from cognis_memory.ports import Execution, ExecutionStatus
from cognis_memory.runtime.invocation import in_time
from cognis_memory.runtime.log_lines import log_end
from cognis_memory.runtime.metrics import Metric, emit
from cognis_memory.runtime.observability import logger, observed
from cognis_memory.runtime.wiring import Deployment, deployment
from cognis_memory.services.executions import record_end
from cognis_memory.services.expiry import expired_documents, remove_expired
from cognis_memory.services.sweep import IDLE, SweepPorts, Swept, idle_events, owners_behind, resume_event

Json = dict[str, Any]
_T = TypeVar("_T")

_ITEM_SECONDS: Final = 15.0
"""An event or a user is begun with so much time left: several calls, and a repetition of one."""

_LONGEST_ITEM_SECONDS: Final = 45.0
"""What one event or user may take, so that one that hangs leaves time for others."""


class ExecutionEnd(BaseModel):
    """The detail of EventBridge's "Step Functions Execution Status Change", as far as it is read here."""

    input: str
    status: ExecutionStatus
    stopDate: int | None = None  # noqa: N815 - as EventBridge names it; milliseconds since 1970
    error: str | None = None
    cause: str | None = None

    @property
    def reference(self) -> EventReference:
        given = json.loads(self.input)
        return EventReference(tenant_id=given["tenant_id"], event_id=given["event_id"])

    @property
    def ended_at(self) -> datetime | None:
        return None if self.stopDate is None else datetime.fromtimestamp(self.stopDate / 1_000, UTC)


def record_ended_execution(event: Json, context: LambdaContext) -> Json:
    """The handler of EventBridge's events of executions that failed, timed out or were aborted."""
    with in_time(context), observed("RecordEndedExecution"):
        end = ExecutionEnd.model_validate(event["detail"])
        execution = Execution(end.status, end.error, end.cause)
        failed = record_end(deployment().ingestion, end.reference, execution, end.ended_at)
        if failed is not None:
            log_end(deployment(), failed)
        return {"event_id": end.reference.event_id, "marked_failed": failed is not None}


def sweep(event: Json, context: LambdaContext) -> Json:
    """The handler of the schedule; answers how much it found to do and had the time for."""
    with in_time(context), observed("Sweep"):
        counts = Counter(dict.fromkeys(_COUNTED, 0))
        for part in (_sweep_events, _sweep_projections, _sweep_expired):
            if fits(_ITEM_SECONDS):
                part(deployment(), counts)
        logger().info("sweep", extra=dict(counts))
        emit({metric: counts[name] for name, metric in _COUNTED.items()})
        return dict(counts)


_COUNTED: Final = {
    "started": Metric.SWEEP_STARTED,
    "failed": Metric.SWEEP_FAILED,
    "projected": Metric.SWEEP_PROJECTED,
    "expired": Metric.SWEEP_EXPIRED,
    "faults": Metric.SWEEP_FAULTS,
}


def _sweep_events(opened: Deployment, counts: Counter[str]) -> None:
    ports = SweepPorts(opened.ledger, opened.starter, opened.clock)
    for event in _while_in_time(idle_events(ports.ledger, ports.clock(), idle=IDLE)):
        swept = Swept()
        with _isolated(counts):
            swept = resume_event(ports, event)
        counts["started"] += swept.started
        if swept.failed is not None:
            counts["failed"] += 1
            log_end(opened, swept.failed)


def _sweep_projections(opened: Deployment, counts: Counter[str]) -> None:
    for owner in _while_in_time(owners_behind(opened.ledger, opened.clock(), idle=IDLE)):
        with _isolated(counts):
            opened.projector.catch_up(owner)
            counts["projected"] += 1


def _sweep_expired(opened: Deployment, counts: Counter[str]) -> None:
    for owner, ids in _while_in_time(expired_documents(opened.ledger, opened.clock()).items()):
        with _isolated(counts):
            counts["expired"] += remove_expired(opened.memories, owner, ids)


def _while_in_time(items: Iterable[_T]) -> Iterator[_T]:
    """As many as there is time for."""
    return takewhile(lambda _: fits(_ITEM_SECONDS), items)


@contextmanager
def _isolated(counts: Counter[str]) -> Iterator[None]:
    """One event, or user, that fails does not keep the sweep from the others."""
    try:
        with within(_LONGEST_ITEM_SECONDS), observed("Sweep"):
            yield
    except CognisError as error:
        counts["faults"] += 1
        logger().warning("sweep_fault", extra={"error": error.code, "detail": str(error)})
