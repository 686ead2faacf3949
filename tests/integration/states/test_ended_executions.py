"""Executions that died without a word: their events say so, their leases are free, a redrive goes on."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fakes import Failing
from machines import Run, invoke

from cognis_memory.errors import EmbeddingUnavailable, ExtractionUnavailable
from cognis_memory.models.event import EventStatus
from cognis_memory.models.values import Owner
from cognis_memory.ports import ExecutionStatus

from .conftest import TENANT, Stage

ANA = Owner(TENANT, "ana")


def failed_raw(stage: Stage) -> Run:
    """An execution whose retries are exhausted while it extracts, under its lease."""
    working = stage.extractor.model
    stage.extractor.model = Failing(working, ExtractionUnavailable("the model does not answer"))
    run = stage.post("ana", "My home is Tokyo.").finish()
    stage.extractor.model = working
    assert (run.status, run.state) == (ExecutionStatus.FAILED, "ExtractMemories")
    assert stage.event(run).status is EventStatus.RUNNING
    return run


def test_the_event_is_failed_with_the_reason_and_its_lease_is_free(stage: Stage) -> None:
    run = failed_raw(stage)
    answer = stage.ended(run)
    event = stage.event(run)

    assert answer == {"event_id": event.event_id, "marked_failed": True}
    assert (event.status, event.stage) == (EventStatus.FAILED, "ExtractMemories")
    assert event.error is not None
    assert (event.error.type, event.error.detail) == ("ExtractionUnavailable", "the model does not answer")
    assert event.completed_at == stage.clock()
    assert stage.tell("ana", "My job is baker.").status is EventStatus.SUCCEEDED


@pytest.mark.parametrize(
    ("status", "error", "type_", "detail"),
    [
        ("FAILED", "Lambda.Unknown", "ExecutionFailed", "the execution failed with Lambda.Unknown"),
        ("FAILED", None, "ExecutionFailed", "the execution failed"),
        ("TIMED_OUT", "States.Timeout", "ExecutionTimedOut", "the execution took too long with States"),
        ("ABORTED", "", "ExecutionAborted", "the execution was stopped"),
        ("FAILED", "My home is Tokyo.", "ExecutionFailed", "the execution failed"),
    ],
)
def test_other_reasons_are_told_without_words_of_others(
    stage: Stage, status: str, error: str | None, type_: str, detail: str
) -> None:
    run = stage.post("ana", "My home is Tokyo.").until("ExtractMemories").end(ExecutionStatus(status))
    run.error, run.cause = error, '{"errorMessage": "My home is Tokyo.", "errorType": "ValueError"}'
    stage.ended(run)
    event = stage.event(run)

    assert event.error is not None
    assert event.error.type == type_
    assert event.error.detail.startswith(detail)
    assert "Tokyo" not in event.error.detail


def test_a_redrive_makes_the_event_run_again_and_succeed(stage: Stage) -> None:
    run = failed_raw(stage)
    stage.ended(run)
    run.redrive().step()
    assert run.state == "AcquireUserLease"  # its lease was freed: extraction goes back for another
    run.finish()

    event = stage.event(run)
    assert (event.status, event.error) == (EventStatus.SUCCEEDED, None)
    assert stage.found("ana", "home") == ["The home is Tokyo"]


def test_a_redrive_from_a_state_without_a_lease(stage: Stage) -> None:
    working = stage.embedder.model
    stage.embedder.model = Failing(working, EmbeddingUnavailable("no"))
    run = stage.post("ana", "My home is Tokyo.").finish()
    stage.ended(run)
    assert stage.event(run).status is EventStatus.FAILED
    stage.embedder.model = working
    run.redrive().step()

    assert stage.event(run).status is EventStatus.RUNNING
    assert stage.event(run).error is None
    run.finish()
    assert stage.event(run).status is EventStatus.SUCCEEDED


def test_a_function_that_still_runs_commits_nothing_more(stage: Stage) -> None:
    run = stage.post("ana", "My home is Tokyo.").until("EmbedAndCommitMemories")
    token = run.input["lease_token"]
    stage.ended(run.end(ExecutionStatus.TIMED_OUT))

    ledger = stage.deployment.ledger
    lease = ledger.acquire_lease(ANA, "another", now=stage.clock(), duration=timedelta(minutes=1))
    assert lease.token > token
    ledger.release_lease(lease)
    run.status = ExecutionStatus.RUNNING
    run.step()
    assert run.state == "AcquireUserLease"
    assert [*ledger.iterate_memories(ANA)] == []


def test_an_event_that_ended_is_left_alone_but_its_lease_is_freed(stage: Stage) -> None:
    run = stage.post("ana", "My home is Tokyo.").until("ReleaseUserLease").end(ExecutionStatus.FAILED)
    before = stage.held(run)
    answer = stage.ended(run)

    assert answer["marked_failed"] is False
    assert stage.held(run) == before
    assert before.status is EventStatus.SUCCEEDED
    assert "WaitForLease" not in stage.post("ana", "My home is Kyoto.").finish().history


def test_the_same_end_told_twice_changes_nothing(stage: Stage) -> None:
    run = failed_raw(stage)
    stage.ended(run)
    event = stage.held(run)
    stage.clock.advance(timedelta(minutes=1))

    assert stage.ended(run)["marked_failed"] is False
    assert stage.held(run) == event


def test_an_end_that_is_told_late_does_not_fail_an_event_that_has_moved_on(stage: Stage) -> None:
    working = stage.embedder.model
    stage.embedder.model = Failing(working, EmbeddingUnavailable("no"))
    run = stage.post("ana", "My home is Tokyo.").finish()
    stage.embedder.model = working
    run.stop_date = int(stage.clock().timestamp() * 1_000)
    late = run.ended_event()
    stage.clock.advance(timedelta(seconds=5))
    run.redrive().until("ExtractMemories")

    assert invoke("record_ended_execution", late)["marked_failed"] is False
    assert stage.event(run).status is EventStatus.RUNNING
    run.finish()
    assert run.history.count("AcquireUserLease") == 1
    assert stage.event(run).status is EventStatus.SUCCEEDED


def test_a_redriven_event_that_is_failed_by_a_late_end_succeeds_all_the_same(stage: Stage) -> None:
    run = failed_raw(stage)
    late = run.ended_event()
    run.redrive().until("EmbedAndCommitMemories")
    invoke("record_ended_execution", late)
    assert stage.event(run).status is EventStatus.FAILED
    run.finish()

    assert stage.event(run).status is EventStatus.SUCCEEDED
    assert stage.found("ana", "home") == ["The home is Tokyo"]


def test_an_event_that_nobody_knows_is_no_error(stage: Stage) -> None:
    run = stage.post("ana", "My home is Tokyo.").until("ExtractMemories")
    stage.request_erasure("ana").finish()

    assert stage.ended(run.end(ExecutionStatus.ABORTED))["marked_failed"] is False
