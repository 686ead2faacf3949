"""What models answer that cannot be used: repaired once with its fault shown, or else a failure."""

from __future__ import annotations

import json
from typing import Any

import pytest
from aws_clients import client
from chats import asking, held
from model_cloud import ModelCloud

from cognis_local.model_services import Operation, Step, faults
from cognis_local.model_services.faults import saying
from cognis_memory.adapters.bedrock.extraction import BedrockExtractor, StructuredOutput
from cognis_memory.errors import ContentBlocked, ExtractionFailed
from cognis_memory.models.extraction import ExtractionRequest
from cognis_memory.models.values import Operation as Does

SECRET = "swordfish"
ENGLISH = asking(f"My home is {SECRET}.", similar=(held(1, "The home is Rome", "home"),))
JAPANESE = asking(f"私の家は{SECRET}です。", similar=(held(1, "家はローマです", "家"),))

REPAIRED: dict[str, Step] = {
    "not JSON": faults.not_json,
    "another schema": faults.wrong_schema,
    "a list": saying("[]"),
    "cut off within": saying('{"facts": [{"operation": "ADD", "label"'),
    "an invented label": faults.invented_label,
    "a label with ADD": faults.changing(lambda facts: [{**fact, "operation": "ADD"} for fact in facts]),
    "no label with UPDATE": faults.changing(lambda facts: [{**fact, "label": None} for fact in facts]),
    "an unknown message": faults.changing(lambda facts: [{**fact, "message": 7} for fact in facts]),
    "an unknown category": faults.changing(lambda facts: [{**fact, "category": "stuff"} for fact in facts]),
    "an unknown operation": faults.changing(lambda facts: [{**fact, "operation": "MERGE"} for fact in facts]),
    "a blank content": faults.changing(lambda facts: [{**fact, "content": "  "} for fact in facts]),
    "an endless content": faults.changing(
        lambda facts: [{**fact, "content": "あ" * 9_999} for fact in facts]
    ),
    "half a character": saying('{"facts": [{"content": "\\ud83d"}]}'),
    "no such day": faults.changing(lambda facts: [{**fact, "from": "2026-02-30"} for fact in facts]),
    "an end before the beginning": faults.changing(
        lambda facts: [{**fact, "from": "2026-02-03", "to": "2026-02-01"} for fact in facts]
    ),
    "another language": faults.in_another_language,
    "nothing at all": faults.silent,
    "a malformed answer, as the service says": faults.stopping("malformed_model_output"),
    "a malformed tool call, as the service says": faults.stopping("malformed_tool_use"),
}


@pytest.fixture(params=[StructuredOutput.TEXT_FORMAT, StructuredOutput.TOOL])
def extractor(cloud: ModelCloud, request: pytest.FixtureRequest) -> BedrockExtractor:
    return BedrockExtractor(client("bedrock-runtime", cloud.url), "model", output=request.param)


@pytest.mark.parametrize("asked", [ENGLISH, JAPANESE], ids=["english", "japanese"])
@pytest.mark.parametrize("fault", REPAIRED)
def test_an_unusable_answer_is_repaired(
    cloud: ModelCloud, extractor: BedrockExtractor, fault: str, asked: ExtractionRequest
) -> None:
    expected = extractor.extract(asked)
    cloud.services.plan(Operation.CONVERSE, REPAIRED[fault])

    extraction = extractor.extract(asked)

    assert extraction.facts == expected.facts
    assert extraction.usage.llm_calls == 2


def test_the_model_is_shown_its_answer_and_the_fault(cloud: ModelCloud) -> None:
    extractor = BedrockExtractor(client("bedrock-runtime", cloud.url), "model")
    cloud.services.plan(Operation.CONVERSE, faults.invented_label)

    extractor.extract(ENGLISH)

    question, answer, complaint = cloud.services.calls[1].json["messages"]
    assert question == cloud.services.calls[0].json["messages"][0]
    assert (answer["role"], complaint["role"]) == ("assistant", "user")
    assert str(faults.INVENTED_LABEL) in answer["content"][0]["text"]
    told = complaint["content"][0]["text"]
    assert f"facts[0].label: {faults.INVENTED_LABEL} is none of 1" in told
    assert SECRET not in told


def test_a_tool_call_is_answered_by_a_result_of_that_call(cloud: ModelCloud) -> None:
    bedrock = client("bedrock-runtime", cloud.url)
    extractor = BedrockExtractor(bedrock, "model", output=StructuredOutput.TOOL)
    cloud.services.plan(Operation.CONVERSE, faults.wrong_schema)

    extractor.extract(ENGLISH)

    _, answer, complaint = cloud.services.calls[1].json["messages"]
    result = complaint["content"][0]["toolResult"]
    assert result["toolUseId"] == answer["content"][0]["toolUse"]["toolUseId"]
    assert result["status"] == "error"
    assert "facts: Field required" in result["content"][0]["text"]


