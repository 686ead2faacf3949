"""One deadline for all that an invocation waits for."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lambda_context import InvocationContext

from cognis_memory.deadline import at_most, carried, fits, pause, remaining, within
from cognis_memory.errors import DeadlineExceeded
from cognis_memory.runtime.invocation import RESERVE_SECONDS, in_time

LIMITS = st.one_of(st.none(), st.floats(min_value=0, max_value=1_000))


@given(around=LIMITS, inside=LIMITS, wanted=st.floats(min_value=0, max_value=1_000))
def test_the_sooner_of_two_deadlines_holds(around: float | None, inside: float | None, wanted: float) -> None:
    limits = [limit for limit in (around, inside) if limit is not None]
    with within(around), within(inside):
        left, allowed = remaining(), at_most(wanted)

    if not limits:
        assert (left, allowed) == (None, wanted)
    else:
        assert left is not None
        assert left == pytest.approx(min(limits), abs=0.5)
        assert allowed <= wanted
        assert allowed == pytest.approx(min(wanted, *limits), abs=0.5)


def test_a_deadline_ends_with_its_block() -> None:
    with within(1):
        with within(0):
            assert not fits(0)
        assert fits(0.5)
    assert remaining() is None


def test_threads_share_the_deadline_and_others_do_not_see_it() -> None:
    with ThreadPoolExecutor(2) as threads, within(60):
        seen = list(threads.map(carried(lambda _: remaining()), range(8)))
        unrelated = threads.submit(remaining).result()

    assert all(left is not None and 0 < left <= 60 for left in seen)
    assert unrelated is None


def test_a_pause_that_would_outlast_the_deadline_is_not_begun() -> None:
    started = time.monotonic()
    with within(0.5), pytest.raises(DeadlineExceeded):
        pause(30)
    assert time.monotonic() - started < 0.5


def test_an_invocation_leaves_time_to_answer() -> None:
    with in_time(InvocationContext(seconds=29)):  # type: ignore[arg-type]  # of Lambda's context what is read
        left = remaining()

    assert left is not None
    assert 27 < left <= 29 - RESERVE_SECONDS


def test_without_an_invocation_nothing_limits_the_work() -> None:
    with in_time(None):
        assert remaining() is None
