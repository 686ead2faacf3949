"""A session goes out in as few requests as the limits allow, nothing lost, nothing twice."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from cognis_local.cli.ingestion import requests
from cognis_local.conversations import Session, Turn
from cognis_memory.models.fields import MAX_CONTENT_CHARACTERS
from cognis_memory.models.requests import MAX_MESSAGES, MAX_REQUEST_BYTES

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
LENGTHS = st.sampled_from([1, 10, 1_000, MAX_CONTENT_CHARACTERS])


@settings(max_examples=40, deadline=None)  # a loaded machine is no fault
@given(lengths=st.lists(LENGTHS, min_size=1, max_size=120), repeats=st.integers(1, 6))
def test_requests_hold_every_turn_in_order_within_the_limits(lengths: list[int], repeats: int) -> None:
    texts = {length: "語" * length for length in set(lengths)}
    turns = tuple(Turn(f"s1:{n}", "Ana", texts[length], NOON) for n, length in enumerate(lengths * repeats))
    sent = list(requests(Session("s1", NOON, turns)))
    assert [turn for request in sent for turn in request] == list(turns)
    assert all(0 < len(request) <= MAX_MESSAGES for request in sent)
    assert all(sum(len(turn.content.encode()) for turn in request) < MAX_REQUEST_BYTES for request in sent)
