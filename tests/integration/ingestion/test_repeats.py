"""Whatever runs twice ends where it would have ended when run once (invariant 4)."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from deployment import Deployment
from engines import describe, open_deployment
from run_stage import STAGES
from snapshots import end_state, found_documents

from cognis_memory.models.event import EventStatus
from cognis_memory.models.values import Operation

BEFORE = ["My home is Tokyo. My job is baker.", "Note: likes rain."]
MESSAGES = [
    {"role": "system", "content": "My home is a server."},
    {"role": "user", "content": "My home is Osaka. My home is Kyoto. Note: likes rain.", "speaker": "Ana"},
    {"role": "assistant", "content": "How lovely."},
    {"role": "user", "content": "Forget my job. I went there last week."},
    {"role": "user", "content": "私の趣味は釣りです。メモ：雨が好き。"},
]


@pytest.fixture
def undisturbed(tmp_path: Path) -> dict[str, Any]:
    """The end state when everything runs once."""
    once = open_deployment(describe(tmp_path / "once"))
    once.add("ana", BEFORE)
    event = once.add("ana", MESSAGES)
    state = end_state(once, "ana", [event.event_id])
    once.close()
    return state


def any_engine(state: dict[str, Any]) -> dict[str, Any]:
    """What an end state has in common on all engines."""
    return state | {"index": found_documents(state["index"])}


def test_every_stage_twice(any_deployment: Deployment, undisturbed: dict[str, Any]) -> None:
    any_deployment.add("ana", BEFORE)
    state = any_deployment.accept("ana", MESSAGES)
    for stage in STAGES.values():
        stage(any_deployment.ingestion, state)
        state = stage(any_deployment.ingestion, state)

    end = end_state(any_deployment, "ana", [state.event_id])
    assert any_engine(end) == any_engine(undisturbed)


def test_the_whole_ingestion_twice(any_deployment: Deployment, undisturbed: dict[str, Any]) -> None:
    any_deployment.add("ana", BEFORE)
    state = any_deployment.accept("ana", MESSAGES)
    any_deployment.run(state)
    any_deployment.run(state)

    end = end_state(any_deployment, "ana", [state.event_id])
    assert any_engine(end) == any_engine(undisturbed)


def test_every_prefix_of_the_stages_and_then_all(tmp_path: Path, undisturbed: dict[str, Any]) -> None:
    for length in range(len(STAGES)):
        deployment = open_deployment(describe(tmp_path / str(length)))
        deployment.add("ana", BEFORE)
        accepted = state = deployment.accept("ana", MESSAGES)
        for stage in list(STAGES.values())[:length]:
            state = stage(deployment.ingestion, state)
        deployment.run(accepted)

        assert end_state(deployment, "ana", [state.event_id]) == undisturbed
        deployment.close()


def test_stages_of_a_finished_event_have_nothing_to_do(deployment: Deployment) -> None:
    state = deployment.accept("ana", "My home is Tokyo.")
    deployment.run(state)
    other = deployment.add("ana", "My home is Osaka.")
    before = end_state(deployment, "ana", [state.event_id, other.event_id])
    for stage in STAGES.values():
        state = stage(deployment.ingestion, state)

    assert end_state(deployment, "ana", [state.event_id, other.event_id]) == before


def test_two_runs_of_one_event_at_once_end_as_one(tmp_path: Path, undisturbed: dict[str, Any]) -> None:
    """A second delivery, or a second process that sweeps, may meet the first at any point."""
    for attempt in range(4):
        deployment = open_deployment(describe(tmp_path / str(attempt)))
        deployment.add("ana", BEFORE)
        deployment.retries = replace(deployment.retries, first_delay=0.05)
        state = deployment.accept("ana", MESSAGES)
        runs = [threading.Thread(target=deployment.run, args=(state,)) for _ in range(2)]
        for run in runs:
            run.start()
        for run in runs:
            run.join()

        assert deployment.event(state.event_id).status is EventStatus.SUCCEEDED
        assert _without_usage(end_state(deployment, "ana", [state.event_id])) == _without_usage(undisturbed)
        deployment.close()


def _without_usage(state: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in state.items() if name != "events"}


@pytest.mark.parametrize("sentence", ["Note: likes rain.", "メモ：雨が好き。"])
def test_a_fact_told_twice_in_one_request_is_one_memory_beside_many_others(
    deployment: Deployment, sentence: str
) -> None:
    """What the first message gives is not held yet; what is held is like the second in more ways than one."""
    things = ("home", "job", "car", "pet", "color", "town", "band", "club", "team", "dish", "book", "game")
    deployment.add("ana", [f"My {thing} is {thing}1." for thing in things])
    deployment.add(
        "ana", [f"私の{thing}は{thing}2です。" for thing in ("家", "仕事", "車", "趣味", "色", "町")]
    )
    event = deployment.add("ana", [sentence, sentence])

    assert [done.operation for done in event.operations] == [Operation.ADD, Operation.NONE]


def test_a_fact_told_again_is_found_though_others_stand_in_more_lists(deployment: Deployment) -> None:
    """Attributes, and memories in another language, have lists of their own; what leads one list is shown."""
    things = ("home", "job", "car", "pet", "color", "town", "band", "club", "team", "dish", "book", "game")
    more = ("shop", "desk", "lamp", "hat", "coat", "boat", "bike", "tree", "bird", "song")
    for start in range(0, 20, 5):
        deployment.add("ana", [f"My {thing} is {thing}1." for thing in (*things, *more)[start : start + 5]])
    deployment.add("ana", "メモ：映画が好き。")
    again = deployment.add("ana", "メモ：映画が好き。")

    assert [done.operation for done in again.operations] == [Operation.NONE]
