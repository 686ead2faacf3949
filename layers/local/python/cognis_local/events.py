"""Carries out accepted events in this process: at once, or at the next start when a crash left them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from cognis_local.pipeline import run_ingestion
from cognis_local.transfers import run_export, run_import
from cognis_memory.errors import CognisError, UnexpectedError, places
from cognis_memory.models.event import Event, EventKind
from cognis_memory.models.values import Owner
from cognis_memory.ports import Execution, ExecutionStatus
from cognis_memory.services.executions import record_end
from cognis_memory.services.expiry import expired_documents, remove_expired
from cognis_memory.services.ingestion.state import IngestionPorts, IngestionState
from cognis_memory.services.memories.erasing import erase_user
from cognis_memory.services.memories.ports import MemoryPorts
from cognis_memory.services.sweep import idle_events, owners_behind
from cognis_memory.services.transfer.state import TransferPorts

_log = logging.getLogger(__name__)


def carry_out(
    ingestion: IngestionPorts, memories: MemoryPorts, transfers: TransferPorts, event: Event
) -> None:
    """Runs an event to its end, which is FAILED with the name of an error that nobody foresaw.

    Such an error is logged, as a state machine logs it. Raises what the runs of each kind raise.
    """
    try:
        match event.kind:
            case EventKind.INGESTION:
                run_ingestion(ingestion, IngestionState(tenant_id=event.tenant_id, event_id=event.id))
            case EventKind.ERASURE:
                erase_user(memories, event.reference)
            case EventKind.EXPORT:
                run_export(transfers, ingestion, event.reference)
            case EventKind.IMPORT:
                run_import(transfers, ingestion, event.reference)
    except CognisError:
        raise
    except Exception as error:  # noqa: BLE001 - as for a state machine, whatever it is
        name = type(error).__name__
        _log.error("event %s met an unexpected %s at %s", event.id, name, "; ".join(places(error)))
        record_end(ingestion, event.reference, Execution(ExecutionStatus.FAILED, name))


def resume(
    ingestion: IngestionPorts, memories: MemoryPorts, transfers: TransferPorts, idle: timedelta
) -> list[Event]:
    """Carries out what nothing has moved for `idle`, catches up indexes that are behind and removes what has
    expired.

    Returns the events as they were before. Raises the first fault once everything else is finished.
    """
    now = ingestion.clock()
    waiting = idle_events(ingestion.ledger, now, idle=idle)
    steps: list[Callable[[], object]] = [
        partial(carry_out, ingestion, memories, transfers, event) for event in waiting
    ]
    steps += [
        partial(_catch_up, ingestion, owner)
        for owner in owners_behind(ingestion.ledger, now, idle=timedelta(0))
    ]
    steps += [
        partial(remove_expired, memories, owner, ids)
        for owner, ids in expired_documents(ingestion.ledger, now).items()
    ]
    faults = [fault for step in steps if (fault := _fault_of(step))]
    if faults:
        raise faults[0]
    return waiting


def _catch_up(ingestion: IngestionPorts, owner: Owner) -> None:
    try:
        ingestion.projector.catch_up(owner)
    except CognisError:
        raise
    except Exception as error:
        raise UnexpectedError(f"{type(error).__name__} while an index caught up with the ledger") from error


def _fault_of(step: Callable[[], object]) -> CognisError | None:
    """What kept a piece of work from its end, so that the others still come to theirs."""
    try:
        step()
    except CognisError as error:
        return error
    return None
