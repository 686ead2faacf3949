"""What calls of models cost: an estimate from a price list of a certain day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import Field, TypeAdapter

from cognis_memory.models.event import Usage
from cognis_memory.models.spending import USD_STEP

_TOKENS: Final = 1_000_000

_Usd = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class ModelPrice:
    """US dollars for a million tokens."""

    input_usd: float
    output_usd: float = 0.0

    def cost(self, input_tokens: int, output_tokens: int = 0) -> Decimal:
        """US dollars, exactly: a price is the decimal number that it was written as."""
        prices = Decimal(str(self.input_usd)), Decimal(str(self.output_usd))
        return (input_tokens * prices[0] + output_tokens * prices[1]) / _TOKENS


PRICES_OF: Final = date(2026, 11, 30)
"""The day that the list was written on, from what was published of on-demand prices in the United States."""

PRICES: Final[Mapping[str, ModelPrice]] = MappingProxyType(
    {
        # A profile of one geography costs a tenth more than the global one.
        "us.anthropic.claude-haiku-4-5-20251001-v1:0": ModelPrice(1.10, 5.50),
        "eu.anthropic.claude-haiku-4-5-20251001-v1:0": ModelPrice(1.10, 5.50),
        "jp.anthropic.claude-haiku-4-5-20251001-v1:0": ModelPrice(1.10, 5.50),
        "global.anthropic.claude-haiku-4-5-20251001-v1:0": ModelPrice(1.00, 5.00),
        "amazon.titan-embed-text-v2:0": ModelPrice(0.02),
    }
)
"""By the id that the model is called by; a deployment may add to it and replace what is there."""

_OWN: Final = TypeAdapter(dict[str, tuple[_Usd, _Usd]])


def price_list(own: str | None) -> Mapping[str, ModelPrice]:
    """The list with a deployment's own prices, which are JSON: for ids of models the US dollars of a million
    tokens in and out, `{"id": [1.1, 5.5]}`. Raises ValueError for anything else."""
    given = _OWN.validate_json(own) if own else {}
    return {**PRICES, **{model_id: ModelPrice(*usd) for model_id, usd in given.items()}}


@dataclass(frozen=True, slots=True)
class Prices:
    """Of a deployment's models; None for what is not on the list or costs nothing by the token.

    `unknown` names those models that are paid by the token and not on the list.
    """

    extraction: ModelPrice | None = None
    embedding: ModelPrice | None = None
    unknown: tuple[str, ...] = ()

    def priced(self, usage: Usage) -> Usage:
        """The usage with what its tokens cost added to what it says already."""
        cost = usage.estimated_cost_usd
        if self.extraction is not None:
            cost += self.extraction.cost(usage.input_tokens, usage.output_tokens)
        if self.embedding is not None:
            cost += self.embedding.cost(usage.embedding_tokens)
        return usage.model_copy(update={"estimated_cost_usd": cost.quantize(USD_STEP)})


FREE: Final = Prices()
