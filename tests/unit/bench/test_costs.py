"""What an evaluation is expected to take, and what it took in dollars."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from qa_files import write_locomo

from cognis_memory.domain.pricing import PRICES, ModelPrice
from qa_bench.benchmarks import BENCHMARKS
from qa_bench.cases import Dataset
from qa_bench.costs import (
    Consumption,
    PriceList,
    expected_answers,
    expected_extraction,
    expected_judgements,
)
from qa_bench.datasets import LOCOMO, open_dataset

TOKENS = st.integers(0, 10**9)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    file = tmp_path_factory.mktemp("data") / "locomo.json"
    write_locomo(file, conversations=2, sessions=3)
    return open_dataset(file)


@given(TOKENS, TOKENS)
def test_dollars_are_for_a_million_tokens(given_tokens: int, made: int) -> None:
    prices = PriceList({"own": ModelPrice(2.0, 8.0)})

    usd = prices.usd(Consumption("own", 1, given_tokens, made))
    assert usd == pytest.approx((2 * given_tokens + 8 * made) / 1e6)


def test_an_unknown_price_makes_the_sum_unknown() -> None:
    listed = next(iter(PRICES))
    known, unknown = Consumption(listed, 1, 10**6, 0), Consumption("nobody's", 1, 10**6, 0)

    assert PriceList({}).total([known, known]) == pytest.approx(2 * PRICES[listed].input_usd)
    assert PriceList({}).usd(unknown) is None
    assert PriceList({}).total([known, unknown]) is None


def test_own_prices_come_before_the_list() -> None:
    listed = next(iter(PRICES))
    assert PriceList({listed: ModelPrice(7.0)}).usd(Consumption(listed, 1, 10**6, 0)) == pytest.approx(7.0)


@pytest.mark.parametrize(("chunk", "calls"), [(1, 24), (3, 12), (4, 6), (20, 6)])
def test_sessions_are_extracted_in_chunks(dataset: Dataset, chunk: int, calls: int) -> None:
    assert expected_extraction(dataset.conversations, "small", chunk).calls == calls


def test_answers_are_expected_with_full_contexts_and_judgements_where_one_is_due(dataset: Dataset) -> None:
    benchmark = BENCHMARKS[LOCOMO]
    little = expected_answers(dataset.cases, benchmark, "small", 500)
    much = expected_answers(dataset.cases, benchmark, "small", 1_500)

    assert (little.calls, much.input_tokens - little.input_tokens) == (30, 30 * 1_000)
    assert expected_judgements(dataset.cases, benchmark, "small").calls == 24
    assert expected_judgements([], benchmark, "small") == Consumption("small", 0, 0, 0)