def test_no_call_of_a_tool_is_dropped_or_left_without_a_result(cloud: ModelCloud) -> None:
    bedrock = client("bedrock-runtime", cloud.url)
    extractor = BedrockExtractor(bedrock, "model", output=StructuredOutput.TOOL)
    expected = extractor.extract(ENGLISH)

    def twice(call: Any, responder: Any) -> Any:
        (said,) = json.loads(responder(call).body)["output"]["message"]["content"]
        calls = [{"toolUse": {**said["toolUse"], "toolUseId": f"tool-{n}"}} for n in range(2)]
        return faults.converse_content(call, [{"text": " "}, *calls], stop_reason="tool_use")

    cloud.services.plan(Operation.CONVERSE, twice)

    assert extractor.extract(ENGLISH).facts == expected.facts
    _, answer, complaint = cloud.services.calls[-1].json["messages"]
    assert [list(block) for block in answer["content"]] == [["toolUse"], ["toolUse"]]
    results = [block["toolResult"]["toolUseId"] for block in complaint["content"]]
    assert results == ["tool-0", "tool-1"]


def test_blank_text_is_not_sent_back(cloud: ModelCloud) -> None:
    extractor = BedrockExtractor(client("bedrock-runtime", cloud.url), "model")
    expected = extractor.extract(ENGLISH)
    cloud.services.plan(Operation.CONVERSE, saying(" \n"))

    assert extractor.extract(ENGLISH).facts == expected.facts
    (question,) = cloud.services.calls[-1].json["messages"]
    assert "Your answer cannot be used" in question["content"][0]["text"]


@pytest.mark.parametrize("fault", [fault for fault in REPAIRED if fault != "another language"])
def test_an_answer_that_stays_unusable_fails(
    cloud: ModelCloud, extractor: BedrockExtractor, fault: str
) -> None:
    cloud.services.plan(Operation.CONVERSE, REPAIRED[fault], REPAIRED[fault])

    with pytest.raises(ExtractionFailed) as failed:
        extractor.extract(ENGLISH)

    assert len(cloud.services.calls) == 2
    assert SECRET not in str(failed.value)


def test_what_stays_in_another_language_is_kept(cloud: ModelCloud, extractor: BedrockExtractor) -> None:
    cloud.services.plan(Operation.CONVERSE, *[faults.in_another_language] * 2)

    (fact,) = extractor.extract(ENGLISH).facts

    assert (fact.language, fact.operation) == ("ja", Does.UPDATE)


def test_json_in_a_fence_needs_no_repair(cloud: ModelCloud, extractor: BedrockExtractor) -> None:
    expected = extractor.extract(JAPANESE)
    cloud.services.plan(Operation.CONVERSE, faults.fenced)

    extraction = extractor.extract(JAPANESE)

    assert (extraction.facts, extraction.usage.llm_calls) == (expected.facts, 1)


def test_a_fact_said_twice_is_one(cloud: ModelCloud, extractor: BedrockExtractor) -> None:
    expected = extractor.extract(ENGLISH)
    cloud.services.plan(Operation.CONVERSE, faults.duplicated)

    assert extractor.extract(ENGLISH).facts == expected.facts


def test_no_facts_are_an_answer(cloud: ModelCloud, extractor: BedrockExtractor) -> None:
    cloud.services.plan(Operation.CONVERSE, faults.empty)

    extraction = extractor.extract(ENGLISH)

    assert (extraction.facts, extraction.usage.llm_calls) == ((), 1)


@pytest.mark.parametrize(
    ("reason", "words"), [("guardrail_intervened", "guardrail"), ("content_filtered", "filter")]
)
def test_what_a_filter_refuses_is_not_asked_again(
    cloud: ModelCloud, extractor: BedrockExtractor, reason: str, words: str
) -> None:
    cloud.services.plan(Operation.CONVERSE, saying(f"I must not talk about {SECRET}", reason))

    with pytest.raises(ContentBlocked, match=words) as blocked:
        extractor.extract(ENGLISH)

    assert len(cloud.services.calls) == 1
    assert SECRET not in str(blocked.value)


@pytest.mark.parametrize(
    "message",
    [
        "Input is too long for requested model.",
        "The model returned the following errors: prompt is too long: 215000 tokens > 200000 maximum",
        "This model's maximum context length is 131072 tokens. Please reduce the length of the messages",
        "Too many input tokens. Max input tokens: 32000, request input token count: 40000",
    ],
)
def test_a_context_too_long_is_halved(cloud: ModelCloud, extractor: BedrockExtractor, message: str) -> None:
    cloud.services.plan(Operation.CONVERSE, faults.failing(400, "ValidationException", message))

    extraction = extractor.extract(asking("Note: one.", "Note: two."))

    assert [fact.content for fact in extraction.facts] == ["one", "two"]
    assert len(cloud.services.calls) == 3


def test_reasoning_is_not_the_answer(cloud: ModelCloud) -> None:
    extractor = BedrockExtractor(client("bedrock-runtime", cloud.url), "model")
    expected = extractor.extract(ENGLISH)

    def reasoning(call: Any, responder: Any) -> Any:
        said = json.loads(responder(call).body)["output"]["message"]["content"]
        thought = {"reasoningContent": {"reasoningText": {"text": "Let me see."}}}
        return faults.converse_content(call, [thought, *said], stop_reason="end_turn")

    cloud.services.plan(Operation.CONVERSE, reasoning)

    assert extractor.extract(ENGLISH).facts == expected.facts
