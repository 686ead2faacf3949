"""kill -9 at any step, then another run: the same end state as undisturbed, nothing lost, nothing doubled."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from deployment import Deployment, MessageInput, owner_of
from engines import describe, open_deployment
from fakes import NOW
from interruptions import run_and_kill, steps_of, watched
from snapshots import end_state

from cognis_memory.errors import LedgerUnavailable, NotFound
from cognis_memory.models.event import EventStatus
from cognis_memory.services.ingestion.state import LEASE_DURATION, IngestionState
from cognis_memory.services.payload_keys import request_key
from cognis_memory.services.sweep import idle_events, owners_behind

FIRST = ["My home is Tokyo. My job is baker. Note: likes rain."]
SECOND = [
    "My home is Osaka. My home is Kyoto. Note: likes rain.",
    "What a day!",
    "Forget my job. 私の趣味は釣りです。",
]
MANY_FACTS = ["Forget my job. My home is Osaka. " + " ".join(f"Note: thing {n}." for n in range(40))]


class Interrupted:
    """A folder in which an ingestion is accepted, to be copied and run in many ways."""

    def __init__(
        self, folder: Path, messages: Sequence[MessageInput], before: Sequence[MessageInput] = FIRST
    ) -> None:
        self._folder = folder
        self._copies = 0
        with _opened(folder / "accepted") as deployment:
            deployment.add("ana", before)
            self.state = deployment.accept("ana", messages)
        with self.copy() as deployment:
            self.steps = steps_of(deployment, self.state)
            self.undisturbed = self.end_state(deployment)

    @contextmanager
    def copy(self, *killed_after: int) -> Iterator[Deployment]:
        """A copy whose ingestion was run and killed after so many steps, again for each number."""
        self._copies += 1
        folder = self._folder / str(self._copies)
        shutil.copytree(self._folder / "accepted", folder)
        for steps in killed_after:
            run_and_kill(describe(folder), self.state, steps)
        with _opened(folder) as deployment:
            yield deployment

    def end_state(self, deployment: Deployment) -> dict[str, Any]:
        """Without what the event consumed, which is more after a second run of the extractor."""
        state = end_state(deployment, "ana", [self.state.event_id])
        event = state["events"][0]
        assert event.status is EventStatus.SUCCEEDED
        return {**state, "events": event.operations}

    def commits(self) -> list[int]:
        """After which steps a commit is done."""
        return [number for number, step in enumerate(self.steps, start=1) if step == "commit"]


def test_killed_after_any_step(tmp_path: Path) -> None:
    ingestion = Interrupted(tmp_path, SECOND)
    assert {"commit", "embed", "extract", "apply", "put", "acquire_lease"} <= set(ingestion.steps)

    for killed_after, step in enumerate(ingestion.steps, start=1):
        with ingestion.copy(killed_after) as deployment:
            _resume(deployment)
            assert ingestion.end_state(deployment) == ingestion.undisturbed, f"after {killed_after}, {step}"


def test_killed_between_the_commits_of_one_long_message(tmp_path: Path) -> None:
    """Read again it would give other facts than before: the job is forgotten already."""
    ingestion = Interrupted(tmp_path, MANY_FACTS)
    assert len(ingestion.commits()) >= 3

    for killed_after in ingestion.commits():
        with ingestion.copy(killed_after) as deployment:
            _resume(deployment)
            assert ingestion.end_state(deployment) == ingestion.undisturbed, f"after {killed_after}"


def test_killed_between_the_transactions_that_renumber_a_long_chain(tmp_path: Path) -> None:
    """One fact that is older than 100 versions renumbers all of them, more than a transaction holds."""
    towns = [_said(f"My home is Town{day}.", day) for day in range(1, 101)]
    ingestion = Interrupted(tmp_path, [_said("My home is Origin.", day=0)], before=towns)
    assert len(ingestion.commits()) >= 3

    for killed_after in ingestion.commits():
        with ingestion.copy(killed_after) as deployment:
            _resume(deployment)
            assert ingestion.end_state(deployment) == ingestion.undisturbed, f"after {killed_after}"


@pytest.mark.parametrize("killed_after", [(4, 2), (9, 6), (20, 5, 3), (22, 10)])
def test_killed_again_while_it_is_run_again(tmp_path: Path, killed_after: tuple[int, ...]) -> None:
    ingestion = Interrupted(tmp_path, SECOND)

    with ingestion.copy(*killed_after) as deployment:
        _resume(deployment)
        assert ingestion.end_state(deployment) == ingestion.undisturbed


def test_the_answer_of_any_step_lost(tmp_path: Path) -> None:
    """The step is done, but whoever asked for it hears of a timeout and repeats the whole state."""
    ingestion = Interrupted(tmp_path, SECOND)

    for lost, step in enumerate(ingestion.steps, start=1):
        with ingestion.copy() as deployment:
            watched(deployment, _losing(lost)).run(ingestion.state)
            assert ingestion.end_state(deployment) == ingestion.undisturbed, f"answer {lost}, of {step}"


def _losing(answer: int) -> Callable[[str], None]:
    done = count(1)

    def lose(_: str) -> None:
        if next(done) == answer:
            raise LedgerUnavailable("the answer was lost")

    return lose


def test_no_payload_outlives_its_event(tmp_path: Path) -> None:
    ingestion = Interrupted(tmp_path, SECOND)
    ended = ingestion.steps.index("delete")

    with ingestion.copy(ended) as deployment:
        _resume(deployment)
        with pytest.raises(NotFound):
            deployment.payloads.get(request_key(owner_of("ana"), ingestion.state.event_id))


def test_messages_are_found_though_the_process_died_before_any_model_read_them(tmp_path: Path) -> None:
    ingestion = Interrupted(tmp_path, SECOND)
    projected = ingestion.steps.index("apply") + 1

    with ingestion.copy(projected) as deployment:
        assert "What a day!" in deployment.found("ana", "What a day it was")


def test_a_dead_holder_keeps_others_out_no_longer_than_its_lease(tmp_path: Path) -> None:
    ingestion = Interrupted(tmp_path, SECOND)
    held = ingestion.steps.index("acquire_lease") + 1

    with ingestion.copy(held) as deployment:
        deployment.clock.advance(LEASE_DURATION + timedelta(seconds=1))
        assert deployment.add("ana", "My home is Nara.").status is EventStatus.SUCCEEDED
        _resume(deployment)
        assert "The home is Nara" in deployment.texts("ana")
        assert "The home is Kyoto" not in deployment.texts("ana")


def _resume(deployment: Deployment) -> None:
    """What a sweep, or the next start of a process, does."""
    later, at_once = deployment.clock() + timedelta(seconds=1), timedelta(0)
    for event in idle_events(deployment.ledger, later, idle=at_once):
        deployment.run(IngestionState.model_validate_json(event.reference.model_dump_json()))
    for owner in owners_behind(deployment.ledger, later, idle=at_once):
        deployment.projector.catch_up(owner)


@contextmanager
def _opened(folder: Path) -> Iterator[Deployment]:
    deployment = open_deployment(describe(folder))
    try:
        yield deployment
    finally:
        deployment.close()


def _said(content: str, day: int) -> dict[str, Any]:
    moment = NOW - timedelta(days=400) + timedelta(days=day)
    return {"role": "user", "content": content, "timestamp": moment.isoformat()}
