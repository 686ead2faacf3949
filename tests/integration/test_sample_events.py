"""The sample events: one for each route, state and schedule, each answered as is written beside it."""

from __future__ import annotations

import io
import json
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import play_events
import pytest
from play_events import SAMPLES, Played, function_of, play

from cognis_cdk.functions import (
    ALL_FUNCTIONS,
    CHECK_UPLOAD,
    ERASURE_STATES,
    FIND_UPLOAD,
    INGESTION_STATES,
    RECORD_FAILURE,
    TRANSFER_STATES,
)
from cognis_memory.runtime.http.routes import ROUTES, Route

FILES = {path.relative_to(SAMPLES).as_posix() for path in SAMPLES.glob("*/*")}


def _sample(file: str) -> Any:
    return json.loads((SAMPLES / file).read_text())


def _named(folder: str) -> set[str]:
    return {Path(file).stem for file in FILES if file.startswith(f"{folder}/")}


@pytest.fixture(scope="module")
def played() -> dict[str, Played]:
    return {each.file: each for each in play(log=io.StringIO())}


def test_every_sample_is_answered_as_written_down(played: dict[str, Played]) -> None:
    assert {file: each.answer for file, each in played.items() if not each.as_expected} == {}


def test_every_sample_has_an_answer_and_every_answer_a_sample(played: dict[str, Played]) -> None:
    assert set(played) == FILES


def test_every_route_has_a_sample_beside_the_authorizers() -> None:
    assert _named("http") == {route.name for route in ROUTES} | {"authorizer"}


def test_every_state_of_every_machine_has_a_sample() -> None:
    assert _named("states") == {
        function.folder for function in (*INGESTION_STATES, *ERASURE_STATES, *TRANSFER_STATES)
    }


def test_every_function_has_a_sample_and_no_sample_is_without_one() -> None:
    assert {function_of(file) for file in FILES} == {function.folder for function in ALL_FUNCTIONS}


def test_states_follow_each_other(played: dict[str, Played]) -> None:
    """What a state answers is, to the letter, the sample of the next."""
    ingestion = [spec for spec in INGESTION_STATES if spec is not RECORD_FAILURE]
    for machine in (ingestion, ERASURE_STATES, (FIND_UPLOAD, CHECK_UPLOAD)):
        states = [f"states/{spec.folder}.json" for spec in machine]
        for state, following in pairwise(states):
            assert played[state].answer == _sample(following)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
def test_a_routes_sample_is_an_event_of_the_gateway_that_fits_together(route: Route) -> None:
    event = _sample(f"http/{route.name}.json")
    context = event["requestContext"]
    assert (event["httpMethod"], event["resource"]) == (route.method, route.path)
    assert (context["httpMethod"], context["resourcePath"]) == (route.method, route.path)
    assert event["path"] == route.path.format(**(event["pathParameters"] or {}))
    assert context["path"] == f"/{context['stage']}{event['path']}"
    assert event["multiValueHeaders"] == {name: [value] for name, value in event["headers"].items()}
    query = event["queryStringParameters"]
    assert event["multiValueQueryStringParameters"] == (
        query and {name: [value] for name, value in query.items()}
    )
    assert ("authorizer" in context, "X-Api-Key" in event["headers"]) == (route.authorized, route.authorized)


def test_routes_are_called_with_what_the_authorizer_answers(played: dict[str, Played]) -> None:
    verdict = played["http/authorizer.json"].answer
    asked_with = _sample("http/authorizer.json")["headers"]["X-Api-Key"]
    for route in (route for route in ROUTES if route.authorized):
        event = _sample(f"http/{route.name}.json")
        context = event["requestContext"]["authorizer"]
        del context["integrationLatency"]
        assert context == {"principalId": verdict["principalId"], **verdict["context"]}
        assert event["headers"]["X-Api-Key"] == asked_with


def test_a_wrong_answer_fails_the_run_and_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sample asks for a memory that nobody has."""
    changed = shutil.copytree(SAMPLES, tmp_path / "events")
    file = changed / "http" / "get_memory.json"
    sample = json.loads(file.read_text())
    sample["pathParameters"]["memory_id"] = "mem_none"
    file.write_text(json.dumps(sample))
    assert play_events.main(changed) == 1
    wrong = [line for line in capsys.readouterr().out.splitlines() if "NOT AS EXPECTED" in line]
    assert [line.split()[0] for line in wrong] == ["http/get_memory.json"]


def test_the_readme_names_every_sample() -> None:
    text = (SAMPLES / "README.md").read_text()
    assert [file for file in sorted(FILES) if f"`{file}`" not in text] == []
