"""What a model reads of a request, and how much that is."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from chats import asking, held, turn
from hypothesis import given
from hypothesis import strategies as st

from cognis_local.model_services.calls import Call, Operation
from cognis_local.model_services.prompt_reading import read_prompt
from cognis_memory.adapters.bedrock.extraction.answer import Asked, read_answer
from cognis_memory.adapters.bedrock.extraction.pieces import pieces_of
from cognis_memory.adapters.bedrock.extraction.prompt import SYSTEM_PROMPT
from cognis_memory.adapters.bedrock.extraction.rendering import MAX_CONTEXT_CHARACTERS, render
from cognis_memory.adapters.bedrock.extraction.schema import answer_schema
from cognis_memory.domain.tokens import estimate_tokens
from cognis_memory.models.extraction import ExtractionRequest
from cognis_memory.models.values import Category
from cognis_memory.models.values import Operation as Does

MAX_PROMPT_TOKENS = 1_500
DOCUMENT = Path(__file__).parents[3] / "docs" / "models.md"
TOLD_SIZES = re.compile(
    r"it takes about (?P<prompt>[\d,]+) tokens, and the schema of the answer about (?P<schema>\d+)"
)

TEXTS = st.text(
    alphabet=st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from('<>/"\n\x85\u2028\\{}'))
)


def rendered(request: ExtractionRequest) -> str:
    return render(request, pieces_of(request.messages), [])


def test_without_messages_the_prompt_is_as_long_as_its_document_says_and_no_longer_than_it_may_be() -> None:
    frame = render(asking("."), pieces_of(asking(".").messages), [])
    schema = json.dumps(answer_schema())
    told = TOLD_SIZES.search(DOCUMENT.read_text())

    assert told is not None
    assert estimate_tokens(SYSTEM_PROMPT) == pytest.approx(int(told["prompt"].replace(",", "")), abs=25)
    assert estimate_tokens(schema) == pytest.approx(int(told["schema"]), abs=25)
    assert sum(map(estimate_tokens, (SYSTEM_PROMPT, schema, frame))) <= MAX_PROMPT_TOKENS


def test_the_example_is_an_answer_that_can_be_used() -> None:
    example = SYSTEM_PROMPT.partition("# Example")[2].partition("Answer with JSON only")[0]
    message = json.loads(example.partition("<messages> ")[2].partition('{"facts"')[0])
    asked = (turn(message["text"], speaker=message["speaker"]),)
    answer = example[example.index('{"facts"') :]

    update, retraction = read_answer(answer, Asked(asked, pieces_of(asked), {3}))

    assert (update.operation, update.label, update.slot) == (Does.UPDATE, 3, "employer")
    assert (retraction.operation, retraction.label, retraction.retracts) == (Does.DELETE, None, True)


def test_the_prompt_names_what_the_answer_may_hold() -> None:
    fields = answer_schema()["properties"]["facts"]["items"]["properties"]

    assert all(operation.value in SYSTEM_PROMPT for operation in Does)
    assert all(f'"{name}"' in SYSTEM_PROMPT for name in fields.keys() - {"operation", "message", "category"})
    assert fields["category"]["enum"] == [category.value for category in Category]


@given(text=TEXTS.filter(str.strip), speaker=TEXTS.filter(str.strip), memory=TEXTS, wish=TEXTS)
def test_whatever_texts_say_the_prompt_is_read_back_as_it_was_meant(
    text: str, speaker: str, memory: str, wish: str
) -> None:
    bounded = memory[:MAX_CONTEXT_CHARACTERS]
    request = ExtractionRequest(
        messages=(turn(text, speaker=speaker), turn("Bye.", 1)),
        turns_before=(turn(bounded or "Hi."),),
        similar=(held(4, bounded, "home"), held(11, "x", retracted=True)),
        instructions=wish or None,
    )
    content = [{"text": rendered(request)}]
    body = json.dumps({"messages": [{"role": "user", "content": content}]}).encode()

    read, numbers = read_prompt(Call(Operation.CONVERSE, "model", {}, body))

    assert numbers == [0, 1]
    assert [(m.content, m.speaker) for m in read.messages] == [(text, speaker), ("Bye.", "Ana")]
    assert [m.content for m in read.turns_before] == [bounded or "Hi."]
    assert [(m.label, m.content, m.slot, m.retracted) for m in read.similar] == [
        (4, bounded, "home", False),
        (11, "x", None, True),
    ]
    assert read.instructions == (wish or None)


@pytest.mark.parametrize("long", ["大" * 90_000, "word " * 20_000])
def test_only_the_messages_are_shown_in_full(long: str) -> None:
    request = replace(
        asking("Hi.", similar=tuple(held(label, long) for label in range(1, 14))),
        turns_before=(turn(long),) * 6,
        instructions=long,
    )

    assert len(rendered(request)) < 13 * 1_300 + 4 * 1_200 + 2_100 + 500
    assert long in rendered(asking(long)).replace("\\n", "\n")
