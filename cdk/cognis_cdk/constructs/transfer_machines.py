"""The state machines that export a user's memories to a file and import them from one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_stepfunctions as sfn
from aws_cdk import aws_stepfunctions_tasks as tasks
from constructs import Construct

from cognis_cdk.constructs.states import task
from cognis_cdk.functions import (
    ACQUIRE_USER_LEASE,
    CHECK_UPLOAD,
    EXPORT_USER,
    FIND_UPLOAD,
    IMPORT_USER,
    RECORD_FAILURE,
    RELEASE_USER_LEASE,
    UNDO_IMPORT,
    FunctionSpec,
)
from cognis_memory.errors import PERMANENT_ERRORS, SUPERSEDED_ERRORS

EXPORT_COMMENT: Final = "Writes everything that is held of one user to a file"
IMPORT_COMMENT: Final = "Waits for the file of an export, checks it, and makes it the memories of one user"

_ERROR_PATH: Final = "$.error"
_REFERENCE: Final = {
    "tenant_id": sfn.JsonPath.string_at("$.tenant_id"),
    "event_id": sfn.JsonPath.string_at("$.event_id"),
}


class _TransferStates:
    """What both machines share: their tasks, and the end of what cannot go on."""

    def __init__(
        self, scope: Construct, functions: Mapping[FunctionSpec, lambda_.Function], name: str
    ) -> None:
        """`name` is Export or Import."""
        self._scope = scope
        self._functions = functions
        self._name = name

    def _succeed(self, comment: str) -> sfn.Succeed:
        return sfn.Succeed(self._scope, f"{self._name}Succeeded", comment=comment)

    def _state(self, spec: FunctionSpec, *, superseded: sfn.IChainable | None = None) -> tasks.LambdaInvoke:
        """A task that is repeated when its work was superseded, or leads to `superseded` then."""
        state = task(
            self._scope,
            spec.id,
            self._functions[spec],
            comment=spec.description,
            repeated_on=() if superseded else SUPERSEDED_ERRORS,
        )
        if superseded is not None:
            state.add_catch(superseded, errors=list(SUPERSEDED_ERRORS), result_path=sfn.JsonPath.DISCARD)
        return state

    def _on_failure(self, spec: FunctionSpec, payload: Mapping[str, object]) -> tasks.LambdaInvoke:
        """A task on the way of a failure, which keeps the error in its place."""
        return task(
            self._scope,
            spec.id,
            self._functions[spec],
            comment=spec.description,
            repeated_on=SUPERSEDED_ERRORS,
            payload=sfn.TaskInput.from_object(dict(payload)),
            result_path=sfn.JsonPath.DISCARD,
        )

    def _record_failure(self) -> tasks.LambdaInvoke:
        payload = {"state": _REFERENCE, "error": sfn.JsonPath.object_at(_ERROR_PATH)}
        state = self._on_failure(RECORD_FAILURE, payload)
        state.next(
            sfn.Fail(
                self._scope,
                f"{self._name}Failed",
                error_path=f"{_ERROR_PATH}.Error",
                cause_path=f"{_ERROR_PATH}.Cause",
                comment="The event says FAILED and why",
            )
        )
        return state


class ExportStates(_TransferStates):
    """The states of an export; `start` is the first."""

    def __init__(self, scope: Construct, functions: Mapping[FunctionSpec, lambda_.Function]) -> None:
        super().__init__(scope, functions, "Export")
        self.start = self._state(EXPORT_USER)
        self.start.add_catch(self._record_failure(), errors=list(PERMANENT_ERRORS), result_path=_ERROR_PATH)
        self.start.next(self._succeed("Whoever reads the event finds a link to the file"))


class ImportStates(_TransferStates):
    """The states of an import; `start` is the first.

    What an import that cannot be finished has written is taken back before its event says FAILED.
    """

    def __init__(self, scope: Construct, functions: Mapping[FunctionSpec, lambda_.Function]) -> None:
        super().__init__(scope, functions, "Import")
        self._end = self._succeed("The memories are found by the next search")
        self._undo = self._on_failure(UNDO_IMPORT, _REFERENCE)
        recorded = self._record_failure()
        self._undo.add_catch(recorded, errors=list(PERMANENT_ERRORS), result_path=sfn.JsonPath.DISCARD)
        self._undo.next(recorded)
        self._acquire = self._undone(self._state(ACQUIRE_USER_LEASE))
        self.start = self._undone(self._state(FIND_UPLOAD))
        self.start.next(self._is_upload_there())
        self._acquire.next(self._is_lease_acquired())

    def _undone(self, state: tasks.LambdaInvoke) -> tasks.LambdaInvoke:
        state.add_catch(self._undo, errors=list(PERMANENT_ERRORS), result_path=_ERROR_PATH)
        return state

    def _is_upload_there(self) -> sfn.Choice:
        """Whoever has to wait waits here, where it costs nothing."""
        answer = sfn.Choice(self._scope, "IsUploadThere", comment="NOT_NEEDED: an earlier run ended it")
        checked = self._undone(self._state(CHECK_UPLOAD)).next(self._acquire)
        waits = self._wait("WaitForUpload", "The caller has the link, and an hour").next(self.start)
        answer.when(sfn.Condition.string_equals("$.upload", "FOUND"), checked)
        answer.when(sfn.Condition.string_equals("$.upload", "WAITING"), waits)
        answer.when(sfn.Condition.string_equals("$.upload", "NOT_NEEDED"), self._end)
        return answer

    def _is_lease_acquired(self) -> sfn.Choice:
        """An import of many lines comes back here with its lease, until there are no more."""
        answer = sfn.Choice(self._scope, "IsLeaseAcquired", comment="NOT_NEEDED: every line is imported")
        imports = self._undone(self._state(IMPORT_USER, superseded=self._acquire)).next(answer)
        waits = self._wait("WaitForLease", "Another work on this user is under way").next(self._acquire)
        ends = self._state(RELEASE_USER_LEASE).next(self._end)
        answer.when(sfn.Condition.string_equals("$.lease", "ACQUIRED"), imports)
        answer.when(sfn.Condition.string_equals("$.lease", "WAITING"), waits)
        answer.when(sfn.Condition.string_equals("$.lease", "NOT_NEEDED"), ends)
        return answer

    def _wait(self, name: str, comment: str) -> sfn.Wait:
        time = sfn.WaitTime.seconds_path("$.wait_seconds")
        return sfn.Wait(self._scope, name, time=time, comment=comment)
