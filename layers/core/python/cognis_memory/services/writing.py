"""Cuts plain document writes into commits that every ledger takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from cognis_memory.models.commit import MAX_COMMIT_BYTES, MAX_COMMIT_ITEMS, Commit, DocumentWrite
from cognis_memory.models.values import Owner


@dataclass(frozen=True, slots=True)
class CommitSize:
    """How much of a transaction something takes: items and bytes.

    Counting writes everything out, so whoever builds a commit up keeps its size and counts what is added.
    """

    items: int = 0
    size_bytes: int = 0

    @classmethod
    def of(cls, counted: Commit | DocumentWrite) -> CommitSize:
        return cls(counted.item_count, counted.size_bytes)

    def __add__(self, other: CommitSize) -> CommitSize:
        return CommitSize(self.items + other.items, self.size_bytes + other.size_bytes)

    def __sub__(self, other: CommitSize) -> CommitSize:
        return CommitSize(self.items - other.items, self.size_bytes - other.size_bytes)

    @property
    def fits(self) -> bool:
        """Whether a ledger takes so much in one transaction."""
        return self.items <= MAX_COMMIT_ITEMS and self.size_bytes <= MAX_COMMIT_BYTES


def split_commits(
    writes: Sequence[DocumentWrite], *, id_: str, owner: Owner, epoch: int, now: datetime
) -> Iterator[Commit]:
    """Commits of as many writes as fit each, in order; writes must not depend on one another.

    A commit's id ends with its first document, so that a repeat after a crash makes marks of its own.
    """
    empty = Commit(id=id_, owner=owner, epoch=epoch, created_at=now)
    for part in split_writes(writes, CommitSize.of(empty)):
        yield replace(empty, id=f"{id_}-{part[0].document.id}", documents=part)


def split_writes(writes: Sequence[DocumentWrite], around: CommitSize) -> Iterator[tuple[DocumentWrite, ...]]:
    """The writes in order, in runs of as many as fit beside `around`, which each commit holds besides."""
    part: list[DocumentWrite] = []
    size = around
    for write in writes:
        added = CommitSize.of(write)
        if part and not (size + added).fits:
            yield tuple(part)
            part, size = [], around
        part.append(write)
        size += added
    if part:
        yield tuple(part)
