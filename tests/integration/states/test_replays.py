"""An event that failed is carried out once more, by an execution of its own."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fakes import Failing
from machines import Run, invoke

from cognis_memory.errors import Conflict, ExtractionFailed, ExtractionUnavailable, NotFound
from cognis_memory.models.event import Event, EventStatus
from cognis_memory.models.values import Owner
from cognis_memory.services.replaying import ReplayPorts, replay_event
from cognis_memory.services.sweep import IDLE

from .conftest import TENANT, Stage

REFUSED = ExtractionFailed("the model answers nothing of use")
DOWN = ExtractionUnavailable("the model does not answer")


def failed(stage: Stage, error: Exception, user_id: str = "ana") -> Run:
    working = stage.extractor.model
    stage.extractor.model = Failing(working, error)
    run = stage.post(user_id, "My home is Tokyo.").finish()
    stage.ended(run)
    stage.extractor.model = working
    assert stage.event(run).status is EventStatus.FAILED
    return run


def replay(stage: Stage, run: Run) -> Event:
    opened = stage.deployment
    ports = ReplayPorts(opened.ledger, opened.payloads, stage.machines, stage.clock)
    return replay_event(ports, TENANT, stage.held(run).id)


@pytest.mark.parametrize("error", [REFUSED, DOWN], ids=["recorded", "raw"])
def test_it_succeeds_once_its_cause_is_gone(stage: Stage, error: Exception) -> None:
    run = failed(stage, error)
    pending = replay(stage, run)
    assert (pending.status, pending.error, pending.attempt) == (EventStatus.PENDING, None, 2)

    again = stage.machines.runs[f"{pending.id}-2"].finish()
    event = stage.event(again)
    assert (event.event_id, event.status, event.error) == (pending.id, EventStatus.SUCCEEDED, None)
    assert stage.found("ana", "home") == ["The home is Tokyo"]
    assert stage.payload_keys() == []


def test_one_that_fails_again_can_be_replayed_again(stage: Stage) -> None:
    run = failed(stage, REFUSED)
    working = stage.extractor.model
    stage.extractor.model = Failing(working, REFUSED)
    stage.machines.runs[replay(stage, run).execution_name].finish()
    stage.extractor.model = working
    assert stage.event(run).status is EventStatus.FAILED

    third = replay(stage, run)
    assert third.execution_name == f"{third.id}-3"
    stage.machines.runs[third.execution_name].finish()
    assert stage.event(run).status is EventStatus.SUCCEEDED


def test_a_late_word_of_the_first_executions_end_does_not_fail_the_second(stage: Stage) -> None:
    run = failed(stage, DOWN)
    run.stop_date = int(stage.clock().timestamp() * 1_000)
    stage.clock.advance(timedelta(seconds=5))
    again = stage.machines.runs[replay(stage, run).execution_name].until("EmbedAndCommitMemories")

    assert invoke("record_ended_execution", run.ended_event())["marked_failed"] is False
    again.finish()
    assert again.history.count("AcquireUserLease") == 1
    assert stage.event(run).status is EventStatus.SUCCEEDED


def test_a_replay_whose_start_was_lost_is_started_by_the_sweep(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = failed(stage, REFUSED)
    with monkeypatch.context() as lost:
        lost.setattr(stage.machines, "start", lambda event: None)
        pending = replay(stage, run)
    assert pending.execution_name not in stage.machines.runs
    stage.clock.advance(IDLE + timedelta(seconds=1))

    assert stage.sweep()["started"] == 1
    stage.machines.runs[pending.execution_name].finish()
    assert stage.event(run).status is EventStatus.SUCCEEDED


def test_what_cannot_be_replayed_says_why(stage: Stage) -> None:
    done = stage.post("ana", "My job is baker.").finish()
    with pytest.raises(Conflict, match="SUCCEEDED"):
        replay(stage, done)
    run = failed(stage, REFUSED)
    replay(stage, run)
    with pytest.raises(Conflict, match="PENDING"):
        replay(stage, run)
    opened = stage.deployment
    ports = ReplayPorts(opened.ledger, opened.payloads, stage.machines, stage.clock)
    with pytest.raises(NotFound, match="evt_unknown"):
        replay_event(ports, TENANT, "evt_unknown")


def test_one_whose_request_is_gone_is_refused_and_stays_failed(stage: Stage) -> None:
    run = failed(stage, REFUSED)
    (key,) = stage.payload_keys()
    stage.deployment.payloads.delete(key.rpartition("/")[0] + "/")

    with pytest.raises(NotFound, match="no longer kept"):
        replay(stage, run)
    assert stage.event(run).status is EventStatus.FAILED


def test_a_failed_event_keeps_nobody_waiting(stage: Stage) -> None:
    failed(stage, REFUSED)
    failed(stage, DOWN)
    after = stage.post("ana", "My home is Osaka.").finish()

    assert "WaitForLease" not in after.history
    assert stage.event(after).status is EventStatus.SUCCEEDED
    assert stage.found("ana", "home") == ["The home is Osaka"]
    assert len([*stage.deployment.ledger.iterate_messages(Owner(TENANT, "ana"))]) == 3
