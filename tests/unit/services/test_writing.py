"""Writes are cut into commits that every ledger takes, in order, with none left out."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.models.commit import MAX_COMMIT_BYTES, MAX_COMMIT_ITEMS, Commit, DocumentWrite
from cognis_memory.models.message import Message
from cognis_memory.models.values import Owner, Role
from cognis_memory.services.writing import CommitSize, split_commits

NOW = datetime(2026, 7, 15, tzinfo=UTC)
OWNER = Owner("acme", "ana")
VECTOR = np.ones(768, dtype=np.float32)


def _write(number: int, characters: int, *, vector: bool) -> DocumentWrite:
    message = Message(
        id=f"msg_{number:04}",
        tenant_id=OWNER.tenant_id,
        user_id=OWNER.user_id,
        event_id="evt_1",
        position=number,
        role=Role.USER,
        speaker="Ana",
        content="語" * characters,
        timestamp=NOW,
        created_at=NOW,
        revision=1,
    )
    return DocumentWrite(message, VECTOR if vector else None)


@given(
    st.lists(st.tuples(st.sampled_from([0, 1, 1_000, 100_000]), st.booleans()), max_size=220),
)
def test_every_write_once_in_order_and_every_commit_fits(sizes: list[tuple[int, bool]]) -> None:
    writes = [_write(number, size, vector=vector) for number, (size, vector) in enumerate(sizes)]
    commits = list(split_commits(writes, id_="evt_1-messages", owner=OWNER, epoch=3, now=NOW))

    assert [write for commit in commits for write in commit.documents] == writes
    assert all(CommitSize.of(commit).fits and commit.documents for commit in commits)
    assert all((commit.epoch, commit.owner, commit.created_at) == (3, OWNER, NOW) for commit in commits)
    assert len({commit.id for commit in commits}) == len(commits)


def test_commits_are_as_large_as_they_may_be() -> None:
    writes = [_write(number, 0, vector=True) for number in range(200)]
    commits = list(split_commits(writes, id_="x", owner=OWNER, epoch=0, now=NOW))

    assert all(commit.item_count >= MAX_COMMIT_ITEMS - 1 for commit in commits[:-1])


def test_large_writes_are_cut_by_size() -> None:
    writes = [_write(number, 100_000, vector=False) for number in range(20)]
    commits = list(split_commits(writes, id_="x", owner=OWNER, epoch=0, now=NOW))

    assert len(commits) > 1
    assert all(commit.size_bytes <= MAX_COMMIT_BYTES for commit in commits)


def test_a_repeat_that_writes_less_makes_marks_of_its_own() -> None:
    """What an earlier run wrote already is left out; its commits may not be still to be projected."""
    writes = [_write(number, 0, vector=True) for number in range(100)]
    first = {commit.id for commit in split_commits(writes, id_="x", owner=OWNER, epoch=0, now=NOW)}
    again = [*split_commits(writes[50:], id_="x", owner=OWNER, epoch=0, now=NOW)]

    assert first.isdisjoint(commit.id for commit in again if commit.documents[0] is writes[50])


@given(st.lists(st.tuples(st.sampled_from([0, 1, 1_000]), st.booleans()), max_size=30))
def test_a_running_size_is_that_of_the_whole(sizes: list[tuple[int, bool]]) -> None:
    writes = [_write(number, size, vector=vector) for number, (size, vector) in enumerate(sizes)]
    running = CommitSize.of(Commit(id="x", owner=OWNER, epoch=0, created_at=NOW))
    for write in writes:
        running += CommitSize.of(write)
    whole = Commit(id="x", owner=OWNER, epoch=0, created_at=NOW, documents=tuple(writes))

    assert running == CommitSize.of(whole)
    assert running - CommitSize.of(whole) == CommitSize()
