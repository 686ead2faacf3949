"""A message is returned while it has no link or a current one (invariant 8)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from deployment import Deployment

from cognis_memory.models.values import Kind


def _messages(deployment: Deployment, query: str, **options: Any) -> list[str]:
    answer = deployment.search("ana", query, top_k=100, **options)
    return [result.memory for result in answer.results if result.kind is Kind.MESSAGE]


def test_without_a_link(deployment: Deployment) -> None:
    deployment.add("ana", "The rain drums on the roof.")
    assert _messages(deployment, "rain on the roof") == ["The rain drums on the roof."]


def test_with_a_current_link(deployment: Deployment) -> None:
    deployment.add("ana", "Hello! My home is Tokyo.")
    assert _messages(deployment, "home Tokyo") == ["Hello! My home is Tokyo."]


def test_with_a_replaced_link(deployment: Deployment) -> None:
    deployment.add("ana", "My home is Tokyo, as ever.")
    deployment.add("ana", "Well! My home is Osaka.")
    assert _messages(deployment, "home Tokyo Osaka") == ["Well! My home is Osaka."]


def test_with_a_replaced_and_a_current_link(deployment: Deployment) -> None:
    deployment.add("ana", "My home is Tokyo. My job is baker.")
    deployment.add("ana", "My home is Osaka. Bye.")
    assert "My home is Tokyo. My job is baker." in _messages(deployment, "home Tokyo baker")

    deployment.add("ana", "My job is pilot. Bye.")
    assert "My home is Tokyo. My job is baker." not in _messages(deployment, "home Tokyo baker")


@pytest.mark.parametrize(
    ("stated", "retracted", "query"),
    [
        (
            "Hello! My home is Tokyo.",
            "Forget my home. The café opens on Monday.",
            "Does the café open Monday?",
        ),
        ("こんにちは。私の家は東京です。", "私の家は忘れて。喫茶店は月曜日に開く。", "喫茶店は月曜日？"),
    ],
    ids=["en", "ja"],
)
def test_that_retracts_is_evidence(deployment: Deployment, stated: str, retracted: str, query: str) -> None:
    """It says what is so now, and whatever else it says; the message of what it retracts is none."""
    deployment.add("ana", stated)
    deployment.add("ana", retracted)

    assert _messages(deployment, query, min_relevance=0) == [retracted]


def _home(day: int, town: str | None) -> dict[str, Any]:
    """What says on that day of March where the home is, or retracts it."""
    content = f"Hi! My home is {town}." if town else "Hi! Forget my home."
    return {"role": "user", "content": content, "timestamp": f"2026-03-{day:02}T00:00:00Z"}


def test_that_retracts_what_was_stated_anew_later(deployment: Deployment) -> None:
    """Whatever comes in first, the last word counts."""
    for day, text in ((1, "Tokyo"), (21, "Osaka"), (11, None)):
        deployment.add("ana", _home(day, text))

    assert _messages(deployment, "home") == ["Hi! My home is Osaka."]


def test_that_retracts_as_of_a_time(deployment: Deployment) -> None:
    for day, text in ((1, "Tokyo"), (11, None), (21, "Osaka")):
        deployment.add("ana", _home(day, text))

    assert _messages(deployment, "home", as_of="2026-03-05T00:00:00Z") == ["Hi! My home is Tokyo."]
    assert _messages(deployment, "home", as_of="2026-03-15T00:00:00Z") == ["Hi! Forget my home."]


def test_that_repeats_what_is_replaced_later(deployment: Deployment) -> None:
    deployment.add("ana", "My home is Tokyo.")
    deployment.add("ana", "As I said: My home is Tokyo.")
    assert "As I said: My home is Tokyo." in _messages(deployment, "said home Tokyo")

    deployment.add("ana", "Well! My home is Osaka.")
    assert _messages(deployment, "said home Tokyo") == ["Well! My home is Osaka."]


def test_whose_memory_is_changed_by_hand(deployment: Deployment) -> None:
    deployment.add("ana", "Hello! My home is Tokyo.")
    deployment.change("ana", deployment.list("ana").memories[0].id, content="Ana lives in Kobe")
    assert _messages(deployment, "home Tokyo") == []


def test_whose_memory_expired(deployment: Deployment) -> None:
    deployment.add("ana", "Hello! My home is Tokyo.")
    later = deployment.clock() + timedelta(hours=1)
    deployment.change("ana", deployment.list("ana").memories[0].id, expires_at=later.isoformat())
    deployment.clock.advance(timedelta(hours=2))
    assert _messages(deployment, "home Tokyo") == []


@pytest.mark.parametrize("role", ["system", "tool"])
def test_of_systems_and_tools_never(deployment: Deployment, role: str) -> None:
    deployment.add("ana", [{"role": role, "content": "My home is Tokyo."}, "What a day."])

    assert deployment.texts("ana") == []
    assert deployment.found("ana", "home Tokyo") == []


def test_of_assistants_as_those_of_users(deployment: Deployment) -> None:
    deployment.add("ana", {"role": "assistant", "content": "The rain drums on the roof."})
    assert _messages(deployment, "rain on the roof") == ["The rain drums on the roof."]


def test_short_answers_are_found_by_what_was_said_before(deployment: Deployment) -> None:
    turns = [
        {"role": "assistant", "content": "Which instrument did you play as a child?"},
        {"role": "user", "content": "The cello."},
    ]
    deployment.add("ana", [*turns, "It rained all night."])
    assert "The cello." in _messages(deployment, "instrument played as a child")[:2]


def test_turns_of_an_earlier_request_are_context_when_they_are_recent(deployment: Deployment) -> None:
    deployment.add("ana", "Which instrument did you play as a child?", context_id="chat")
    deployment.clock.advance(timedelta(minutes=5))
    deployment.add("ana", "The cello.", context_id="chat")
    deployment.clock.advance(timedelta(hours=2))
    deployment.add("ana", "The oboe.", context_id="chat")
    ranks = _messages(deployment, "instrument played as a child")

    assert "The cello." in ranks
    assert "The oboe." not in ranks[: ranks.index("The cello.") + 1]


def test_without_messages_only_memories_answer(deployment: Deployment) -> None:
    deployment.add("ana", ["Hello! My home is Tokyo.", "Tokyo is my home, they say."])
    answer = deployment.search("ana", "home Tokyo", include_messages=False)

    assert [(result.kind, result.memory) for result in answer.results] == [(Kind.MEMORY, "The home is Tokyo")]


def test_at_a_time_when_its_memory_held(deployment: Deployment) -> None:
    for day, town in ((1, "Tokyo"), (11, "Osaka")):
        said = {
            "role": "user",
            "content": f"Hi! My home is {town}.",
            "timestamp": f"2026-03-{day:02}T00:00:00Z",
        }
        deployment.add("ana", said)

    assert _messages(deployment, "home", as_of="2026-03-05T00:00:00Z") == ["Hi! My home is Tokyo."]
    assert _messages(deployment, "home", as_of="2026-03-15T00:00:00Z") == ["Hi! My home is Osaka."]
    assert _messages(deployment, "home", as_of="2026-02-01T00:00:00Z") == []


def test_a_message_in_the_shape_of_a_result(deployment: Deployment) -> None:
    deployment.add(
        "ana",
        {"role": "user", "content": "The rain drums on the roof.", "speaker": "Ana"},
        context_id="chat",
        agent_id="support",
        metadata={"plan": "pro"},
    )
    (result,) = deployment.search("ana", "rain on the roof").results

    assert result.kind is Kind.MESSAGE
    assert (result.speaker, result.context_id, result.agent_id) == ("Ana", "chat", "support")
    assert result.metadata == {"plan": "pro"}
    assert (result.category, result.version, result.replaces_id) == (None, None, None)
    assert result.source_messages == [result.id]
