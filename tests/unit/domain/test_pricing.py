"""What tokens cost."""

from __future__ import annotations

import pytest

from cognis_memory.domain.pricing import FREE, PRICES, ModelPrice, Prices, price_list
from cognis_memory.models.event import Usage

HAIKU = "us.anthropic.claude-haiku-4-5-20251001-v1:0"
USAGE = Usage(llm_calls=1, input_tokens=812, output_tokens=96, embedding_tokens=40)


def test_tokens_in_and_out_have_prices_of_their_own() -> None:
    prices = Prices(extraction=ModelPrice(1.0, 5.0), embedding=ModelPrice(0.02))

    assert prices.priced(USAGE).estimated_cost_usd == pytest.approx((812 + 96 * 5 + 40 * 0.02) / 1e6)


def test_what_has_no_price_adds_nothing_to_what_is_said_already() -> None:
    said = USAGE.model_copy(update={"estimated_cost_usd": 0.5})

    assert FREE.priced(said) == said
    assert Prices(embedding=ModelPrice(1.0)).priced(said).estimated_cost_usd == pytest.approx(0.50004)


def test_a_deployment_adds_and_replaces_prices() -> None:
    prices = price_list('{"own-model": [0.3, 0.6], "' + HAIKU + '": [2, 10]}')

    assert (prices["own-model"], prices[HAIKU]) == (ModelPrice(0.3, 0.6), ModelPrice(2.0, 10.0))
    assert prices["amazon.titan-embed-text-v2:0"] == PRICES["amazon.titan-embed-text-v2:0"]
    assert price_list(None) == PRICES


@pytest.mark.parametrize("own", ["[]", '{"a": 1}', '{"a": [1]}', '{"a": [-1, 0]}', '{"a": [1, NaN]}', "{"])
def test_anything_else_is_no_price_list(own: str) -> None:
    with pytest.raises(ValueError, match="validation error"):
        price_list(own)
