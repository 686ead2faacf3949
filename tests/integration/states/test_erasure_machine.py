"""A user's erasure: closed at once, carried out in steps, repeatable, counted, looked after in the end."""

from __future__ import annotations

from contextlib import suppress

import pytest
from machines import HANDLERS, Killed, Run, invoke

from cognis_memory.errors import UserErased
from cognis_memory.models.event import EventKind, EventStatus
from cognis_memory.models.values import Owner
from cognis_memory.ports import ExecutionStatus
from cognis_memory.services.ingestion.state import LEASE_DURATION
from cognis_memory.services.memories import erasing
from cognis_memory.services.payload_keys import owner_prefix

from .conftest import TENANT, Stage

ANA = Owner(TENANT, "ana")
STATES = ["EraseLedger", "ErasePayloads", "DropIndexes", "VerifyErasure"]
TOLD = ("My home is Tokyo.", "What a day.", "My job is baker.", "My home is Kyoto.")
COUNTS = {
    "chains": 2,
    "events": 1,
    "marks": 0,
    "memories": 3,
    "messages": 4,
    "vectors": 7,
    "payloads": 0,
    "transfer_files": 0,
    "shard_files": 1,
}


def _assert_nothing_is_left(stage: Stage) -> None:
    deployment = stage.deployment
    assert deployment.ledger.held_items(ANA, limit=10) == []
    assert not [key for key in stage.payload_keys() if key.startswith(owner_prefix(ANA))]
    assert not any(deployment.projector.holdings(ANA).values())


def test_the_event_is_pending_at_once_and_then_counts_what_went(stage: Stage) -> None:
    stage.tell("ana", *TOLD)
    stage.tell("bob", "My home is Nara.")
    run = stage.request_erasure("ana")
    pending = stage.held(run)
    assert (pending.kind, pending.status) == (EventKind.ERASURE, EventStatus.PENDING)
    run.finish()

    event = stage.event(run)
    assert (run.status, run.history) == (ExecutionStatus.SUCCEEDED, STATES)
    assert (event.status, event.stage) == (EventStatus.SUCCEEDED, "VerifyErasure")
    assert event.counts == COUNTS
    assert stage.found("ana", "home") == []
    assert stage.found("bob", "home") == ["The home is Nara"]


def test_its_counts_grow_while_it_is_under_way(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasing, "ERASE_BATCH", 2)
    monkeypatch.setattr(erasing, "ERASE_BATCHES", 2)
    stage.tell("ana", *TOLD)
    run = stage.request_erasure("ana")
    seen = []
    while run.running:
        run.step()
        seen.append(sum(stage.event(run).counts.values()))

    assert run.history == ["EraseLedger"] * 5 + STATES[1:]
    assert seen == [4, 8, 12, 16, 17, 17, 18, 18]
    assert stage.event(run).counts == COUNTS


def test_a_state_stops_in_time_and_the_next_goes_on(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasing, "ERASE_BATCH", 9)
    stage.tell("ana", *TOLD)
    run = stage.request_erasure("ana")

    def take_long(step: str) -> None:
        if step == "erase":
            stage.clock.advance(erasing.ERASE_PERIOD)

    stage.after = take_long
    run.finish()
    assert run.history == ["EraseLedger"] * 3 + STATES[1:]


def test_nothing_is_accepted_until_the_erasure_has_ended(stage: Stage) -> None:
    stage.tell("ana", "My home is Tokyo.")
    run = stage.request_erasure("ana")
    for state in STATES:
        run.until(state)
        with pytest.raises(UserErased):
            stage.accept("ana", "My home is Kyoto.")
        assert stage.payload_keys() == []
    run.finish()

    assert stage.tell("ana", "My home is Kyoto.").status is EventStatus.SUCCEEDED
    assert stage.found("ana", "home") == ["The home is Kyoto"]


INGESTION = (
    "StoreMessages",
    "ResolveSpeakersAndDates",
    "AcquireUserLease",
    "ExtractMemories",
    "EmbedAndCommitMemories",
    "ReleaseUserLease",
)


@pytest.mark.parametrize("state", INGESTION)
def test_an_ingestion_under_way_commits_nothing_from_then_on(stage: Stage, state: str) -> None:
    stage.tell("ana", "My job is baker.")
    run = stage.post("ana", "My home is Tokyo.", "What a day.").until(state)
    erasure = stage.request_erasure("ana")
    before = len([*stage.deployment.ledger.iterate_memories(ANA)])
    run.finish()
    assert len([*stage.deployment.ledger.iterate_memories(ANA)]) == before

    erasure.finish()
    assert stage.event(erasure).status is EventStatus.SUCCEEDED
    _assert_nothing_is_left(stage)


@pytest.mark.parametrize("state", INGESTION)
def test_an_ingestion_that_goes_on_after_the_erasure_leaves_nothing(stage: Stage, state: str) -> None:
    stage.tell("ana", "My job is baker.")
    run = stage.post("ana", "My home is Tokyo.", "What a day.").until(state)
    stage.request_erasure("ana").finish()
    run.finish()

    _assert_nothing_is_left(stage)


def _steps(stage: Stage, run: Run) -> list[str]:
    """Carries out the execution and lists its writes."""
    done: list[str] = []
    stage.after = done.append
    run.finish()
    stage.after = lambda _: None
    return done


def test_an_erasure_at_any_write_of_an_ingestion_leaves_nothing(stage: Stage) -> None:
    """It begins and ends within a stage, whose process then goes on."""
    writes = len(_steps(stage, stage.post("bob", "My home is Tokyo.", "What a day.")))
    for number in range(1, writes + 1):
        _erase_after(stage, number)
        with suppress(UserErased):  # it may begin before the request is accepted, which is then refused
            stage.post("ana", "My home is Tokyo.", "What a day.").finish()

        _assert_nothing_is_left(stage)
        stage.clock.advance(LEASE_DURATION)  # the lease that it took after the erasure ends by itself


