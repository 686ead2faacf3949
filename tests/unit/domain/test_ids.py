from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.domain.ids import event_id, memory_id, message_id

MILLISECONDS = st.integers(0, 2**48 - 1)
RANDOMNESS = st.binary(min_size=10, max_size=10)
EVENTS = st.builds(event_id, MILLISECONDS, RANDOMNESS)
POSITIONS = st.integers(0, 99_999)


def test_an_event_id_is_a_ulid() -> None:
    # The ULID specification's example time, and the greatest ULID.
    assert event_id(1469918176385, bytes(10)) == "evt_01ARYZ6S410000000000000000"
    assert event_id(2**48 - 1, b"\xff" * 10) == "evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ"


@given(st.tuples(MILLISECONDS, RANDOMNESS), st.tuples(MILLISECONDS, RANDOMNESS))
def test_event_ids_are_distinct_and_in_order_of_time(
    left: tuple[int, bytes], right: tuple[int, bytes]
) -> None:
    assert (event_id(*left) < event_id(*right)) is (left < right)


@given(st.tuples(EVENTS, POSITIONS), st.tuples(EVENTS, POSITIONS))
def test_derived_ids_are_in_order_of_event_and_position(
    left: tuple[str, int], right: tuple[str, int]
) -> None:
    assert (memory_id(*left) < memory_id(*right)) is (left < right)
    assert (message_id(*left) < message_id(*right)) is (left < right)


def test_derived_ids_name_event_and_position() -> None:
    event = event_id(1469918176385, bytes(10))
    assert memory_id(event, 7) == "mem_01ARYZ6S410000000000000000_000007"
    assert message_id(event, 499) == "msg_01ARYZ6S410000000000000000_000499"


@pytest.mark.parametrize(
    "event",
    ["", "evt_", "mem_01ARYZ6S410000000000000000", "evt_01ARYZ6S41000000000000000U", "evt_8" + "0" * 25],
)
def test_what_is_no_event_id_is_refused(event: str) -> None:
    with pytest.raises(ValueError, match="event id"):
        memory_id(event, 0)


@pytest.mark.parametrize("position", [-1, 1_000_000])
def test_a_position_that_would_not_sort_is_refused(position: int) -> None:
    with pytest.raises(ValueError, match="position"):
        message_id(event_id(0, bytes(10)), position)


def test_times_and_randomness_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="48 bits"):
        event_id(2**48, bytes(10))
    with pytest.raises(ValueError, match="48 bits"):
        event_id(-1, bytes(10))
    with pytest.raises(ValueError, match="random bytes"):
        event_id(0, bytes(9))
