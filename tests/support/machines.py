"""The state machines step by step, without their waits: functions get JSON and answer JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from lambda_context import STATE_SECONDS, InvocationContext

from cognis_memory.errors import PERMANENT_ERRORS, RETRYABLE_ERRORS, SUPERSEDED_ERRORS
from cognis_memory.models.event import Event, EventKind
from cognis_memory.ports import Execution, ExecutionStatus

Json = dict[str, Any]
Handler = Callable[[Json, Any], Json]

ATTEMPTS = 7
"""Of one state: the first and six more."""

HANDLERS = {
    "StoreMessages": "store_messages",
    "ResolveSpeakersAndDates": "resolve_speakers_and_dates",
    "AcquireUserLease": "acquire_user_lease",
    "ExtractMemories": "extract_memories",
    "EmbedAndCommitMemories": "embed_and_commit_memories",
    "ReleaseUserLease": "release_user_lease",
    "RecordFailure": "record_failure",
    "EraseLedger": "erase_ledger",
    "ErasePayloads": "erase_payloads",
    "DropIndexes": "drop_indexes",
    "VerifyErasure": "verify_erasure",
}
"""The folders of the tasks' functions."""

FIRST = {EventKind.INGESTION: "StoreMessages", EventKind.ERASURE: "EraseLedger"}
"""The first state of each kind's machine."""

NEXT = {
    "StoreMessages": "ResolveSpeakersAndDates",
    "ResolveSpeakersAndDates": "AcquireUserLease",
    "WaitForLease": "AcquireUserLease",
    "EmbedAndCommitMemories": "ReleaseUserLease",
    "ReleaseUserLease": "IngestionSucceeded",
    "ErasePayloads": "DropIndexes",
    "DropIndexes": "VerifyErasure",
    "WaitForWriters": "EraseLedger",
}
AFTER_LEASE = {
    "ACQUIRED": "ExtractMemories",
    "WAITING": "WaitForLease",
    "NOT_NEEDED": "IngestionSucceeded",
}
AFTER_EXTRACTION = {True: "ExtractMemories", False: "EmbedAndCommitMemories"}
"""By whether there is an `extraction_left`."""

AFTER_LEDGER = {"LEFT": "EraseLedger", "ERASED": "ErasePayloads"}
AFTER_VERIFICATION = {"EMPTY": "ErasureSucceeded", "NOT_EMPTY": "WaitForWriters"}
ERASING = ("EraseLedger", "ErasePayloads", "DropIndexes", "VerifyErasure")
LOST = "Runtime.ExitError"
LEASED = ("ExtractMemories", "EmbedAndCommitMemories")


class Killed(BaseException):
    """The process of a function is no more: nothing in it can catch this."""


