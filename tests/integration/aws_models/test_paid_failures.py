"""What was paid for before an extraction failed is said with its failure, and stands on the event."""

from __future__ import annotations

from pathlib import Path

import pytest
from aws_clients import client
from chats import asking
from deployment import TENANT
from engines import describe, open_deployment
from model_cloud import ModelCloud

from cognis_local.model_services import Operation, faults
from cognis_local.model_services.faults import saying
from cognis_memory.adapters.bedrock.extraction import BedrockExtractor
from cognis_memory.domain.pricing import ModelPrice, Prices
from cognis_memory.errors import Consumption, ContentBlocked, ExtractionFailed, ExtractionUnavailable
from cognis_memory.models.event import EventStatus

ONE = asking("Note: likes tea.")
FOUR = asking(*(f"Note: number {n}. {'and so on ' * 30}" for n in range(4)))
MODEL = "model"


@pytest.fixture
def extractor(cloud: ModelCloud) -> BedrockExtractor:
    return BedrockExtractor(client("bedrock-runtime", cloud.url), MODEL, max_message_tokens=200)


def test_an_answer_and_its_repair_are_paid_for(cloud: ModelCloud, extractor: BedrockExtractor) -> None:
    once = extractor.extract(ONE).usage
    cloud.services.plan(Operation.CONVERSE, *[faults.not_json] * 2)

    with pytest.raises(ExtractionFailed) as failed:
        extractor.extract(ONE)
    assert failed.value.consumed.calls == 2
    assert failed.value.consumed.input_tokens > 2 * once.input_tokens
    assert failed.value.consumed.output_tokens > 0


def test_so_is_an_answer_that_a_filter_stops(cloud: ModelCloud, extractor: BedrockExtractor) -> None:
    once = extractor.extract(ONE).usage
    cloud.services.plan(Operation.CONVERSE, saying("I must not", "guardrail_intervened"))

    with pytest.raises(ContentBlocked) as blocked:
        extractor.extract(ONE)
    assert (blocked.value.consumed.calls, blocked.value.consumed.input_tokens) == (1, once.input_tokens)


def test_so_are_the_parts_before_one_that_cannot_be_asked(
    cloud: ModelCloud, extractor: BedrockExtractor
) -> None:
    whole = extractor.extract(FOUR).usage
    assert whole.llm_calls > 2
    sent = len(cloud.services.calls)
    responding = [lambda call, responder: responder(call)] * 2
    cloud.services.plan(Operation.CONVERSE, *responding, *[faults.failing(424, "ModelErrorException")] * 3)

    with pytest.raises(ExtractionUnavailable) as unavailable:
        extractor.extract(FOUR)
    assert len(cloud.services.calls) == sent + 3
    assert unavailable.value.consumed.calls == 2
    assert 0 < unavailable.value.consumed.input_tokens < whole.input_tokens


def test_a_call_that_is_refused_costs_nothing(cloud: ModelCloud, extractor: BedrockExtractor) -> None:
    cloud.services.plan(Operation.CONVERSE, *[faults.failing(424, "ModelErrorException")] * 3)

    with pytest.raises(ExtractionUnavailable) as unavailable:
        extractor.extract(ONE)
    assert unavailable.value.consumed == Consumption()


def test_a_failed_event_and_its_tenant_say_what_it_cost(
    cloud: ModelCloud, extractor: BedrockExtractor, tmp_path: Path
) -> None:
    opened = open_deployment(describe(tmp_path))
    prices = Prices(extraction=ModelPrice(1.0, 5.0))
    cloud.services.plan(Operation.CONVERSE, *[faults.wrong_schema] * 2)
    event = opened.with_(extractor=extractor, prices=prices).add("ana", "Note: likes tea.")
    spending = opened.ledger.get_spending(TENANT, f"{event.created_at:%Y-%m}")
    opened.close()

    assert event.status is EventStatus.FAILED
    assert event.usage.llm_calls == 2
    expected = prices.priced(event.usage.model_copy(update={"estimated_cost_usd": 0})).estimated_cost_usd
    assert event.usage.estimated_cost_usd == expected > 0
    assert spending.spent_usd == expected
