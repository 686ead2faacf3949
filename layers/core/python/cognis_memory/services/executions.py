"""Executions that ended otherwise than by their event's end."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Final

from cognis_memory.errors import KNOWN_ERRORS
from cognis_memory.models.event import Event, EventFailure, EventKind, EventReference, EventStatus
from cognis_memory.ports import Execution, ExecutionStatus
from cognis_memory.services.ingestion.lease import free_lease
from cognis_memory.services.progress import EventPorts, advance

_NAME: Final = re.compile(r"[A-Za-z][\w.]{0,99}", re.ASCII)

_ENDS: Final = {
    ExecutionStatus.FAILED: ("ExecutionFailed", "the execution failed"),
    ExecutionStatus.TIMED_OUT: ("ExecutionTimedOut", "the execution took too long"),
    ExecutionStatus.ABORTED: ("ExecutionAborted", "the execution was stopped"),
    ExecutionStatus.SUCCEEDED: ("ExecutionFailed", "the execution ended before its work did"),
}


def record_end(
    ports: EventPorts, reference: EventReference, execution: Execution, ended_at: datetime | None = None
) -> Event | None:
    """Frees the lease of an event whose execution has ended, and marks it FAILED if it has not ended itself.

    Returns the event that was marked; None for one that had ended, or has moved on since `ended_at`, as by a
    redrive: then its lease is left alone, too. A repeat changes nothing.
    """
    event = ports.ledger.get_event(reference.tenant_id, reference.event_id)
    if event is None or (ended_at is not None and event.updated_at > ended_at and not event.finished):
        return None
    if event.kind in (EventKind.INGESTION, EventKind.IMPORT):
        free_lease(ports, event)
    if event.finished:
        return None
    return advance(
        ports,
        event,
        status=EventStatus.FAILED,
        error=failure_of(execution),
        completed_at=ports.clock(),
    )


def failure_of(execution: Execution) -> EventFailure:
    """The reason in words that hold no user's text: our own errors say theirs, of others only the name."""
    type_, words = _ENDS[execution.status]
    if known := known_failure(execution.cause):
        return known
    if execution.error and _NAME.fullmatch(execution.error):
        words = f"{words} with {execution.error}"
    return EventFailure(type=type_, detail=words)


def known_failure(cause: str | None) -> EventFailure | None:
    """The error of ours that a Lambda function raised, as it answers then: errorType and errorMessage."""
    try:
        answer = json.loads(cause or "")
    except ValueError:
        return None
    if not isinstance(answer, dict) or answer.get("errorType") not in KNOWN_ERRORS:
        return None
    return EventFailure(type=answer["errorType"], detail=str(answer.get("errorMessage", "")))
