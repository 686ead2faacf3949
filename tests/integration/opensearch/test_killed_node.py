"""kill -9 of the node under an ingestion: nothing lost, nothing doubled, pending projections finished."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from deployment import Deployment, owner_of
from engines import describe, open_deployment
from interruptions import steps_of, watched
from opensearch_node import OwnNode
from search_indexes import index_on
from snapshots import end_state, found_documents

from cognis_memory.domain.filters import EVERYTHING
from cognis_memory.errors import IndexUnavailable
from cognis_memory.models.event import EventStatus
from cognis_memory.services.ingestion.state import IngestionState
from cognis_memory.services.sweep import idle_events, owners_behind

pytestmark = [pytest.mark.xdist_group("killed_node"), pytest.mark.timeout(600)]

FIRST = ["My home is Tokyo. My job is baker. Note: likes rain."]
SECOND = ["My home is Osaka. My home is Kyoto.", "What a day!", "Forget my job. 私の趣味は釣りです。"]
AT_ONCE_SECONDS = 0.05
OUTAGE_SECONDS = 3.0


def told(deployment: Deployment) -> IngestionState:
    """Told one thing, and accepted the next."""
    deployment.add("ana", FIRST)
    return deployment.accept("ana", SECOND)


def resume(deployment: Deployment) -> None:
    """What the sweep does."""
    later, at_once = deployment.clock() + timedelta(seconds=1), timedelta(0)
    for event in idle_events(deployment.ledger, later, idle=at_once):
        deployment.run(IngestionState.model_validate_json(event.reference.model_dump_json()))
    for owner in owners_behind(deployment.ledger, later, idle=at_once):
        deployment.projector.catch_up(owner)


def ended(deployment: Deployment, state: IngestionState) -> dict[str, Any]:
    """All that ledger and index hold."""
    held = end_state(deployment, "ana", [state.event_id])
    (event,) = held["events"]
    assert event.status is EventStatus.SUCCEEDED
    return held | {"events": event.operations, "index": found_documents(held["index"])}


def after(step: int, action: Callable[[], None]) -> Callable[[str], None]:
    done = count(1)

    def act(_: str) -> None:
        if next(done) == step:
            action()

    return act


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], dict[str, Any]]:
    """The steps of the second ingestion and what comes of it, in user shards."""
    deployment = open_deployment(describe(tmp_path_factory.mktemp("undisturbed")))
    state = told(deployment)
    steps = steps_of(deployment, state)
    end = ended(deployment, state)
    deployment.close()
    return steps, end


@pytest.mark.parametrize("point", ["message_commit", "message_apply", "last_commit"])
def test_killed_during_an_ingestion(
    own: OwnNode, undisturbed: tuple[list[str], dict[str, Any]], tmp_path: Path, point: str
) -> None:
    steps, expected = undisturbed
    points = {
        "message_commit": steps.index("commit") + 1,
        "message_apply": steps.index("apply") + 1,
        "last_commit": len(steps) - steps[::-1].index("commit"),
    }
    with index_on(own.url) as made:
        description = describe(tmp_path, node=own.url, index=made.names.base)
        deployment = open_deployment(description)
        state = told(deployment)
        with pytest.raises(IndexUnavailable):
            watched(deployment, after(points[point], own.kill)).run(state)
        _searches_fail_at_once(deployment)
        assert deployment.event(state.event_id).status is not EventStatus.FAILED

        own.start()
        another = open_deployment(description)
        resume(another)
        assert ended(another, state) == expected
        assert another.ledger.pending_marks(owner_of("ana")) == []
        _until_answered(deployment)
        assert "The home is Kyoto" in deployment.found("ana", "home Kyoto")
        deployment.close()
        another.close()


def _searches_fail_at_once(deployment: Deployment) -> None:
    """Once the process has seen that the node is away."""
    for _ in range(4):
        started = time.perf_counter()
        with pytest.raises(IndexUnavailable):
            deployment.search("ana", "home")
        taken = time.perf_counter() - started
        assert taken < OUTAGE_SECONDS
    assert taken < AT_ONCE_SECONDS


def _until_answered(deployment: Deployment) -> None:
    """Until the process that saw the node go asks it again, which it must in ten seconds."""
    deadline = time.monotonic() + 10
    while True:
        try:
            deployment.index.match(owner_of("ana"), "home", filter=EVERYTHING, limit=1)
        except IndexUnavailable:
            assert time.monotonic() < deadline, "the circuit does not close"
            time.sleep(0.1)
        else:
            return
