"""Runs exports and imports in one process, by the same rules as their state machines."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cognis_local.pipeline import DEFAULT_RETRIES, SUPERSEDED, RetryPolicy, acquire, attempt, back_off
from cognis_memory.errors import CognisError
from cognis_memory.models.event import EventFailure, EventReference
from cognis_memory.services.ingestion.failure import record_failure
from cognis_memory.services.ingestion.lease import release_user_lease
from cognis_memory.services.ingestion.state import IngestionPorts, IngestionState, LeaseAnswer
from cognis_memory.services.transfer.exporting import export_user
from cognis_memory.services.transfer.importing import import_user
from cognis_memory.services.transfer.state import TransferPorts
from cognis_memory.services.transfer.undoing import undo_import
from cognis_memory.services.transfer.uploads import check_upload


def run_export(
    ports: TransferPorts,
    ingestion: IngestionPorts,
    reference: EventReference,
    retries: RetryPolicy = DEFAULT_RETRIES,
) -> None:
    """Ends the event; raises a transient error, or a conflict with other runs, after its last attempt."""

    def run() -> None:
        attempt(partial(export_user, ports, reference), retries, also=SUPERSEDED)

    _ending(ingestion, reference, retries, run)


def run_import(
    ports: TransferPorts,
    ingestion: IngestionPorts,
    reference: EventReference,
    retries: RetryPolicy = DEFAULT_RETRIES,
) -> None:
    """Imports the file that lies where the event's upload belongs; see `run_export`."""

    def run() -> None:
        attempt(partial(check_upload, ports, reference), retries, also=SUPERSEDED)
        _take_over(ports, ingestion, reference, retries)

    def undo() -> None:
        attempt(partial(undo_import, ports, reference), retries, also=SUPERSEDED)

    _ending(ingestion, reference, retries, run, undo)


def _ending(
    ingestion: IngestionPorts,
    reference: EventReference,
    retries: RetryPolicy,
    run: Callable[[], None],
    undo: Callable[[], None] | None = None,
) -> None:
    """Runs it; after an error for good, undoes it and records the error on the event."""
    try:
        run()
    except CognisError as error:
        if error.retryable or isinstance(error, SUPERSEDED):
            raise
        if undo is not None:
            undo()
        failure = EventFailure(type=error.code, detail=str(error))
        attempt(partial(record_failure, ingestion, _state(reference), failure), retries, also=SUPERSEDED)


def _take_over(
    ports: TransferPorts, ingestion: IngestionPorts, reference: EventReference, retries: RetryPolicy
) -> None:
    """Acquires the lease and imports line by line; whoever is overtaken in between acquires it again."""
    for round_number in range(1, retries.rounds + 1):
        state = acquire(ingestion, _state(reference), retries)
        try:
            while state.lease is LeaseAnswer.ACQUIRED:
                state = attempt(partial(import_user, ports, state), retries)
        except SUPERSEDED:
            if round_number == retries.rounds:
                raise
        else:
            return
        finally:
            attempt(partial(release_user_lease, ingestion, state), retries)
        back_off(retries, round_number)


def _state(reference: EventReference) -> IngestionState:
    return IngestionState(tenant_id=reference.tenant_id, event_id=reference.event_id)
