"""How long an ingestion waits before it asks for its user's lease again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.services.ingestion.lease import LONGEST_WAIT_SECONDS, wait_seconds

EVENTS = st.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=26, max_size=26).map("evt_".__add__)


@given(EVENTS, st.integers(min_value=1, max_value=100_000))
def test_waits_are_whole_seconds_within_their_bounds_and_the_same_for_a_repeat(
    event: str, polls: int
) -> None:
    wait = wait_seconds(event, polls)

    assert isinstance(wait, int)
    assert 1 <= wait <= LONGEST_WAIT_SECONDS
    assert wait == wait_seconds(event, polls)


@given(EVENTS)
def test_they_begin_with_a_second_and_grow(event: str) -> None:
    waits = [wait_seconds(event, polls) for polls in range(1, 20)]

    assert waits[0] == 1
    assert waits[:5] == sorted(waits[:5])
    assert min(waits[5:]) >= LONGEST_WAIT_SECONDS / 2


def test_those_who_wait_for_one_user_spread() -> None:
    waits = {wait_seconds(f"evt_{number:026}", 9) for number in range(200)}

    assert waits == set(range(10, LONGEST_WAIT_SECONDS + 1))