def _erase_after(stage: Stage, number: int) -> None:
    left = number

    def erase(_: str) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            stage.after = lambda _: None
            stage.request_erasure("ana").finish()

    stage.after = erase


KILLS = [
    *(("update_event", number) for number in range(1, 12, 2)),
    *(("erase", number) for number in (1, 3)),
    ("delete", 1),
    ("raise_erasure_epoch", 1),
]


@pytest.mark.parametrize(("step", "times"), KILLS)
def test_one_killed_halfway_goes_on_and_counts_right(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, step: str, times: int
) -> None:
    monkeypatch.setattr(erasing, "ERASE_BATCH", 4)
    stage.tell("ana", *TOLD)
    run = stage.request_erasure("ana")
    stage.kill_after(step, times)
    run.finish()

    event = stage.event(run)
    assert (event.status, event.counts) == (EventStatus.SUCCEEDED, COUNTS)
    _assert_nothing_is_left(stage)
    assert stage.tell("ana", "My home is Nara.").status is EventStatus.SUCCEEDED
    assert stage.found("ana", "home") == ["The home is Nara"]


@pytest.mark.parametrize("state", STATES)
def test_one_that_failed_is_redriven_from_where_it_was(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    stage.tell("ana", *TOLD)
    run = stage.request_erasure("ana").until(state)

    def broken(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr(stage.deployment.ledger, "update_event", broken)
        run.finish()
    stage.ended(run)
    assert stage.event(run).status is EventStatus.FAILED
    run.redrive().finish()

    assert (stage.event(run).status, stage.event(run).counts) == (EventStatus.SUCCEEDED, COUNTS)
    _assert_nothing_is_left(stage)


def test_every_state_can_run_twice(stage: Stage) -> None:
    stage.tell("ana", *TOLD)
    run = stage.request_erasure("ana")
    while run.running:
        state, given = run.state, run.input
        run.step()
        invoke(HANDLERS[state], given)

    assert stage.event(run).counts == COUNTS
    _assert_nothing_is_left(stage)


def test_what_a_writer_left_meanwhile_is_found_and_erased_as_well(stage: Stage) -> None:
    """An extraction had begun before the erasure; its process writes proposals and dies before it looks."""
    stage.tell("ana", *TOLD)
    run = stage.request_erasure("ana").until("VerifyErasure")
    stage.deployment.payloads.put(f"{owner_prefix(ANA)}evt_1/proposals.json", b"{}")
    run.finish()

    assert run.history == [*STATES, "WaitForWriters", *STATES]
    assert stage.event(run).status is EventStatus.SUCCEEDED
    _assert_nothing_is_left(stage)


def test_what_comes_back_again_and_again_fails_the_erasure(stage: Stage) -> None:
    stage.tell("ana", *TOLD)
    run = stage.request_erasure("ana")

    def put_back(step: str) -> None:
        if step == "delete":
            stage.deployment.payloads.put(f"{owner_prefix(ANA)}evt_1/proposals.json", b"{}")

    stage.after = put_back
    run.finish()
    stage.ended(run)

    event = stage.event(run)
    assert event.status is EventStatus.FAILED
    assert event.error is not None
    assert event.error.type == "ErasureIncomplete"
    assert event.error.detail == "after 3 rounds the user's stores still hold 1 payloads"
    with pytest.raises(UserErased):
        stage.accept("ana", "My home is Kyoto.")


def test_a_repeat_after_the_end_spares_what_is_new(stage: Stage) -> None:
    run = stage.request_erasure("ana").finish()
    before = stage.held(run)
    stage.tell("ana", "My home is Nara.")
    reference = {"tenant_id": TENANT, "event_id": before.id}
    for function in ("erase_ledger", "erase_payloads", "drop_indexes", "verify_erasure"):
        invoke(function, reference)

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


@pytest.mark.parametrize(
    ("step", "times"), [("erase", 1), ("update_event", 1), ("update_event", 2), ("delete", 1)]
)
def test_a_run_that_was_overtaken_stops(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, step: str, times: int
) -> None:
    """The slow one is in the middle of its work when the other ends, and new memories come."""
    monkeypatch.setattr(erasing, "ERASE_BATCH", 4)
    stage.tell("ana", *TOLD)
    run, other = stage.request_erasure("ana"), stage.request_erasure("ana")
    left = times

    def overtake(name: str) -> None:
        nonlocal left
        left -= name == step
        if left == 0:
            stage.after = lambda _: None
            other.finish()
            stage.tell("ana", "My home is Nara.")

    stage.after = overtake
    run.finish()
    assert run.status is ExecutionStatus.SUCCEEDED
    assert stage.found("ana", "home") == ["The home is Nara"]
    assert len([*stage.deployment.ledger.iterate_messages(ANA)]) == 1


def test_a_process_that_is_no_more_holds_nothing_up(stage: Stage) -> None:
    """A projection that began during the erasure would bring words back; it does not begin."""
    run = stage.post("ana", "I adore thunderstorms.")
    stage.kill_after("commit")
    with pytest.raises(Killed):
        invoke("store_messages", run.input)
    erasure = stage.request_erasure("ana").until("VerifyErasure")
    stage.deployment.projector.catch_up(ANA)
    stage.deployment.projector.restore_missing(ANA)
    erasure.finish()

    assert erasure.history == STATES
    _assert_nothing_is_left(stage)
