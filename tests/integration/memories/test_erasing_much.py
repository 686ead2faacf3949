"""However much there is of a user: it goes bit by bit, in bounded memory, whatever interrupts it."""

from __future__ import annotations

import tracemalloc

import pytest
from deployment import Deployment, owner_of
from interruptions import Died, Watched
from large_users import AT_ONCE, fill

from cognis_memory.models.event import EventStatus
from cognis_memory.services.memories.erasing import erase_user

OWNER = owner_of("ana")
MEMORIES = 2_000
PEAK_BYTES = 6_000_000
"""A batch of items is some hundred kilobytes; all vectors of the user are 12 MB, all documents another 4."""

COUNTS = {
    "chains": MEMORIES,
    "events": 0,
    "marks": -(-MEMORIES // AT_ONCE),
    "memories": MEMORIES,
    "messages": MEMORIES,
    "vectors": 2 * MEMORIES,
    "payloads": 0,
    "transfer_files": 0,
}


@pytest.fixture
def large(deployment: Deployment) -> Deployment:
    fill(deployment.ledger, OWNER, MEMORIES)
    deployment.projector.rebuild(OWNER)
    return deployment


def test_two_thousand_memories_go_in_bounded_memory(large: Deployment) -> None:
    asked = large.request_erasure("ana")
    tracemalloc.start()
    try:
        erase_user(large.memories, asked)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    event = large.event(asked.event_id)
    assert (event.status, event.counts) == (EventStatus.SUCCEEDED, {**COUNTS, "shard_files": 1})
    assert large.ledger.held_items(OWNER, limit=1) == []
    assert not any(large.index.holdings(OWNER).values())
    assert peak < PEAK_BYTES


class Mortal(Watched):
    """A ledger whose process is no more after so many writes of the erasure."""

    def __init__(self, ledger: object, writes: int) -> None:
        super().__init__(ledger, ("erase", "update_event"), self._count)
        self._left = writes

    def _count(self, _: str) -> None:
        self._left -= 1
        if self._left == 0:
            raise Died


@pytest.mark.parametrize("writes", [6, 9])
def test_it_is_killed_again_and_again_and_counts_right(large: Deployment, writes: int) -> None:
    """Each process gets a little further than the one before."""
    asked = large.request_erasure("ana")
    killed = 0
    while large.event(asked.event_id).status is not EventStatus.SUCCEEDED:
        try:
            erase_user(large.with_(ledger=Mortal(large.ledger, writes)).memories, asked)
        except Died:
            killed += 1
            assert killed < 30

    assert killed > 3
    assert large.event(asked.event_id).counts == {**COUNTS, "shard_files": 1}
    assert large.ledger.held_items(OWNER, limit=1) == []
