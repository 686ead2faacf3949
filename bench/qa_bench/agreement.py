"""Asks before models are called."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from qa_bench.cases import EvaluationError
from qa_bench.costs import Consumption, PriceList


def agree(
    expected: Sequence[tuple[str, Consumption]], prices: PriceList, *, yes: bool, tell: Callable[[str], None]
) -> None:
    """Says what calls of models are expected, and asks; raises EvaluationError where nobody agrees."""
    if not expected:
        return
    for purpose, consumption in expected:
        tell(
            f"{purpose} by {consumption.model_id}: about {consumption.calls:,} calls, "
            f"{consumption.input_tokens:,} tokens in and {consumption.output_tokens:,} out, "
            f"{_dollars(prices.usd(consumption))}"
        )
    tell(f"expected in all: {_dollars(prices.total(consumption for _, consumption in expected))}")
    if yes:
        return
    if not sys.stdin.isatty():
        raise EvaluationError("Nobody can be asked whether to go on; add --yes to agree beforehand.")
    print("Go on? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise EvaluationError("No model was called.")


def _dollars(usd: float | None) -> str:
    return "at a price that is not known (--price-in, --price-out)" if usd is None else f"${usd:,.2f}"
