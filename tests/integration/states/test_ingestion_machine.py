"""Every path through the ingestion machine, state by state through JSON."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

import pytest
from fakes import Failing
from machines import HANDLERS, invoke

from cognis_memory.errors import (
    EmbeddingUnavailable,
    ExtractionFailed,
    ExtractionUnavailable,
    LeaseHeld,
    UnexpectedError,
)
from cognis_memory.models.event import EventStatus
from cognis_memory.models.values import Owner
from cognis_memory.ports import ExecutionStatus
from cognis_memory.services.ingestion.state import LEASE_DURATION

from .conftest import TENANT, Stage

ANA = Owner(TENANT, "ana")


def test_messages_become_memories_and_the_event_says_so_at_every_state(stage: Stage) -> None:
    run = stage.post("ana", "My home is Tokyo.", "What a day.")
    assert stage.event(run).status is EventStatus.PENDING
    while run.state != "ReleaseUserLease":
        state = run.step()
        ended = state == "EmbedAndCommitMemories"
        event = stage.event(run)
        assert event.stage == state
        assert event.status is (EventStatus.SUCCEEDED if ended else EventStatus.RUNNING)
    run.finish()

    assert run.status is ExecutionStatus.SUCCEEDED
    assert [operation.memory for operation in stage.event(run).operations] == ["The home is Tokyo"]
    assert stage.found("ana", "home") == ["The home is Tokyo"]
    assert stage.payload_keys() == []


def test_an_event_erased_before_its_lease_is_released_ends_well(stage: Stage) -> None:
    run = stage.post("ana", "My home is Tokyo.")
    while run.state != "ReleaseUserLease":
        run.step()
    stage.request_erasure("ana").finish()

    run.finish()

    assert run.status is ExecutionStatus.SUCCEEDED


def test_states_hand_on_ids_and_keys_alone(stage: Stage) -> None:
    run = stage.post("ana", "My home is Tokyo.")
    while run.running:
        assert set(run.input) <= {"tenant_id", "event_id", "lease", "lease_token", "proposals_key"}
        assert "ana" not in str(run.input)
        assert "Tokyo" not in str(run.input)
        run.step()
    assert run.input == {"tenant_id": TENANT, "event_id": stage.held(run).id}


def test_a_repeated_state_changes_nothing(stage: Stage) -> None:
    run = stage.post("ana", "My home is Tokyo.", "My home is Kyoto.")
    while run.running:
        state, given = run.state, run.input
        run.step()
        if state in HANDLERS and state != "AcquireUserLease":
            again = invoke(HANDLERS[state], given)
            assert again == run.input

    assert stage.found("ana", "home") == ["The home is Kyoto"]
    assert len([*stage.deployment.ledger.iterate_memories(ANA)]) == 2


def test_the_second_of_two_waits_for_the_lease(stage: Stage) -> None:
    first = stage.post("ana", "My home is Tokyo.").until("EmbedAndCommitMemories")
    second = stage.post("ana", "My home is Kyoto.").until("WaitForLease")
    other = stage.post("bob", "My home is Nara.").finish()
    for _ in range(12):
        second.step()
    waiting = stage.event(second)

    assert (waiting.status, waiting.stage) == (EventStatus.RUNNING, "AcquireUserLease")
    assert second.waited[0] == 1
    assert 10 <= second.waited[-1] <= 20
    assert second.input["lease_polls"] == 7
    assert other.status is ExecutionStatus.SUCCEEDED
    first.finish()
    second.finish()
    assert second.history[-5:] == [
        "WaitForLease",
        "AcquireUserLease",
        "ExtractMemories",
        "EmbedAndCommitMemories",
        "ReleaseUserLease",
    ]
    assert stage.found("ana", "home") == ["The home is Kyoto"]


def test_a_waiting_event_gives_a_sign_of_life(stage: Stage) -> None:
    stage.post("ana", "My home is Tokyo.").until("ExtractMemories")
    waiting = stage.post("ana", "My home is Kyoto.").until("WaitForLease")
    for _ in range(4):
        stage.clock.advance(timedelta(seconds=20))
        waiting.step()
        waiting.step()

    assert stage.clock() - stage.held(waiting).updated_at < timedelta(minutes=1)


@pytest.mark.parametrize("state", ["ExtractMemories", "EmbedAndCommitMemories"])
def test_a_stale_lease_leads_back_to_acquiring_and_extracting_again(stage: Stage, state: str) -> None:
    """The memory that the first extraction did not know of is the one that it updates now."""
    slow = stage.post("ana", "My home is Kyoto.").until(state)
    stage.clock.advance(LEASE_DURATION + timedelta(seconds=1))
    stage.post("ana", "My job is baker.", "My home is Tokyo.").finish()
    slow.finish()

    assert slow.status is ExecutionStatus.SUCCEEDED
    assert slow.history.count("AcquireUserLease") == 2
    assert slow.history.count("ExtractMemories") == 2
    chains = {memory.chain_id for memory in stage.deployment.ledger.iterate_memories(ANA)}
    assert len(chains) == 2


def test_an_event_that_has_succeeded_needs_no_lease(stage: Stage) -> None:
    run = stage.post("ana", "My home is Tokyo.").finish()
    ids = {"tenant_id": TENANT, "event_id": stage.held(run).id}

    assert invoke("acquire_user_lease", ids) == {**ids, "lease": "NOT_NEEDED"}


def test_transient_errors_are_outlived(stage: Stage) -> None:
    stage.embedder.model = Failing(stage.embedder.model, EmbeddingUnavailable("slow"), times=3)
    stage.extractor.model = Failing(stage.extractor.model, ExtractionUnavailable("slow"), times=3)

    assert stage.tell("ana", "My home is Tokyo.").status is EventStatus.SUCCEEDED


def test_a_permanent_failure_stands_on_the_event_and_frees_the_lease(stage: Stage) -> None:
    broken = Failing(stage.extractor.model, ExtractionFailed("the answer is no JSON"), times=1)
    stage.extractor.model = broken
    run = stage.post("ana", "My home is Tokyo.").finish()
    event = stage.event(run)

    assert run.history[-1] == "RecordFailure"
    assert run.error == "ExtractionFailed"
    assert (event.status, event.stage) == (EventStatus.FAILED, "ExtractMemories")
    assert event.error is not None
    assert (event.error.type, event.error.detail) == ("ExtractionFailed", "the answer is no JSON")
    assert len(event.messages) == 1
    assert stage.tell("ana", "My job is baker.").status is EventStatus.SUCCEEDED


def test_an_event_that_went_with_its_user_has_nobody_to_tell(stage: Stage) -> None:
    run = stage.post("ana", "My home is Tokyo.").until("ExtractMemories")
    stage.request_erasure("ana").finish()
    run.finish()

    assert (run.history[-1], run.error) == ("RecordFailure", "NotFound")
    assert [*stage.deployment.ledger.iterate_messages(ANA)] == []
    assert stage.payload_keys() == []


@pytest.mark.parametrize(("last", "times"), [("renew_lease", 1), ("update_event", 2)])
def test_an_erasure_in_the_midst_of_an_extraction_leaves_no_payload(
    stage: Stage, last: str, times: int
) -> None:
    """Before the model is called, or after: then the payload comes after those that the erasure removed."""
    run = stage.post("ana", "My home is Tokyo.").until("ExtractMemories")
    done = count(1)

    def erase_once(step: str) -> None:
        if step == last and next(done) == times:
            stage.after = lambda _: None
            stage.request_erasure("ana").finish()

    stage.after = erase_once
    run.finish()

    assert run.error == "UserErased"
    assert stage.payload_keys() == []


def test_what_nobody_foresaw_fails_raw_without_its_words(stage: Stage) -> None:
    class Broken:
        chunk_messages = 1

        def extract(self, request: object) -> object:
            raise ValueError("My home is Tokyo.")

    working, stage.extractor.model = stage.extractor.model, Broken()
    stage.lines()
    run = stage.post("ana", "My home is Tokyo.").finish()
    lines = stage.lines()

    assert (run.status, run.error) == (ExecutionStatus.FAILED, "UnexpectedError")
    assert run.history[-1] == "ExtractMemories"
    assert "Tokyo" not in f"{run.cause} {lines}"
    (unexpected,) = [line for line in lines if line.get("message") == "unexpected_error"]
    assert (unexpected["in"], unexpected["error"]) == ("ExtractMemories", "ValueError")
    assert "test_ingestion_machine.py" in unexpected["places"][-1]
    assert "extract" in unexpected["places"][-1]

    stage.extractor.model = working
    run.redrive().finish()
    assert stage.event(run).status is EventStatus.SUCCEEDED


def test_input_that_is_no_state_is_refused(stage: Stage) -> None:
    with pytest.raises(UnexpectedError, match="ValidationError in StoreMessages"):
        invoke("store_messages", {"tenant_id": TENANT, "event_id": "evt_1", "messages": ["hello"]})


@pytest.mark.parametrize(
    ("state", "step", "times"),
    [
        ("StoreMessages", "update_event", 2),
        ("StoreMessages", "commit", 1),
        ("StoreMessages", "clear_pending", 1),
        ("ResolveSpeakersAndDates", "update_event", 1),
        ("AcquireUserLease", "acquire_lease", 1),
        ("ExtractMemories", "renew_lease", 1),
        ("ExtractMemories", "update_event", 2),
        ("ExtractMemories", "put", 1),
        ("EmbedAndCommitMemories", "commit", 1),
        ("EmbedAndCommitMemories", "clear_pending", 1),
        ("EmbedAndCommitMemories", "delete", 1),
        ("EmbedAndCommitMemories", "update_event", 2),
        ("EmbedAndCommitMemories", "update_event", 4),
        ("ReleaseUserLease", "release_lease", 1),
    ],
)
def test_a_process_killed_in_any_state_costs_nothing(stage: Stage, state: str, step: str, times: int) -> None:
    stage.tell("ana", "My home is Tokyo.")
    run = stage.post("ana", "My home is Kyoto.", "Note: likes rain.").until(state)
    stage.kill_after(step, times)
    run.finish()

    event = stage.event(run)
    assert event.status is EventStatus.SUCCEEDED
    assert [operation.operation.value for operation in event.operations] == ["UPDATE", "ADD"]
    assert sorted(stage.found("ana", "home likes rain")) == ["The home is Kyoto", "likes rain"]
    assert stage.payload_keys() == []
    assert stage.tell("ana", "My job is baker.").status is EventStatus.SUCCEEDED


def test_a_lease_that_is_held_is_never_an_error_of_a_state(stage: Stage) -> None:
    holder = stage.post("ana", "My home is Tokyo.").until("ExtractMemories")
    with pytest.raises(LeaseHeld):
        stage.deployment.ledger.acquire_lease(
            ANA, "another", now=stage.clock(), duration=timedelta(minutes=1)
        )
    waiting = stage.post("ana", "My home is Kyoto.").until("WaitForLease")

    assert waiting.error is None
    holder.finish()
