"""What the schedule finds to do: work without an execution, executions without an end, indexes behind."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from machines import Killed, invoke

from cognis_memory.errors import ExecutionUnavailable, ModelMismatch
from cognis_memory.models.event import Event, EventStatus
from cognis_memory.models.values import Owner
from cognis_memory.ports import ExecutionStatus
from cognis_memory.services.sweep import IDLE

from .conftest import TENANT, Stage

LATER = IDLE + timedelta(seconds=1)
NOTHING = {"started": 0, "failed": 0, "projected": 0, "expired": 0, "faults": 0}


def test_accepted_work_without_an_execution_is_started_once_it_is_idle(stage: Stage) -> None:
    event = stage.accept("ana", "My home is Tokyo.")
    assert stage.sweep() == NOTHING
    stage.clock.advance(LATER)

    assert stage.sweep() == {**NOTHING, "started": 1}
    run = stage.machines.runs[event.id].finish()
    assert stage.event(run).status is EventStatus.SUCCEEDED
    stage.clock.advance(LATER)
    assert stage.sweep() == NOTHING


def test_a_start_that_fails_leaves_the_event_for_the_next_sweep(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its caller is told that it was accepted, and one that fails does not keep the others waiting."""
    refused = stage.accept("ana", "My home is Tokyo.")
    started = stage.accept("bob", "My home is Nara.")
    start = stage.machines.start

    def refuse_one(event: Event) -> None:
        if event.id == refused.id:
            raise ExecutionUnavailable("StartExecution: ThrottlingException")
        start(event)

    stage.clock.advance(LATER)
    with monkeypatch.context() as patched:
        patched.setattr(stage.machines, "start", refuse_one)
        assert stage.sweep() == {**NOTHING, "started": 1, "faults": 1}
    assert [*stage.machines.runs] == [started.id]
    assert stage.sweep() == {**NOTHING, "started": 1}
    assert [*stage.machines.runs] == [started.id, refused.id]


def test_an_event_whose_execution_runs_is_left_alone_however_long(stage: Stage) -> None:
    run = stage.post("ana", "My home is Tokyo.").until("ExtractMemories")
    stage.clock.advance(timedelta(days=30))
    before = stage.held(run)

    assert stage.sweep() == NOTHING
    assert stage.held(run) == before


@pytest.mark.parametrize("status", [ExecutionStatus.FAILED, ExecutionStatus.TIMED_OUT])
def test_an_event_whose_execution_ended_unnoticed_is_failed_and_its_lease_freed(
    stage: Stage, status: ExecutionStatus
) -> None:
    run = stage.post("ana", "My home is Tokyo.").until("ExtractMemories").end(status)
    stage.clock.advance(LATER)

    assert stage.sweep() == {**NOTHING, "failed": 1}
    event = stage.event(run)
    assert event.status is EventStatus.FAILED
    assert event.error is not None
    assert event.error.type == {"FAILED": "ExecutionFailed", "TIMED_OUT": "ExecutionTimedOut"}[status]
    assert "WaitForLease" not in stage.post("ana", "My home is Kyoto.").finish().history
    assert stage.sweep() == NOTHING


def test_one_that_died_before_its_first_state_is_failed_too(stage: Stage) -> None:
    run = stage.post("ana", "My home is Tokyo.").end(ExecutionStatus.ABORTED)
    stage.clock.advance(LATER)

    assert stage.sweep() == {**NOTHING, "failed": 1}
    assert stage.event(run).stage is None


def test_an_erasure_that_was_asked_for_and_not_started_is_carried_out(stage: Stage) -> None:
    stage.tell("ana", "My home is Tokyo.")
    run = stage.request_erasure("ana")
    stage.machines.runs.clear()
    stage.clock.advance(LATER)

    assert stage.sweep() == {**NOTHING, "started": 1}
    again = stage.machines.runs[stage.held(run).id].finish()
    assert again.history == ["EraseLedger", "ErasePayloads", "DropIndexes", "VerifyErasure"]
    assert stage.event(run).status is EventStatus.SUCCEEDED


