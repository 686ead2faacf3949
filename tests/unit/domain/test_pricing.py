"""What tokens cost."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.pricing import FREE, PRICES, ModelPrice, Prices, price_list
from cognis_memory.models.event import Usage

HAIKU = "us.anthropic.claude-haiku-4-5-20251001-v1:0"
USAGE = Usage(llm_calls=1, input_tokens=812, output_tokens=96, embedding_tokens=40)


def test_tokens_in_and_out_have_prices_of_their_own() -> None:
    prices = Prices(extraction=ModelPrice(1.0, 5.0), embedding=ModelPrice(0.02))

    assert prices.priced(USAGE).estimated_cost_usd == Decimal("0.0012928")


def test_what_has_no_price_adds_nothing_to_what_is_said_already() -> None:
    said = USAGE.model_copy(update={"estimated_cost_usd": Decimal("0.5")})

    assert FREE.priced(said) == said
    assert Prices(embedding=ModelPrice(1.0)).priced(said).estimated_cost_usd == Decimal("0.50004")


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**5)), max_size=50))
def test_costs_of_many_calls_add_up_to_the_cost_of_all(calls: list[tuple[int, int]]) -> None:
    prices = Prices(extraction=ModelPrice(1.1, 5.5))
    each = [prices.priced(Usage(input_tokens=given, output_tokens=made)) for given, made in calls]
    whole = Usage(input_tokens=sum(c[0] for c in calls), output_tokens=sum(c[1] for c in calls))

    assert sum((usage.estimated_cost_usd for usage in each), Decimal(0)) == pytest.approx(
        prices.priced(whole).estimated_cost_usd, abs=Decimal("1e-7")
    )


@given(st.decimals(0, 10**5, places=9))
def test_an_amount_is_a_number_in_json_and_loses_no_digit(usd: Decimal) -> None:
    usage = Usage(estimated_cost_usd=usd)
    written = usage.model_dump_json()

    assert isinstance(json.loads(written)["estimated_cost_usd"], float)
    assert Usage.model_validate_json(written) == usage


def test_a_deployment_adds_and_replaces_prices() -> None:
    prices = price_list('{"own-model": [0.3, 0.6], "' + HAIKU + '": [2, 10]}')

    assert (prices["own-model"], prices[HAIKU]) == (ModelPrice(0.3, 0.6), ModelPrice(2.0, 10.0))
    assert prices["amazon.titan-embed-text-v2:0"] == PRICES["amazon.titan-embed-text-v2:0"]
    assert price_list(None) == PRICES


@pytest.mark.parametrize("own", ["[]", '{"a": 1}', '{"a": [1]}', '{"a": [-1, 0]}', '{"a": [1, NaN]}', "{"])
def test_anything_else_is_no_price_list(own: str) -> None:
    with pytest.raises(ValueError, match="validation error"):
        price_list(own)
