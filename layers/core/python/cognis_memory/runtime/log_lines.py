"""The lines that say how an event ended."""

from __future__ import annotations

from collections import Counter

from cognis_memory.errors import CognisError
from cognis_memory.models.event import Event, EventKind, EventStatus
from cognis_memory.models.values import Operation, Owner
from cognis_memory.runtime.metrics import Metric, emit
from cognis_memory.runtime.observability import logger
from cognis_memory.runtime.wiring import Deployment

_COUNTED = {
    Operation.ADD: Metric.MEMORIES_ADDED,
    Operation.UPDATE: Metric.MEMORIES_UPDATED,
    Operation.DELETE: Metric.MEMORIES_RETRACTED,
}


def hashed_user(deployment: Deployment, owner: Owner) -> str | None:
    """The user's keyed hash; None when there is no key: a line less precise is no reason to fail."""
    try:
        return deployment.user_hash(owner)
    except CognisError as error:
        logger().warning("log_key_unavailable", extra={"error": error.code, "detail": str(error)})
        return None


def log_end(deployment: Deployment, event: Event) -> None:
    """Writes `memory_ingestion`, or by the other kinds of events, and metrics, for an event that has ended.

    A state that is repeated writes its line again: the event's id tells that it is the same.
    """
    match event.kind:
        case EventKind.INGESTION:
            _log_ingestion(deployment, event)
        case EventKind.ERASURE:
            _log_erasure(deployment, event)
        case EventKind.EXPORT | EventKind.IMPORT:
            about = {**_about(deployment, event), "counts": event.counts}
            logger().info(f"memory_{event.kind}", extra=about)


def _log_ingestion(deployment: Deployment, event: Event) -> None:
    operations = Counter(done.operation for done in event.operations)
    logger().info(
        "memory_ingestion",
        extra={
            **_about(deployment, event),
            "messages": len(event.message_ids),
            "operations": {operation.value: operations[operation] for operation in Operation},
            "usage": event.usage.model_dump(mode="json"),
        },
    )
    if event.status is EventStatus.FAILED:
        emit({Metric.INGESTION_FAILED: 1})
        return
    counts = {metric: float(operations[operation]) for operation, metric in _COUNTED.items()}
    ended = {Metric.INGESTION_SUCCEEDED: 1.0, Metric.INGESTION_DURATION: _duration_ms(event)}
    emit({Metric.INGESTION_FAILED: 0, **ended, **counts})


def _log_erasure(deployment: Deployment, event: Event) -> None:
    logger().info("memory_erasure", extra={**_about(deployment, event), "counts": event.counts})
    failed = event.status is EventStatus.FAILED
    emit({Metric.ERASURE_FAILED if failed else Metric.ERASURE_SUCCEEDED: 1})


def _about(deployment: Deployment, event: Event) -> dict[str, object]:
    return {
        "event_id": event.id,
        "tenant": event.tenant_id,
        "user": hashed_user(deployment, event.owner),
        "status": event.status.value,
        "stage": event.stage,
        "duration_ms": _duration_ms(event),
        "error": event.error.type if event.error else None,
    }


def _duration_ms(event: Event) -> float:
    """Since the acceptance."""
    return ((event.completed_at or event.updated_at) - event.created_at).total_seconds() * 1_000
