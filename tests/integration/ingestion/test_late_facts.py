"""Time order, not arrival order: a fact told late stands where it belongs in the history (invariant 6)."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from deployment import Deployment
from engines import describe, open_deployment

from cognis_local.extraction import RulesExtractor
from cognis_memory.models.values import Kind, Operation
from cognis_memory.services.verification import verify


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


@pytest.mark.parametrize(
    "told",
    [
        ["I go to the gym every Monday.", "I stopped going to the gym.", "I started going to the gym again."],
        ["毎週月曜にジムに通っています。", "ジムをやめました。", "またジムに通い始めました。"],
    ],
)
def test_an_end_told_late_is_known_to_what_follows_in_the_same_request(
    deployment: Deployment, told: list[str]
) -> None:
    deployment = deployment.with_(extractor=RulesExtractor())
    deployment.add("ana", [_said(day, text) for day, text in zip((1, 5, 9), told, strict=True)][::-1])

    assert [operation for _, operation in _chain(deployment)] == [
        Operation.ADD,
        Operation.DELETE,
        Operation.ADD,
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


def test_a_repeat_outlives_what_is_told_late_of_the_time_before_it(any_deployment: Deployment) -> None:
    """Osaka on the 5th and still on the 20th: Kyoto on the 10th lies between."""
    any_deployment.add("ana", _said(5, "My home is Osaka."))
    repeat = any_deployment.add("ana", [_said(20, "My home is Osaka."), _said(20, "What a day.")])
    assert [operation.operation for operation in repeat.operations] == [Operation.NONE]
    any_deployment.add("ana", _said(10, "My home is Kyoto."))

    assert any_deployment.texts("ana") == ["The home is Osaka"]
    assert [text for text, _ in _chain(any_deployment)] == [
        "The home is Osaka",
        "The home is Kyoto",
        "The home is Osaka",
    ]
    for day, home in ((7, "Osaka"), (15, "Kyoto"), (25, "Osaka")):
        moment = f"2026-03-{day:02}T00:00:00Z"
        assert any_deployment.found("ana", "home", as_of=moment, include_messages=False) == [
            f"The home is {home}"
        ]
    assert verify(any_deployment.ledger, any_deployment.index).clean


def test_the_message_of_a_repeat_is_evidence_of_the_version_that_comes_of_it(deployment: Deployment) -> None:
    deployment.add("ana", _said(5, "My home is Osaka."))
    deployment.add("ana", _said(20, "Truly: My home is Osaka."))
    deployment.add("ana", _said(10, "My home is Kyoto."))

    (current,) = deployment.list("ana").memories
    shown = deployment.search("ana", "home", min_relevance=0).results
    assert [result.memory for result in shown if result.kind is Kind.MESSAGE] == ["Truly: My home is Osaka."]
    assert current.source_messages == [result.id for result in shown if result.kind is Kind.MESSAGE]
    assert current.created_at == deployment.clock()


def test_a_repeat_told_late_is_true_since_it_was_said(deployment: Deployment) -> None:
    deployment.add("ana", _said(20, "My home is Osaka."))
    repeat = deployment.add("ana", _said(5, "My home is Osaka."))

    assert [operation.operation for operation in repeat.operations] == [Operation.NONE]
    assert len(_chain(deployment)) == 1
    assert deployment.found("ana", "home", as_of="2026-03-10T00:00:00Z", include_messages=False) == [
        "The home is Osaka"
    ]


def test_a_change_by_hand_stands_above_every_repeat(deployment: Deployment) -> None:
    """Even one that is dated after it."""
    deployment.add("ana", _said(5, "My home is Osaka."))
    deployment.add(
        "ana", {"role": "user", "content": "My home is Osaka.", "timestamp": "2027-01-01T00:00:00Z"}
    )
    (osaka,) = deployment.list("ana").memories
    deployment.change("ana", osaka.id, content="The home is Nara")

    assert deployment.texts("ana") == ["The home is Nara"]
    assert [text for text, _ in _chain(deployment)] == ["The home is Osaka", "The home is Nara"]


TOWNS = {"My home is {}.": "The home is {}", "私の家は{}です。": "家は{}です"}


@pytest.mark.parametrize("sentence", TOWNS)
@pytest.mark.parametrize("order", [(4, 1, 3, 2), (3, 4, 1, 2), (2, 4, 3, 1)])
def test_several_late_facts_in_one_request(
    deployment: Deployment, sentence: str, order: tuple[int, ...]
) -> None:
    """After the first, which comes alone; the number is the day of the month."""
    first, *rest = [_said(day, sentence.format(f"A{day}")) for day in order]
    deployment.add("ana", first)
    deployment.add("ana", rest)

    assert [text for text, _ in _chain(deployment)] == [
        TOWNS[sentence].format(f"A{day}") for day in range(1, 5)
    ]
    assert deployment.texts("ana") == [TOWNS[sentence].format("A4")]


@pytest.mark.parametrize("sentence", TOWNS)
def test_what_is_current_is_so_for_the_messages_after_a_late_one(
    deployment: Deployment, sentence: str
) -> None:
    """The second message is late; the third ends what the first said, not what the second did."""
    forget = "Forget my home." if sentence.isascii() else "私の家は忘れて。"
    deployment.add("ana", _said(10, sentence.format("A10")))
    event = deployment.add("ana", [_said(5, sentence.format("A5")), _said(12, forget)])

    assert deployment.texts("ana") == []
    assert event.operations[1].memory == TOWNS[sentence].format("A10")


@pytest.mark.parametrize("sentence", TOWNS)
@pytest.mark.parametrize("runs", list(permutations(range(3))))
def test_ties_of_time_break_by_event_in_any_order_of_runs(
    deployment: Deployment, sentence: str, runs: tuple[int, ...]
) -> None:
    states = [deployment.accept("ana", _said(1, sentence.format(f"A{number}"))) for number in range(3)]
    for number in runs:
        deployment.run(states[number])

    assert [text for text, _ in _chain(deployment)] == [TOWNS[sentence].format(f"A{n}") for n in range(3)]


@pytest.mark.parametrize(
    "order", [(1, 10, 20), (1, 20, 10), (10, 1, 20), (10, 20, 1), (20, 1, 10), (20, 10, 1)]
)
def test_a_retraction_finds_its_place_in_any_order(deployment: Deployment, order: tuple[int, ...]) -> None:
    texts = {1: "My home is Tokyo.", 10: "Forget my home.", 20: "My home is Tokyo."}
    for day in order:
        deployment.add("ana", _said(day, texts[day]))

    assert [operation for _, operation in _chain(deployment)] == [
        Operation.ADD,
        Operation.DELETE,
        Operation.ADD,
    ]
    assert deployment.texts("ana") == ["The home is Tokyo"]
