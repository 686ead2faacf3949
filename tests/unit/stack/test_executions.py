"""Histories of executions as AWS writes them, read state by state."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from cognis_local.stack.executions import Execution, state_runs
from cognis_local.stack.views import execution_view, failure_line

START = datetime(2026, 11, 30, 12, tzinfo=UTC)


def history(*events: tuple[str, str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Events a second apart, each its type, the name of its details, and these."""
    return [
        {"id": number, "timestamp": START + timedelta(seconds=number), "type": kind, details: content}
        for number, (kind, details, content) in enumerate(events)
    ]


def entered(name: str, input_: str = "{}") -> tuple[str, str, dict[str, Any]]:
    return "TaskStateEntered", "stateEnteredEventDetails", {"name": name, "input": input_}


def left(name: str, output: str = "{}") -> tuple[str, str, dict[str, Any]]:
    return "TaskStateExited", "stateExitedEventDetails", {"name": name, "output": output}


def failed(kind: str, details: str) -> tuple[str, str, dict[str, Any]]:
    cause = json.dumps({"errorType": "LedgerUnavailable", "errorMessage": "the ledger is away"})
    return kind, details, {"error": "LedgerUnavailable", "cause": cause}


def test_a_state_that_is_entered_twice_stands_twice() -> None:
    events = history(entered("Acquire", "1"), left("Acquire", "2"), entered("Wait", "2"), left("Wait", "3"),
                     entered("Acquire", "3"))  # fmt: skip
    first, wait, second = state_runs(events)
    assert (first.input, first.output, first.left) == ("1", "2", START + timedelta(seconds=1))
    assert (wait.name, wait.entered, wait.left) == ("Wait", *(START + timedelta(seconds=s) for s in (2, 3)))
    assert (second.input, second.output, second.left) == ("3", None, None)


@pytest.mark.parametrize(
    ("kind", "details"),
    [
        ("TaskFailed", "taskFailedEventDetails"),
        ("LambdaFunctionFailed", "lambdaFunctionFailedEventDetails"),
        ("LambdaFunctionTimedOut", "lambdaFunctionTimedOutEventDetails"),
    ],
)
def test_failed_attempts_belong_to_their_state(kind: str, details: str) -> None:
    end = ("ExecutionFailed", "executionFailedEventDetails", {"error": "LedgerUnavailable", "cause": ""})
    (state,) = state_runs(history(entered("Store"), failed(kind, details), failed(kind, details), end))
    assert [failure_line(*failure) for failure in state.failures] == [
        "LedgerUnavailable: the ledger is away"
    ] * 2


@pytest.mark.parametrize(
    ("cause", "line"), [("", "X"), ("plain words", "X: plain words"), ('{"other": 1}', 'X: {"other": 1}')]
)
def test_a_cause_is_shown_whatever_its_form(cause: str, line: str) -> None:
    assert failure_line("X", cause) == line


def test_an_execution_shows_inputs_outputs_failures_and_what_is_under_way() -> None:
    states = state_runs(
        history(
            entered("Store", '{"a": 1}'),
            failed("TaskFailed", "taskFailedEventDetails"),
            left("Store", '{"a": 2}'),
            entered("Extract"),
        )
    )
    execution = Execution("ingestion", "evt_1", "RUNNING", START, None, None, None, states)
    shown = execution_view(execution).plain.splitlines()
    assert shown[0].split() == ["evt_1", "ingestion", "RUNNING", "2026-11-30", "12:00:00"]
    assert [line.split(maxsplit=1) for line in shown[1:5]] == [
        ["Store", "2.00 s"],
        ["in", '{"a": 1}'],
        ["failed", "attempt: LedgerUnavailable: the ledger is away"],
        ["out", '{"a": 2}'],
    ]
    assert shown[5].split() == ["Extract", "under", "way"]
