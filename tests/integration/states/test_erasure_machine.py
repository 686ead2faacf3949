"""A user's erasure: closed at once, carried out in steps, repeatable, counted."""

from __future__ import annotations

import pytest
from machines import invoke

from cognis_memory.errors import UserErased
from cognis_memory.models.event import EventKind, EventStatus
from cognis_memory.models.values import Owner
from cognis_memory.ports import ExecutionStatus
from cognis_memory.services.ingestion.state import owner_prefix
from cognis_memory.services.memories import erasing

from .conftest import TENANT, Stage

ANA = Owner(TENANT, "ana")


def test_the_event_is_pending_at_once_and_then_counts_what_went(stage: Stage) -> None:
    stage.tell("ana", "My home is Tokyo.", "What a day.", "My home is Kyoto.")
    stage.tell("bob", "My home is Nara.")
    run = stage.request_erasure("ana")
    pending = stage.held(run)
    assert (pending.kind, pending.status) == (EventKind.ERASURE, EventStatus.PENDING)
    run.finish()

    event = stage.event(run)
    assert run.status is ExecutionStatus.SUCCEEDED
    assert (event.status, event.stage) == (EventStatus.SUCCEEDED, "EraseUser")
    assert event.counts == {
        "memories": 2,
        "messages": 3,
        "vectors": 5,
        "chains": 1,
        "events": 1,
        "marks": 0,
    }
    assert stage.found("ana", "home") == []
    assert stage.found("bob", "home") == ["The home is Nara"]


def test_nothing_is_accepted_until_the_erasure_has_ended(stage: Stage) -> None:
    stage.tell("ana", "My home is Tokyo.")
    run = stage.request_erasure("ana")
    with pytest.raises(UserErased):
        stage.accept("ana", "My home is Kyoto.")
    assert stage.payload_keys() == []
    run.finish()

    assert stage.tell("ana", "My home is Kyoto.").status is EventStatus.SUCCEEDED
    assert stage.found("ana", "home") == ["The home is Kyoto"]


def test_an_ingestion_under_way_commits_nothing_from_then_on(stage: Stage) -> None:
    run = stage.post("ana", "My home is Tokyo.").until("EmbedAndCommitMemories")
    erasure = stage.request_erasure("ana")
    run.finish()

    assert (run.error, stage.event(run).status) == ("UserErased", EventStatus.FAILED)
    assert [*stage.deployment.ledger.iterate_memories(ANA)] == []
    erasure.finish()
    assert [*stage.deployment.ledger.iterate_messages(ANA)] == []
    assert not [key for key in stage.payload_keys() if key.startswith(owner_prefix(ANA))]


@pytest.mark.parametrize(
    ("step", "times"),
    [
        ("erase", 1),
        ("erase", 3),
        ("update_event", 1),
        ("update_event", 3),
        ("delete", 1),
        ("raise_erasure_epoch", 1),
    ],
)
def test_one_killed_halfway_goes_on_and_keeps_its_count(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, step: str, times: int
) -> None:
    monkeypatch.setattr(erasing, "ERASE_BATCH", 4)
    stage.tell("ana", "My home is Tokyo.", "What a day.", "My job is baker.", "My home is Kyoto.")
    run = stage.request_erasure("ana")
    stage.kill_after(step, times)
    run.finish()

    event = stage.event(run)
    assert event.status is EventStatus.SUCCEEDED
    lost = 4 if step == "erase" else 0  # what was erased and not yet counted when the process died
    assert sum(event.counts.values()) >= 17 - lost
    assert [*stage.deployment.ledger.iterate_memories(ANA)] == []
    assert stage.tell("ana", "My home is Nara.").status is EventStatus.SUCCEEDED
    assert stage.found("ana", "home") == ["The home is Nara"]


def test_a_repeat_after_the_end_spares_what_is_new(stage: Stage) -> None:
    run = stage.request_erasure("ana").finish()
    before = stage.held(run)
    stage.tell("ana", "My home is Nara.")

    assert invoke("erase_user", {"tenant_id": TENANT, "event_id": before.id}) == {
        "tenant_id": TENANT,
        "event_id": before.id,
    }
    assert stage.held(run) == before
    assert stage.found("ana", "home") == ["The home is Nara"]


def test_one_of_two_asked_for_together_spares_what_came_after_the_other(stage: Stage) -> None:
    stage.tell("ana", "My home is Tokyo.")
    first, second = stage.request_erasure("ana"), stage.request_erasure("ana")
    first.finish()
    stage.tell("ana", "My home is Nara.")
    second.finish()

    assert stage.event(first).counts["memories"] == 1
    assert stage.event(second).status is EventStatus.SUCCEEDED
    assert stage.event(second).counts == {}
    assert stage.found("ana", "home") == ["The home is Nara"]


def test_a_run_that_was_overtaken_stops(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slow one has erased a batch when the other ends, and new memories come."""
    monkeypatch.setattr(erasing, "ERASE_BATCH", 4)
    stage.tell("ana", "My home is Tokyo.", "What a day.", "My job is baker.", "My home is Kyoto.")
    run = stage.request_erasure("ana")

    def overtake(step: str) -> None:
        if step == "erase":
            stage.after = lambda _: None
            invoke("erase_user", run.input)
            stage.tell("ana", "My home is Nara.")

    stage.after = overtake
    run.finish()
    assert run.status is ExecutionStatus.SUCCEEDED
    assert stage.found("ana", "home") == ["The home is Nara"]
