"""Time order, not arrival order: a fact told late stands where it belongs in the history (invariant 6)."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from deployment import Deployment
from engines import describe, open_deployment

from cognis_memory.models.values import Operation


def _said(day: int, content: str) -> dict[str, Any]:
    return {"role": "user", "content": content, "timestamp": f"2026-03-{day:02}T10:00:00Z"}


def _chain(deployment: Deployment, user: str = "ana") -> list[tuple[str, str]]:
    """The only chain of that user: texts and operations, oldest first."""
    everything = deployment.list(user, include_history=True, limit=100).memories
    chains = {
        tuple((version.memory, version.operation) for version in deployment.history(user, memory.id).history)
        for memory in everything
    }
    (chain,) = chains
    return list(chain)


def test_a_late_fact_goes_into_the_history(any_deployment: Deployment) -> None:
    any_deployment.add("ana", _said(20, "My home is Osaka."))
    event = any_deployment.add("ana", _said(10, "My home is Tokyo."))

    assert any_deployment.texts("ana") == ["The home is Osaka"]
    assert _chain(any_deployment) == [
        ("The home is Tokyo", Operation.ADD),
        ("The home is Osaka", Operation.UPDATE),
    ]
    (told,) = event.operations
    assert (told.operation, told.memory, told.replaces_id) == (Operation.UPDATE, "The home is Tokyo", None)
    late = any_deployment.get("ana", told.memory_id)
    assert not late.is_current
    current = any_deployment.list("ana").memories[0]
    assert (current.replaces_id, current.version) == (late.id, 2)


def test_a_late_fact_goes_between_two_versions(any_deployment: Deployment) -> None:
    for day, town in ((1, "Tokyo"), (20, "Osaka"), (10, "Kyoto")):
        any_deployment.add("ana", _said(day, f"My home is {town}."))

    assert [text for text, _ in _chain(any_deployment)] == [
        "The home is Tokyo",
        "The home is Kyoto",
        "The home is Osaka",
    ]
    assert any_deployment.texts("ana") == ["The home is Osaka"]


def test_a_late_retraction_ends_what_was_held_then_and_not_what_came_after(
    any_deployment: Deployment,
) -> None:
    any_deployment.add("ana", _said(1, "My home is Tokyo."))
    any_deployment.add("ana", _said(20, "My home is Osaka."))
    any_deployment.add("ana", _said(10, "Forget my home."))

    assert any_deployment.texts("ana") == ["The home is Osaka"]
    assert [operation for _, operation in _chain(any_deployment)] == [
        Operation.ADD,
        Operation.DELETE,
        Operation.ADD,
    ]
    assert (
        any_deployment.found("ana", "where is the home", as_of="2026-03-15T00:00:00Z", include_messages=False)
        == []
    )


def test_every_order_of_arrival_ends_in_the_same_chain(tmp_path: Path) -> None:
    said = [_said(1, "My home is Tokyo."), _said(5, "My home is Osaka."), _said(9, "My home is Kyoto.")]
    outcomes = []
    for number, order in enumerate(permutations(said)):
        deployment = open_deployment(describe(tmp_path / str(number)))
        for message in order:
            deployment.add("ana", message)
        current = deployment.texts("ana")
        outcomes.append((_chain(deployment), current))
        deployment.close()

    texts = ["The home is Tokyo", "The home is Osaka", "The home is Kyoto"]
    operations = [Operation.ADD, Operation.UPDATE, Operation.UPDATE]
    assert outcomes == [(list(zip(texts, operations, strict=True)), ["The home is Kyoto"])] * 6


def test_messages_of_one_request_out_of_order(any_deployment: Deployment) -> None:
    any_deployment.add(
        "ana", [_said(9, "My home is Kyoto."), _said(1, "My home is Tokyo."), _said(5, "My home is Osaka.")]
    )

    assert [text for text, _ in _chain(any_deployment)] == [
        "The home is Tokyo",
        "The home is Osaka",
        "The home is Kyoto",
    ]


def test_ties_of_time_break_by_position_and_then_by_event(any_deployment: Deployment) -> None:
    any_deployment.add("ana", [_said(1, "My home is Tokyo."), _said(1, "My home is Osaka.")])
    any_deployment.add("ana", [_said(1, "My home is Kyoto."), _said(1, "My home is Nara.")])

    assert [text for text, _ in _chain(any_deployment)] == [
        "The home is Tokyo",
        "The home is Osaka",
        "The home is Kyoto",
        "The home is Nara",
    ]


def test_a_tie_breaks_by_event_whichever_runs_first(deployment: Deployment) -> None:
    first = deployment.accept("ana", _said(1, "My home is Tokyo."))
    second = deployment.accept("ana", _said(1, "My home is Osaka."))
    deployment.run(second)
    deployment.run(first)

    assert deployment.texts("ana") == ["The home is Osaka"]


@pytest.mark.parametrize(
    ("day", "expected"), [(1, []), (5, ["The home is Tokyo"]), (15, ["The home is Osaka"])]
)
def test_as_of_follows_the_order_of_time(deployment: Deployment, day: int, expected: list[str]) -> None:
    deployment.add("ana", _said(12, "My home is Osaka."))
    deployment.add("ana", _said(3, "My home is Tokyo."))

    moment = f"2026-03-{day:02}T00:00:00Z"
    assert deployment.found("ana", "home", as_of=moment, include_messages=False) == expected


def test_a_late_message_is_hidden_as_its_fact_is_history(deployment: Deployment) -> None:
    deployment.add("ana", _said(20, "My home is Osaka."))
    deployment.add("ana", _said(10, "My home is Tokyo."))

    assert "My home is Tokyo." not in deployment.found("ana", "home Tokyo")
    assert "My home is Tokyo." in deployment.found("ana", "home Tokyo", as_of="2026-03-12T00:00:00Z")
