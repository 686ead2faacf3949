"""The state machine that erases one user."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aws_cdk import Duration
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_stepfunctions as sfn
from aws_cdk import aws_stepfunctions_tasks as tasks
from constructs import Construct

from cognis_cdk.constructs.states import task
from cognis_cdk.functions import (
    DROP_INDEXES,
    ERASE_LEDGER,
    ERASE_PAYLOADS,
    VERIFY_ERASURE,
    FunctionSpec,
)
from cognis_memory.errors import SUPERSEDED_ERRORS

COMMENT: Final = "Removes everything of one user from every store, and looks whether it is gone"

_PAUSE: Final = Duration.seconds(20)


class ErasureStates:
    """The states and how they follow each other; `start` is the first.

    No error is caught: an erasure that fails does so as it is, so that it can be redriven. Its reason is on
    the event by the rule on ended executions.
    """

    def __init__(self, scope: Construct, functions: Mapping[FunctionSpec, lambda_.Function]) -> None:
        self._scope = scope
        self._functions = functions
        self.start = self._state(ERASE_LEDGER)
        self.start.next(self._is_ledger_erased())

    def _is_ledger_erased(self) -> sfn.Choice:
        answer = sfn.Choice(self._scope, "IsLedgerErased", comment="LEFT: there is more than one run removes")
        answer.when(sfn.Condition.string_equals("$.ledger", "LEFT"), self.start)
        answer.when(
            sfn.Condition.string_equals("$.ledger", "ERASED"),
            self._state(ERASE_PAYLOADS)
            .next(self._state(DROP_INDEXES))
            .next(self._state(VERIFY_ERASURE))
            .next(self._is_everything_erased()),
        )
        return answer

    def _is_everything_erased(self) -> sfn.Choice:
        """What is found again was written by something that began before the erasure: it gets time to end."""
        wait = sfn.Wait(
            self._scope,
            "WaitForWriters",
            time=sfn.WaitTime.duration(_PAUSE),
            comment="Something that had begun before the erasure wrote meanwhile",
        )
        end = sfn.Succeed(
            self._scope, "ErasureSucceeded", comment="The event counts what was removed from each store"
        )
        answer = sfn.Choice(self._scope, "IsEverythingErased", comment="NOT_EMPTY: all is erased once more")
        answer.when(sfn.Condition.string_equals("$.stores", "EMPTY"), end)
        answer.when(sfn.Condition.string_equals("$.stores", "NOT_EMPTY"), wait.next(self.start))
        return answer

    def _state(self, spec: FunctionSpec) -> tasks.LambdaInvoke:
        return task(
            self._scope,
            spec.id,
            self._functions[spec],
            comment=spec.description,
            repeated_on=SUPERSEDED_ERRORS,
        )
