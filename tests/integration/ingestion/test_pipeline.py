"""What the pipeline makes of leases, of errors that pass and of errors that stay."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from deployment import Deployment, owner_of
from fakes import Failing
from interruptions import Intrusion, run_until, steps_of, watched
from run_stage import STAGES

from cognis_memory.errors import (
    CognisError,
    EmbeddingFailed,
    EmbeddingUnavailable,
    ExtractionFailed,
    ExtractionUnavailable,
    LeaseHeld,
    NotFound,
    StaleLease,
    UserErased,
)
from cognis_memory.models.event import EventStatus, Lease
from cognis_memory.services.ingestion.state import LEASE_DURATION

OWNER = owner_of("ana")


def _take_lease(deployment: Deployment, holder: str = "evt_other") -> Lease:
    return deployment.ledger.acquire_lease(OWNER, holder, now=deployment.clock(), duration=LEASE_DURATION)


def test_waits_while_another_ingestion_holds_the_lease(any_deployment: Deployment) -> None:
    lease = _take_lease(any_deployment)
    state = any_deployment.accept("ana", "My home is Tokyo.")
    ingestion = threading.Thread(target=any_deployment.run, args=(state,))
    ingestion.start()
    ingestion.join(timeout=0.5)

    assert ingestion.is_alive()
    assert any_deployment.texts("ana") == []
    assert any_deployment.found("ana", "home in Tokyo") == ["My home is Tokyo."]

    any_deployment.ledger.release_lease(lease)
    ingestion.join(timeout=30)
    assert any_deployment.event(state.event_id).status is EventStatus.SUCCEEDED


def test_does_not_wait_for_other_users(deployment: Deployment) -> None:
    _take_lease(deployment)

    assert deployment.add("bob", "My home is Tokyo.").status is EventStatus.SUCCEEDED


def test_gives_up_waiting_in_the_end_and_can_be_run_again(deployment: Deployment) -> None:
    deployment.retries = replace(deployment.retries, lease_polls=3)
    lease = _take_lease(deployment)
    state = deployment.accept("ana", "My home is Tokyo.")

    with pytest.raises(LeaseHeld):
        deployment.run(state)
    assert deployment.event(state.event_id).status is EventStatus.RUNNING

    deployment.ledger.release_lease(lease)
    assert deployment.run(state).status is EventStatus.SUCCEEDED


@pytest.mark.parametrize("step", ["extract", "put", "embed"])
def test_overtaken_after_expiry_it_acquires_and_extracts_again(any_deployment: Deployment, step: str) -> None:
    """The other ingestion says what the first one must see: its fact then is an UPDATE, not a second ADD."""
    any_deployment.add("ana", "My job is baker.")

    def overtake() -> None:
        any_deployment.clock.advance(LEASE_DURATION + timedelta(seconds=1))
        any_deployment.add("ana", "My home is Osaka.")

    state = any_deployment.accept("ana", "My home is Tokyo.")
    any_deployment.clock.advance(timedelta(seconds=1))
    slow = watched(any_deployment, _AfterAcquiring(Intrusion(step, overtake)))
    slow.run(state)

    assert any_deployment.event(state.event_id).status is EventStatus.SUCCEEDED
    (home,) = [memory for memory in any_deployment.list("ana").memories if "home" in memory.memory]
    chain = any_deployment.history("ana", home.id).history
    assert [version.memory for version in chain] == ["The home is Tokyo", "The home is Osaka"]


class _AfterAcquiring:
    """Passes steps on once the lease is acquired."""

    def __init__(self, after: Intrusion) -> None:
        self._after = after
        self._acquired = False

    def __call__(self, step: str) -> None:
        self._acquired |= step == "acquire_lease"
        if self._acquired:
            self._after(step)


def test_a_lease_lost_every_time_is_raised_after_bounded_rounds(deployment: Deployment) -> None:
    extractions = 0

    def lose(step: str) -> None:
        nonlocal extractions
        if step == "extract":
            extractions += 1
            _take_lease(deployment, holder=state.event_id)

    state = deployment.accept("ana", "My home is Tokyo.")
    with pytest.raises(StaleLease):
        watched(deployment, lose).run(state)

    assert extractions == deployment.retries.rounds
    assert deployment.event(state.event_id).status is EventStatus.RUNNING
    assert deployment.run(state).status is EventStatus.SUCCEEDED


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize(
    ("port", "error"),
    [("embedder", EmbeddingUnavailable("slow")), ("extractor", ExtractionUnavailable("busy"))],
)
def test_transient_errors_are_repeated(
    deployment: Deployment, port: str, error: CognisError, times: int
) -> None:
    model = Failing(getattr(deployment, port), error, times)
    event = deployment.with_(**{port: model}).add("ana", "My home is Tokyo.")

    assert event.status is EventStatus.SUCCEEDED
    assert model.calls > times


def test_transient_errors_that_stay_are_raised_and_leave_the_event_to_be_run_again(
    deployment: Deployment,
) -> None:
    extractor = Failing(deployment.extractor, ExtractionUnavailable("down"))
    state = deployment.accept("ana", "My home is Tokyo.")
    with pytest.raises(ExtractionUnavailable):
        deployment.with_(extractor=extractor).run(state)

    assert extractor.calls == deployment.retries.attempts
    assert deployment.event(state.event_id).status is EventStatus.RUNNING
    assert _take_lease(deployment)
    deployment.clock.advance(LEASE_DURATION)
    assert deployment.run(state).status is EventStatus.SUCCEEDED
    assert deployment.texts("ana") == ["The home is Tokyo"]


def test_a_permanent_error_fails_the_event_with_its_reason(any_deployment: Deployment) -> None:
    error = ExtractionFailed("the answer is no JSON")
    broken = any_deployment.with_(extractor=Failing(any_deployment.extractor, error))
    event = broken.add("ana", "My home is Tokyo.")

    assert event.status is EventStatus.FAILED
    assert event.error is not None
    assert (event.error.type, event.error.detail) == ("ExtractionFailed", "the answer is no JSON")
    assert event.stage == "ExtractMemories"
    assert event.completed_at is not None
    assert any_deployment.found("ana", "home in Tokyo") == ["My home is Tokyo."]
    assert any_deployment.add("ana", "My job is baker.").status is EventStatus.SUCCEEDED


def test_a_model_that_refuses_a_message_fails_the_event(deployment: Deployment) -> None:
    broken = deployment.with_(embedder=Failing(deployment.embedder, EmbeddingFailed("too long")))
    event = broken.add("ana", "My home is Tokyo.")

    assert event.status is EventStatus.FAILED
    assert event.stage == "StoreMessages"
    assert deployment.add("ana", "My job is baker.").status is EventStatus.SUCCEEDED


def test_a_failed_event_can_be_run_again(any_deployment: Deployment) -> None:
    broken = any_deployment.with_(extractor=Failing(any_deployment.extractor, ExtractionFailed("no")))
    state = broken.accept("ana", "My home is Tokyo.")
    assert broken.run(state).status is EventStatus.FAILED

    event = any_deployment.run(state)
    assert event.status is EventStatus.SUCCEEDED
    assert event.error is None
    assert any_deployment.texts("ana") == ["The home is Tokyo"]


def test_a_failed_event_run_again_waits_for_the_lease_as_any_other(deployment: Deployment) -> None:
    broken = deployment.with_(extractor=Failing(deployment.extractor, ExtractionFailed("no")))
    state = broken.accept("ana", "My home is Tokyo.")
    broken.run(state)
    lease = _take_lease(deployment)
    again = threading.Thread(target=deployment.run, args=(state,))
    again.start()
    again.join(timeout=0.3)
    event = deployment.event(state.event_id)

    assert again.is_alive()
    assert (event.status, event.error, event.completed_at) == (EventStatus.RUNNING, None, None)
    deployment.ledger.release_lease(lease)
    again.join(timeout=30)
    assert deployment.event(state.event_id).status is EventStatus.SUCCEEDED


@pytest.mark.parametrize("step", ["embed", "acquire_lease", "extract", "put", "commit", "apply"])
def test_an_erasure_stops_what_is_under_way_and_nothing_comes_back(
    any_deployment: Deployment, step: str
) -> None:
    any_deployment.add("ana", "My job is baker.")
    state = any_deployment.accept("ana", ["My home is Tokyo.", "Note: likes rain."])
    with pytest.raises((UserErased, NotFound)):
        watched(any_deployment, Intrusion(step, lambda: any_deployment.erase("ana"))).run(state)

    ledger = any_deployment.ledger
    assert not [*ledger.iterate_memories(OWNER), *ledger.iterate_messages(OWNER)]
    assert ledger.pending_marks(OWNER) == []
    assert any_deployment.index.count(OWNER) == 0
    assert any_deployment.found("ana", "home in Tokyo") == []

    assert any_deployment.add("ana", "My home is Osaka.").status is EventStatus.SUCCEEDED
    found = any_deployment.found("ana", "home in Tokyo or Osaka")
    assert set(found) == {"My home is Osaka.", "The home is Osaka"}


def test_the_projection_of_an_ingestion_ends_with_its_lease_still_held(deployment: Deployment) -> None:
    """Whoever acquires next finds in the index what it has to compare with."""
    steps = steps_of(deployment, deployment.accept("ana", "My home is Tokyo."))

    assert steps.index("acquire_lease") < _last(steps, "apply") < _last(steps, "release_lease")


def test_extraction_sees_what_a_dead_run_committed_and_did_not_project(deployment: Deployment) -> None:
    first = deployment.accept("ana", "My home is Tokyo.")
    second = deployment.accept("ana", "My home is Osaka.")
    run_until(deployment, second, "update_event", times=3)
    run_until(deployment, first, "commit", times=2)

    deployment.clock.advance(LEASE_DURATION)
    state = second
    for stage in list(STAGES.values())[1:]:  # its messages are stored: the state machine goes on from there
        state = stage(deployment.ingestion, state)
    deployment.run(first)
    assert deployment.texts("ana") == ["The home is Osaka"]


def _last(steps: list[str], step: str) -> int:
    return len(steps) - 1 - steps[::-1].index(step)
