"""What an extractor is shown, and what becomes of its answers."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from deployment import Deployment

from cognis_memory.domain.pricing import ModelPrice, Prices
from cognis_memory.domain.tokens import estimate_tokens
from cognis_memory.models.event import EventStatus, Notice, Usage
from cognis_memory.models.extraction import ExtractedFact, Extraction, ExtractionRequest
from cognis_memory.models.values import Category, Operation


class Recording:
    """An extractor that keeps what it is asked and answers with a function of it."""

    def __init__(
        self, answer: Callable[[ExtractionRequest], Extraction] | None = None, chunk_messages: int = 1
    ) -> None:
        self.chunk_messages = chunk_messages
        self.asked: list[ExtractionRequest] = []
        self._answer = answer or (lambda _: Extraction(()))

    def extract(self, request: ExtractionRequest) -> Extraction:
        self.asked.append(request)
        return self._answer(request)


def _fact(**changes: Any) -> ExtractedFact:
    values: dict[str, Any] = {
        "operation": Operation.ADD,
        "content": "Ana likes rain",
        "category": Category.PREFERENCES,
        "message_index": 0,
    }
    return ExtractedFact(**(values | changes))


def test_messages_come_in_chunks_in_order_with_the_turns_before(deployment: Deployment) -> None:
    recording = Recording(chunk_messages=2)
    told = [{"role": "assistant" if n % 2 else "user", "content": f"Turn {n}."} for n in range(5)]
    deployment.with_(extractor=recording).add("ana", told, instructions="Remember dietary facts only.")

    assert [[m.content for m in request.messages] for request in recording.asked] == [
        ["Turn 0.", "Turn 1."],
        ["Turn 2.", "Turn 3."],
        ["Turn 4."],
    ]
    assert [[m.content for m in request.turns_before] for request in recording.asked] == [
        [],
        ["Turn 0.", "Turn 1."],
        ["Turn 2.", "Turn 3."],
    ]
    assert {request.instructions for request in recording.asked} == {"Remember dietary facts only."}


def test_speakers_and_dates_are_resolved_before(deployment: Deployment) -> None:
    recording = Recording()
    told = [
        {"role": "user", "content": "Hi, I am Ana.", "speaker": "Ana", "timestamp": "2026-07-15T00:30:00Z"},
        {"role": "user", "content": "I was there yesterday.", "timestamp": "2026-07-15T00:31:00Z"},
    ]
    deployment.with_(extractor=recording).add("ana", told, timezone="America/New_York")
    message = recording.asked[1].messages[0]

    assert message.speaker == "Ana"
    assert message.event_time is not None
    assert message.event_end is not None
    # It was still the 14th in New York, so yesterday was the 13th there, which began at 04:00 UTC.
    assert message.event_time.isoformat() == "2026-07-13T04:00:00+00:00"
    assert message.event_end.isoformat() == "2026-07-14T04:00:00+00:00"


def test_at_most_ten_similar_memories_under_short_numbers(deployment: Deployment) -> None:
    recording = Recording()
    deployment.add("ana", [f"Note: tea number {n}." for n in range(15)])
    deployment.with_(extractor=recording).add("ana", "More tea, and what number?")
    (asked,) = recording.asked

    assert [memory.label for memory in asked.similar] == list(range(1, 11))
    assert all(memory.content.startswith("tea number") for memory in asked.similar)
    assert "mem_" not in repr(asked.similar)


def test_the_most_similar_are_among_them(deployment: Deployment) -> None:
    recording = Recording()
    trees = ["oak", "elm", "ash", "fir", "yew", "bay", "box", "fig"]
    deployment.add("ana", [f"Note: {tree} is in the garden." for tree in trees])
    deployment.add("ana", ["My home is Tokyo.", *(f"Note: number {n}." for n in range(20))])
    deployment.with_(extractor=recording).add("ana", "The fig in the garden bears fruit; home is Tokyo.")
    contents = [memory.content for memory in recording.asked[0].similar]

    assert {"fig is in the garden", "The home is Tokyo"} <= set(contents[:5])


def test_only_current_memories_of_the_same_scope_are_similar(deployment: Deployment) -> None:
    recording = Recording()
    deployment.add("ana", "My home is Tokyo.")
    deployment.add("ana", "My home is Osaka.")
    deployment.add("ana", "My home is a tent.", scope="CONTEXT", context_id="chat")
    deployment.add("bob", "My home is Nara.")
    asking = deployment.with_(extractor=recording)
    asking.add("ana", "What of my home?")
    asking.add("ana", "What of my home?", scope="CONTEXT", context_id="chat")

    assert [memory.content for memory in recording.asked[0].similar] == ["The home is Osaka"]
    assert [memory.content for memory in recording.asked[1].similar] == ["The home is a tent"]


def test_facts_of_earlier_chunks_are_similar_memories_of_later_ones(deployment: Deployment) -> None:
    event = deployment.add(
        "ana", ["My home is Tokyo.", "My home is Tokyo.", "My home is Osaka.", "Forget my home."]
    )

    operations = [operation.operation for operation in event.operations]
    assert operations == [Operation.ADD, Operation.NONE, Operation.UPDATE, Operation.DELETE]
    assert deployment.texts("ana") == []


def test_usage_and_notices_stand_on_the_event(deployment: Deployment) -> None:
    notice = Notice(code="secret_masked")
    usage = Usage(llm_calls=1, input_tokens=100, output_tokens=10, estimated_cost_usd=0.5)
    recording = Recording(lambda _: Extraction((), usage, (notice,)))
    event = deployment.with_(extractor=recording).add("ana", ["One.", "Two."])

    tokens = sum(estimate_tokens(text) for text in ("One.", "Two."))
    assert event.usage == Usage(
        llm_calls=2, input_tokens=200, output_tokens=20, embedding_tokens=tokens, estimated_cost_usd=1.0
    )
    assert event.notices == [notice]


def test_tokens_are_priced(deployment: Deployment) -> None:
    """Message and fact are embedded."""
    usage = Usage(llm_calls=1, input_tokens=1_000_000, output_tokens=100_000)
    recording = Recording(lambda request: Extraction((_fact(content="A fact."),), usage))
    prices = Prices(extraction=ModelPrice(1.0, 5.0), embedding=ModelPrice(0.1))
    event = deployment.with_(extractor=recording, prices=prices).add("ana", "One.")

    tokens = estimate_tokens("One.") + estimate_tokens("A fact.")
    assert event.usage.estimated_cost_usd == Decimal("1.5") + tokens * Decimal("0.0000001")


@pytest.mark.parametrize(
    "fact",
    [
        _fact(message_index=1),
        _fact(message_index=-1),
        _fact(label=1),
        _fact(operation=Operation.UPDATE),
        _fact(operation=Operation.UPDATE, label=2),
        _fact(operation=Operation.DELETE, label=2),
        _fact(operation=Operation.NONE),
        _fact(operation=Operation.NONE, label=0),
    ],
)
def test_an_answer_that_points_nowhere_fails_the_event(deployment: Deployment, fact: ExtractedFact) -> None:
    deployment.add("ana", "My home is Tokyo.")
    event = deployment.with_(extractor=Recording(lambda _: Extraction((fact,)))).add(
        "ana", "My home is Osaka."
    )

    assert event.status is EventStatus.FAILED
    assert event.error is not None
    assert event.error.type == "ExtractionFailed"
    assert "Osaka" not in event.error.detail
    assert deployment.texts("ana") == ["The home is Tokyo"]
    assert "My home is Osaka." in deployment.found("ana", "home Osaka")


def test_a_fact_without_the_fields_of_a_slot(deployment: Deployment) -> None:
    event = deployment.with_(extractor=Recording(lambda _: Extraction((_fact(),)))).add(
        "ana", {"role": "user", "content": "I like rain.", "speaker": "Ana"}
    )
    memory = deployment.get("ana", event.operations[0].memory_id)

    assert (memory.memory, memory.category, memory.speaker) == ("Ana likes rain", Category.PREFERENCES, "Ana")
    assert memory.timestamp == deployment.clock()


def test_without_inference_every_message_is_one_memory_word_for_word(any_deployment: Deployment) -> None:
    told = [
        {"role": "user", "content": "My home is Tokyo.", "speaker": "Ana"},
        {"role": "assistant", "content": "昨日はいい天気でした。"},
        {"role": "system", "content": "Never shown."},
        {"role": "user", "content": "My home is Osaka.", "speaker": "Ana"},
    ]
    event = any_deployment.add("ana", told, infer=False)

    assert [operation.operation for operation in event.operations] == [Operation.ADD] * 3
    assert any_deployment.texts("ana") == [told[3]["content"], told[1]["content"], told[0]["content"]]
    assert any_deployment.get("ana", event.operations[0].memory_id).speaker == "Ana"
    assert any_deployment.get("ana", event.operations[1].memory_id).event_time is not None


def test_without_inference_the_same_words_again_change_nothing(any_deployment: Deployment) -> None:
    any_deployment.add("ana", "My home is Tokyo.", infer=False)
    event = any_deployment.add("ana", ["My home is Tokyo.", "My home is Tokyo!"], infer=False)

    assert [operation.operation for operation in event.operations] == [Operation.NONE, Operation.ADD]
    assert any_deployment.texts("ana") == ["My home is Tokyo!", "My home is Tokyo."]


def test_memories_in_another_language_and_those_that_fill_an_attribute_are_among_the_similar(
    deployment: Deployment,
) -> None:
    """However many memories share more words with the message, and whichever language it is in."""
    recording = Recording()
    english = [f"Note: word {n} of the new house in the north." for n in range(15)]
    japanese = [f"メモ：北の新しい家の言葉{n}。" for n in range(15)]
    deployment.add("ana", ["My home is Kyoto.", *japanese])
    deployment.add("ben", ["私の家は京都です。", *english])
    deployment.add("cleo", ["My home is Kyoto.", *english])
    asking = deployment.with_(extractor=recording)
    asking.add("ana", "北の新しい家の言葉です。")
    asking.add("ben", "A word of the new house in the north.")
    asking.add("cleo", "A word of the new house in the north.")

    shown = [{memory.content for memory in request.similar} for request in recording.asked]
    assert [len(contents) for contents in shown] == [10, 10, 10]
    assert "The home is Kyoto" in shown[0]
    assert "家は京都です" in shown[1]
    assert "The home is Kyoto" in shown[2]
