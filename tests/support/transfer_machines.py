"""The state machines of exports and imports step by step, without their waits, as `machines` has the others.

`tests/infrastructure/test_transfer_machines.py` holds these tables against the synthesised definitions.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from machines import ATTEMPTS, LOST, Json, Killed, invoke, lambda_answer

from cognis_memory.errors import PERMANENT_ERRORS, RETRYABLE_ERRORS, SUPERSEDED_ERRORS
from cognis_memory.models.event import Event, EventKind
from cognis_memory.ports import Execution, ExecutionStatus

FIRST = {EventKind.EXPORT: "ExportUser", EventKind.IMPORT: "FindUpload"}

TASKS = {
    "ExportUser": "export_user",
    "FindUpload": "find_upload",
    "CheckUpload": "check_upload",
    "AcquireUserLease": "acquire_user_lease",
    "ImportUser": "import_user",
    "ReleaseUserLease": "release_user_lease",
    "UndoImport": "undo_import",
    "RecordFailure": "record_failure",
}
"""The folders of the tasks' functions."""

NEXT = {
    "ExportUser": "ExportSucceeded",
    "FindUpload": "IsUploadThere",
    "WaitForUpload": "FindUpload",
    "CheckUpload": "AcquireUserLease",
    "AcquireUserLease": "IsLeaseAcquired",
    "WaitForLease": "AcquireUserLease",
    "ImportUser": "IsLeaseAcquired",
    "ReleaseUserLease": "ImportSucceeded",
    "UndoImport": "RecordFailure",
}
AFTER_UPLOAD = {"FOUND": "CheckUpload", "WAITING": "WaitForUpload", "NOT_NEEDED": "ImportSucceeded"}
AFTER_LEASE = {"ACQUIRED": "ImportUser", "WAITING": "WaitForLease", "NOT_NEEDED": "ReleaseUserLease"}
CHOICES = {"IsUploadThere": ("upload", AFTER_UPLOAD), "IsLeaseAcquired": ("lease", AFTER_LEASE)}
ON_FAILURE = {
    "ExportUser": "RecordFailure",
    **dict.fromkeys(("FindUpload", "CheckUpload", "AcquireUserLease", "ImportUser"), "UndoImport"),
    "UndoImport": "RecordFailure",
}
"""Where permanent errors lead."""

SUPERSEDED_TO = {"ImportUser": "AcquireUserLease"}


@dataclass(slots=True)
class TransferRun:
    """One execution: its next state, that state's input, and the states behind it."""

    state: str
    input: Json
    status: ExecutionStatus = ExecutionStatus.RUNNING
    error: str | None = None
    cause: str | None = None
    history: list[str] = field(default_factory=list)
    waited: list[int] = field(default_factory=list)

    def finish(self) -> TransferRun:
        while self.status is ExecutionStatus.RUNNING:
            self.step()
        return self

    def until(self, state: str) -> TransferRun:
        """Runs up to, not through, that state."""
        while self.state != state:
            assert self.status is ExecutionStatus.RUNNING, (self.error, self.cause, self.history)
            self.step()
        return self

    def redrive(self) -> TransferRun:
        """Goes on from the state that failed."""
        assert self.status is ExecutionStatus.FAILED
        self.status, self.error, self.cause = ExecutionStatus.RUNNING, None, None
        return self

    def step(self) -> None:
        state = self.state
        self.history.append(state)
        if state.endswith("Succeeded"):
            self.status = ExecutionStatus.SUCCEEDED
        elif state in CHOICES:
            name, targets = CHOICES[state]
            self.state = targets[self.input[name]]
        elif state.startswith("Wait"):
            self.waited.append(self.input["wait_seconds"])
            self.state = NEXT[state]
        else:
            self._run_task(state)

    def _run_task(self, state: str) -> None:
        repeated = (LOST, *RETRYABLE_ERRORS, *(() if state in SUPERSEDED_TO else SUPERSEDED_ERRORS))
        name, cause = "", ""
        for _ in range(ATTEMPTS):
            try:
                self._go_on(state, invoke(TASKS[state], self._payload(state)))
            except Killed:
                name, cause = LOST, ""
            except Exception as error:  # noqa: BLE001 - as Lambda does
                name, cause = type(error).__name__, lambda_answer(error)
            else:
                return
            if name not in repeated:
                break
        self._catch(state, name, cause)

    def _payload(self, state: str) -> Json:
        ids = {key: self.input[key] for key in ("tenant_id", "event_id")}
        if state == "UndoImport":
            return ids
        return {"state": ids, "error": self.input["error"]} if state == "RecordFailure" else self.input

    def _go_on(self, state: str, output: Json) -> None:
        if state == "RecordFailure":
            self._fail(self.input["error"]["Error"], self.input["error"]["Cause"])
        elif state == "UndoImport":
            self.state = NEXT[state]
        else:
            self.input, self.state = output, NEXT[state]

    def _catch(self, state: str, name: str, cause: str) -> None:
        if name in SUPERSEDED_ERRORS and state in SUPERSEDED_TO:
            self.state = SUPERSEDED_TO[state]
        elif name in PERMANENT_ERRORS and state in ON_FAILURE:
            if state != "UndoImport":
                self.input = {**self.input, "error": {"Error": name, "Cause": cause}}
            self.state = ON_FAILURE[state]
        else:
            self._fail(name, cause)

    def _fail(self, error: str, cause: str) -> None:
        self.status, self.error, self.cause = ExecutionStatus.FAILED, error, cause


class TransferMachines:
    """The `ExecutionStarter` port for exports and imports; `others` starts what else there is."""

    def __init__(self, others: Callable[[Event], None]) -> None:
        self.runs: dict[str, TransferRun] = {}
        self._others = others

    def start(self, event: Event) -> None:
        if event.kind not in FIRST:
            self._others(event)
            return
        given = json.loads(event.reference.model_dump_json())
        self.runs.setdefault(event.execution_name, TransferRun(FIRST[event.kind], given))

    def execution_of(self, event: Event) -> Execution | None:
        run = self.runs.get(event.execution_name)
        return None if run is None else Execution(run.status, run.error, run.cause)
