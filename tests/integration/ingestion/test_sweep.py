"""What a schedule picks up: work that nothing moves on, documents that miss in an index."""

from __future__ import annotations

from datetime import timedelta

from deployment import TENANT, Deployment, owner_of
from fakes import Failing
from interruptions import run_until

from cognis_memory.domain.filters import visible
from cognis_memory.errors import ExtractionFailed
from cognis_memory.models.event import EventStatus
from cognis_memory.models.values import Kind
from cognis_memory.services.ingestion.state import IngestionState
from cognis_memory.services.sweep import idle_events, owners_behind

IDLE = timedelta(minutes=10)


def test_accepted_and_abandoned_ingestions_are_found_once_they_are_idle(any_deployment: Deployment) -> None:
    accepted = any_deployment.accept("ana", "My home is Tokyo.")
    run_until(any_deployment, any_deployment.accept("ana", "My job is baker."), "extract")
    any_deployment.clock.advance(timedelta(minutes=5))
    fresh = any_deployment.accept("ana", "Note: likes rain.")
    any_deployment.clock.advance(timedelta(minutes=5, seconds=1))
    waiting = [event.id for event in idle_events(any_deployment.ledger, any_deployment.clock(), idle=IDLE)]

    assert len(waiting) == 2
    assert waiting[0] == accepted.event_id
    assert fresh.event_id not in waiting
    for event_id in waiting:
        state = IngestionState(tenant_id=TENANT, event_id=event_id)
        assert any_deployment.run(state).status is EventStatus.SUCCEEDED


def test_what_ended_well_or_for_good_is_left_alone(deployment: Deployment) -> None:
    deployment.add("ana", "My home is Tokyo.")
    broken = deployment.with_(extractor=Failing(deployment.extractor, ExtractionFailed("no")))
    broken.add("ana", "My home is Osaka.")
    deployment.erase("bob")
    deployment.clock.advance(IDLE * 2)

    assert idle_events(deployment.ledger, deployment.clock(), idle=IDLE) == []


def test_what_is_committed_and_not_projected_is_finished(any_deployment: Deployment) -> None:
    any_deployment.add("bob", "My home is Nara.")
    any_deployment.add("ana", "What a day.")
    run_until(any_deployment, any_deployment.accept("ana", "I adore thunderstorms."), "commit")
    assert "I adore thunderstorms." not in any_deployment.found("ana", "thunderstorms")

    any_deployment.clock.advance(IDLE + timedelta(seconds=1))
    behind = owners_behind(any_deployment.ledger, any_deployment.clock(), idle=IDLE)
    assert behind == [owner_of("ana")]
    any_deployment.projector.catch_up(*behind)
    assert any_deployment.found("ana", "thunderstorms")[0] == "I adore thunderstorms."
    assert any_deployment.ledger.pending_marks(owner_of("ana")) == []


def test_the_next_ingestion_of_the_user_finishes_it_too(any_deployment: Deployment) -> None:
    any_deployment.add("ana", "My home is Tokyo.")
    run_until(any_deployment, any_deployment.accept("ana", "I adore thunderstorms."), "commit")
    any_deployment.add("ana", "My home is Osaka.")

    assert any_deployment.found("ana", "thunderstorms")[0] == "I adore thunderstorms."


def test_a_projection_writes_what_the_ledger_says_now(any_deployment: Deployment) -> None:
    """Not what it said when the mark was made."""
    any_deployment.add("ana", "My home is Tokyo.")
    run_until(any_deployment, any_deployment.accept("ana", "My home is Osaka."), "commit", times=2)
    assert any_deployment.found("ana", "home", include_messages=False) == []

    osaka = any_deployment.list("ana").memories[0]
    any_deployment.change("ana", osaka.id, content="The home is Kyoto")
    current = visible(now=any_deployment.clock(), kinds=(Kind.MEMORY,))
    indexed = any_deployment.index.match(owner_of("ana"), "home Osaka", filter=current, limit=10)
    assert [hit.id for hit in indexed] == [any_deployment.list("ana").memories[0].id]
    assert any_deployment.found("ana", "home", include_messages=False) == ["The home is Kyoto"]