def test_an_erasure_whose_execution_died_is_failed_and_a_redrive_ends_it(stage: Stage) -> None:
    stage.tell("ana", "My home is Tokyo.")
    run = stage.request_erasure("ana").end(ExecutionStatus.FAILED)
    stage.clock.advance(LATER)

    assert stage.sweep() == {**NOTHING, "failed": 1}
    assert stage.event(run).status is EventStatus.FAILED
    run.redrive().finish()
    assert stage.event(run).status is EventStatus.SUCCEEDED
    assert [*stage.deployment.ledger.iterate_messages(Owner(TENANT, "ana"))] == []


def behind(stage: Stage, user_id: str, text: str) -> None:
    """A message that is in the ledger and in no index, for its process died in between."""
    run = stage.post(user_id, text)
    stage.kill_after("commit")
    with pytest.raises(Killed):
        invoke("store_messages", run.input)


def test_what_is_committed_and_in_no_index_is_projected(stage: Stage) -> None:
    behind(stage, "ana", "I adore thunderstorms.")
    assert stage.sweep() == NOTHING
    stage.clock.advance(LATER)

    assert stage.sweep() == {**NOTHING, "projected": 1}
    assert stage.found("ana", "thunderstorms", include_messages=True) == ["I adore thunderstorms."]
    assert stage.sweep() == NOTHING


@pytest.mark.parametrize("error", [ModelMismatch("another model"), RuntimeError("I adore thunderstorms.")])
def test_a_user_whose_index_fails_does_not_keep_the_others_behind(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    for user_id in ("ana", "bob", "eve"):
        behind(stage, user_id, "I adore thunderstorms.")
    stage.clock.advance(LATER)
    apply = stage.deployment.index.apply

    def fail_for_ana(owner: Owner, *rest: Any) -> None:
        if owner.user_id == "ana":
            raise error
        apply(owner, *rest)

    stage.lines()
    with monkeypatch.context() as patched:
        patched.setattr(stage.deployment.index, "apply", fail_for_ana)
        assert stage.sweep() == {**NOTHING, "projected": 2, "faults": 1}
    assert "thunderstorms" not in str(stage.lines())
    assert stage.found("bob", "thunderstorms", include_messages=True) == ["I adore thunderstorms."]
    assert stage.sweep() == {**NOTHING, "projected": 1}


def test_a_sweep_tells_what_it_did(stage: Stage) -> None:
    stage.accept("ana", "My home is Tokyo.")
    stage.post("bob", "My home is Nara.").end(ExecutionStatus.FAILED)
    stage.clock.advance(LATER)
    stage.lines()
    stage.sweep()
    lines = stage.lines()

    (line,) = [line for line in lines if line.get("message") == "sweep"]
    assert {name: line[name] for name in NOTHING} == {**NOTHING, "started": 1, "failed": 1}
    (ended,) = [line for line in lines if line.get("message") == "memory_ingestion"]
    assert (ended["status"], ended["error"]) == ("FAILED", "ExecutionFailed")
    metrics = [line for line in lines if "SweepStarted" in line]
    assert [metric["SweepStarted"] for metric in metrics] == [[1.0]]


def test_what_has_expired_is_removed(stage: Stage) -> None:
    soon = (stage.clock() + LATER).isoformat()
    stage.post("ana", "I adore thunderstorms.", expires_at=soon).finish()
    stage.tell("ana", "My home is Nara.")
    stage.clock.advance(2 * LATER)

    assert stage.sweep() == {**NOTHING, "expired": 1}
    (message,) = stage.deployment.ledger.iterate_messages(Owner(TENANT, "ana"))
    assert message.content == "My home is Nara."
    assert stage.sweep() == NOTHING
