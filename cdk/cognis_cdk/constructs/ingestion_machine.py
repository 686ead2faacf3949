"""The state machine that takes one request's messages in."""

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
    EMBED_AND_COMMIT_MEMORIES,
    EXTRACT_MEMORIES,
    RECORD_FAILURE,
    RELEASE_USER_LEASE,
    RESOLVE_SPEAKERS_AND_DATES,
    STORE_MESSAGES,
    FunctionSpec,
)
from cognis_memory.errors import PERMANENT_ERRORS, SUPERSEDED_ERRORS

COMMENT: Final = "Turns the messages of one request into memories; an execution is named after its event"

_LEASED: Final = (EXTRACT_MEMORIES, EMBED_AND_COMMIT_MEMORIES)
"""Superseded while they work, these begin again with a new lease, where others are simply repeated."""

_ERROR_PATH: Final = "$.error"


class IngestionStates:
    """The states and how they follow each other; `start` is the first."""

    def __init__(self, scope: Construct, functions: Mapping[FunctionSpec, lambda_.Function]) -> None:
        self._scope = scope
        self._functions = functions
        self._end = sfn.Succeed(scope, "IngestionSucceeded", comment="The event says SUCCEEDED")
        self._failure = self._record_failure()
        self._acquire = self._state(ACQUIRE_USER_LEASE)
        self.start = self._state(STORE_MESSAGES)
        self.start.next(self._state(RESOLVE_SPEAKERS_AND_DATES)).next(self._acquire).next(self._choice())

    def _choice(self) -> sfn.Choice:
        """Whoever has to wait waits here, where it costs nothing."""
        wait = sfn.Wait(
            self._scope,
            "WaitForLease",
            time=sfn.WaitTime.seconds_path("$.wait_seconds"),
            comment="Another ingestion of this user is under way",
        )
        answer = sfn.Choice(self._scope, "IsLeaseAcquired", comment="NOT_NEEDED: an earlier run ended it")
        answer.when(sfn.Condition.string_equals("$.lease", "ACQUIRED"), self._leased())
        answer.when(sfn.Condition.string_equals("$.lease", "WAITING"), wait.next(self._acquire))
        answer.when(sfn.Condition.string_equals("$.lease", "NOT_NEEDED"), self._end)
        return answer

    def _leased(self) -> sfn.Chain:
        """What is long is extracted a minute's worth at a time."""
        extract, commit = self._state(EXTRACT_MEMORIES), self._state(EMBED_AND_COMMIT_MEMORIES)
        commit.next(self._state(RELEASE_USER_LEASE)).next(self._end)
        left = sfn.Choice(self._scope, "IsExtractionLeft", comment="Messages that the run had no time for")
        left.when(sfn.Condition.is_present("$.extraction_left"), extract).otherwise(commit)
        return extract.next(left)

    def _state(self, spec: FunctionSpec) -> tasks.LambdaInvoke:
        """A task whose permanent errors end the event, and whose unforeseen ones fail the execution as it is.

        That one can then be redriven; what fails it is on the event by the rule on ended executions.
        """
        leased = spec in _LEASED
        state = task(
            self._scope,
            spec.id,
            self._functions[spec],
            comment=spec.description,
            repeated_on=() if leased else SUPERSEDED_ERRORS,
        )
        if leased:
            state.add_catch(self._acquire, errors=list(SUPERSEDED_ERRORS), result_path=sfn.JsonPath.DISCARD)
        state.add_catch(self._failure, errors=list(PERMANENT_ERRORS), result_path=_ERROR_PATH)
        return state

    def _record_failure(self) -> tasks.LambdaInvoke:
        state = task(
            self._scope,
            RECORD_FAILURE.id,
            self._functions[RECORD_FAILURE],
            comment=RECORD_FAILURE.description,
            repeated_on=SUPERSEDED_ERRORS,
            payload=sfn.TaskInput.from_object(
                {
                    "state": {
                        "tenant_id": sfn.JsonPath.string_at("$.tenant_id"),
                        "event_id": sfn.JsonPath.string_at("$.event_id"),
                    },
                    "error": sfn.JsonPath.object_at(_ERROR_PATH),
                }
            ),
            result_path=sfn.JsonPath.DISCARD,
        )
        state.next(
            sfn.Fail(
                self._scope,
                "IngestionFailed",
                error_path=f"{_ERROR_PATH}.Error",
                cause_path=f"{_ERROR_PATH}.Cause",
                comment="The event says FAILED and why",
            )
        )
        return state
