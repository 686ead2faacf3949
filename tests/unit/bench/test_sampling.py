"""A part of the questions that stands for all."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from cognis_local.conversations import Conversation
from qa_bench.cases import Case
from qa_bench.sampling import allotted, stratified_sample

COUNTS = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 300), min_size=1)
SIZES = st.integers(1, 900)


def cases_of(counts: dict[str, int]) -> list[Case]:
    conversation = Conversation(id="c", sessions=())
    asked_at = datetime(2026, 3, 2, tzinfo=UTC)
    return [
        Case(f"{name}/{number}", conversation, "What?", "That.", name, asked_at)
        for name, count in counts.items()
        for number in range(count)
    ]


@given(COUNTS, SIZES)
def test_shares_fill_the_sample_and_exceed_no_category(counts: dict[str, int], size: int) -> None:
    shares = allotted(counts, size)

    assert sum(shares.values()) == min(size, sum(counts.values()))
    assert all(0 <= shares[name] <= counts[name] for name in counts)


@given(COUNTS, SIZES)
def test_shares_are_in_proportion_to_less_than_one(counts: dict[str, int], size: int) -> None:
    total = sum(counts.values())
    exact = {name: min(size, total) * count / total for name, count in counts.items()}
    shares = allotted(counts, size)

    assert all(share - exact[name] < 1 for name, share in shares.items())
    if min(exact.values()) >= 1:
        assert all(exact[name] - share < 1 for name, share in shares.items())


@given(COUNTS, SIZES)
def test_no_category_is_empty_where_there_is_room_for_all(counts: dict[str, int], size: int) -> None:
    shares = allotted(counts, size)

    assert min(size, sum(counts.values())) < len(counts) or all(shares.values())


@given(COUNTS, st.integers(1, 60), st.randoms())
def test_the_ids_decide_whatever_the_order(counts: dict[str, int], size: int, random: Random) -> None:
    cases = cases_of({name: min(count, 20) for name, count in counts.items()})
    chosen = stratified_sample(cases, size)
    random.shuffle(cases)

    assert {case.id for case in stratified_sample(cases, size)} == {case.id for case in chosen}
    assert len(chosen) == min(size, len(cases))


def test_a_sample_keeps_the_order_and_the_proportions() -> None:
    cases = cases_of({"many": 60, "some": 30, "few": 10})
    chosen = stratified_sample(cases, 20)

    assert Counter(case.category for case in chosen) == {"many": 12, "some": 6, "few": 2}
    assert chosen == [case for case in cases if case in chosen]