@dataclass(slots=True)
class Run:
    """One execution: its next state, that state's input, and the states behind it."""

    state: str
    input: Json
    arn: str
    status: ExecutionStatus = ExecutionStatus.RUNNING
    error: str | None = None
    cause: str | None = None
    history: list[str] = field(default_factory=list)
    waited: list[int] = field(default_factory=list)
    stop_date: int | None = None
    first_input: str = ""

    @property
    def running(self) -> bool:
        return self.status is ExecutionStatus.RUNNING

    def step(self) -> str:
        """Carries out the next state and returns its name."""
        state = self.state
        self.history.append(state)
        if state == "WaitForLease":
            self.waited.append(self.input["wait_seconds"])
            self.state = NEXT[state]
        elif state == "WaitForWriters":
            self.state = NEXT[state]
        else:
            self._run_task(state)
        if self.state in ("IngestionSucceeded", "ErasureSucceeded"):
            self.status = ExecutionStatus.SUCCEEDED
        return state

    def until(self, state: str) -> Run:
        """Runs up to, not through, that state."""
        while self.state != state:
            assert self.running, f"the execution ended with {self.status} before {state}"
            self.step()
        return self

    def finish(self) -> Run:
        while self.running:
            self.step()
        return self

    def redrive(self) -> Run:
        """Goes on from the state that failed."""
        assert self.status is ExecutionStatus.FAILED
        self.status, self.error, self.cause = ExecutionStatus.RUNNING, None, None
        return self

    def end(self, status: ExecutionStatus) -> Run:
        self.status = status
        return self

    def ended_event(self) -> Json:
        """What EventBridge says of its end."""
        return {
            "source": "aws.states",
            "detail-type": "Step Functions Execution Status Change",
            "detail": {
                "executionArn": self.arn,
                "name": self.arn.rsplit(":", 1)[1],
                "status": self.status.value,
                "startDate": 1_784_116_800_000,
                "stopDate": self.stop_date,
                "input": self.first_input,
                "output": None,
                "error": self.error,
                "cause": self.cause,
            },
        }

    def _run_task(self, state: str) -> None:
        name, cause = "", ""
        for _ in range(ATTEMPTS):
            try:
                output = invoke(HANDLERS[state], self.input)
            except Killed:
                name, cause = LOST, ""
            except Exception as error:  # noqa: BLE001 - as Lambda does
                name, cause = type(error).__name__, lambda_answer(error)
            else:
                self._go_on(state, output)
                return
            if name not in self._repeated_on(state):
                break
        self._catch(state, name, cause)

    def _repeated_on(self, state: str) -> tuple[str, ...]:
        return (LOST, *RETRYABLE_ERRORS, *(() if state in LEASED else SUPERSEDED_ERRORS))

    def _go_on(self, state: str, output: Json) -> None:
        if state == "RecordFailure":
            error = self.input["error"]
            self._fail(error["Error"], error["Cause"])
            return
        self.input = output
        self.state = self._following(state, output)

    def _following(self, state: str, output: Json) -> str:
        if state == "AcquireUserLease":
            return AFTER_LEASE[output["lease"]]
        if state == "ExtractMemories":
            return AFTER_EXTRACTION["extraction_left" in output]
        if state == "EraseLedger":
            return AFTER_LEDGER[output["ledger"]]
        if state == "VerifyErasure":
            return AFTER_VERIFICATION[output["stores"]]
        return NEXT[state]

    def _catch(self, state: str, name: str, cause: str) -> None:
        if state in LEASED and name in SUPERSEDED_ERRORS:
            self.state = "AcquireUserLease"
        elif state not in (*ERASING, "RecordFailure") and name in PERMANENT_ERRORS:
            ids = {key: self.input[key] for key in ("tenant_id", "event_id")}
            self.input = {"state": ids, "error": {"Error": name, "Cause": cause}}
            self.state = "RecordFailure"
        else:
            self._fail(name, cause)

    def _fail(self, error: str, cause: str) -> None:
        self.status, self.error, self.cause = ExecutionStatus.FAILED, error, cause


class Machines:
    """The `ExecutionStarter` port, whose executions the test steps through."""

    def __init__(self) -> None:
        self.runs: dict[str, Run] = {}

    def start(self, event: Event) -> None:
        given = event.reference.model_dump()
        machine = f"cognis-test-{event.kind}"
        arn = f"arn:aws:states:eu-central-1:123456789012:execution:{machine}:{event.execution_name}"
        run = Run(FIRST[event.kind], given, arn, first_input=json.dumps(given))
        self.runs.setdefault(event.execution_name, run)

    def execution_of(self, event: Event) -> Execution | None:
        run = self.runs.get(event.execution_name)
        return None if run is None else Execution(run.status, run.error, run.cause)


def invoke(function: str, event: Mapping[str, Any]) -> Json:
    """Calls the function in that folder with the event as JSON, and reads its answer from JSON."""
    handler: Handler = import_module(f"functions.{function}.handler").handle
    context = InvocationContext(function, seconds=STATE_SECONDS)
    answer: Json = json.loads(json.dumps(handler(json.loads(json.dumps(event)), context)))
    return answer


def lambda_answer(error: Exception) -> str:
    """What Lambda answers when a handler raises."""
    return json.dumps(
        {"errorMessage": str(error), "errorType": type(error).__name__, "requestId": "r", "stackTrace": []}
    )
