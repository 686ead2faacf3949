"""Dated lines for a prompt, best first, within a number of tokens."""

from __future__ import annotations

import pytest
from deployment import Deployment

from cognis_memory.domain.tokens import estimate_tokens


@pytest.fixture(scope="module")
def told(shared_deployment: Deployment) -> Deployment:
    deployment = shared_deployment
    timestamp = "2026-07-07T16:00:00Z"
    for content in (
        "My home is Tokyo.",
        "Note: sails boats on lakes.",
        "私の趣味は釣りです。",
        "Rain fell on\n  the lake.",
    ):
        deployment.add("ana", {"role": "user", "content": content, "speaker": "Ana", "timestamp": timestamp})
    return deployment


def test_lines_are_dated_in_the_readers_zone(told: Deployment) -> None:
    in_utc = told.context("ana", "home in Tokyo", include_messages=False)
    in_tokyo = told.context("ana", "home in Tokyo", include_messages=False, timezone="Asia/Tokyo")

    assert in_utc.text.splitlines()[0] == "- [2026-07-07] The home is Tokyo"
    assert in_tokyo.text.splitlines()[0] == "- [2026-07-08] The home is Tokyo"


def test_a_message_names_its_speaker_and_takes_one_line(told: Deployment) -> None:
    text = told.context("ana", "rain on the lake").text
    assert "- [2026-07-07] Ana: Rain fell on the lake." in text.splitlines()


def test_earlier_versions_stand_behind(deployment: Deployment) -> None:
    told = deployment
    told.add("ana", {"role": "user", "content": "My home is Tokyo.", "timestamp": "2026-07-07T00:00:00Z"})
    told.add("ana", {"role": "user", "content": "My home is Osaka.", "timestamp": "2026-07-09T00:00:00Z"})
    text = told.context("ana", "Where was my home before?", include_messages=False).text

    assert text.splitlines()[0] == "- [2026-07-09] The home is Osaka (before: The home is Tokyo)"


def test_what_was_retracted_says_until_when_it_was(deployment: Deployment) -> None:
    for day, content in ((7, "My home is Tokyo."), (8, "My home is Osaka."), (9, "Forget my home.")):
        deployment.add(
            "ana", {"role": "user", "content": content, "timestamp": f"2026-07-{day:02}T20:00:00Z"}
        )
    text = deployment.context(
        "ana", "Where was my home before?", include_messages=False, timezone="Asia/Tokyo"
    ).text

    assert text == "- [2026-07-09] The home is Osaka (until 2026-07-10, before: The home is Tokyo)"


@pytest.mark.parametrize("max_tokens", [1, 12, 13, 20, 30, 50, 1_000])
def test_no_more_tokens_than_asked_for(told: Deployment, max_tokens: int) -> None:
    answer = told.context("ana", "home Tokyo boats lake 趣味 釣り", max_tokens=max_tokens)

    assert estimate_tokens(answer.text) <= answer.tokens <= max_tokens
    assert len(answer.text.splitlines()) == len(answer.memory_ids)
    if max_tokens == 1_000:
        assert len(answer.memory_ids) > 3


def test_best_first(told: Deployment) -> None:
    found = [result.id for result in told.search("ana", "boats on the lake").results]
    assert told.context("ana", "boats on the lake").memory_ids == found


def test_nothing_relevant_is_no_text(told: Deployment) -> None:
    answer = told.context("ana", "quantum chromodynamics lecture")
    assert (answer.text, answer.memory_ids, answer.tokens) == ("", [], 0)
