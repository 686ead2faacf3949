"""Cuts plain document writes into commits that every ledger takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from cognis_memory.models.commit import MAX_COMMIT_BYTES, MAX_COMMIT_ITEMS, Commit, DocumentWrite
from cognis_memory.models.values import Owner


def fits(commit: Commit) -> bool:
    """Whether a ledger takes the commit in one transaction."""
    return commit.item_count <= MAX_COMMIT_ITEMS and commit.size_bytes <= MAX_COMMIT_BYTES


def split_commits(
    writes: Sequence[DocumentWrite], *, id_: str, owner: Owner, epoch: int, now: datetime
) -> Iterator[Commit]:
    """Commits of as many writes as fit each, in order; writes must not depend on one another.

    A commit's id ends with its first document, so that a repeat after a crash makes marks of its own.
    """
    part = Commit(id=id_, owner=owner, epoch=epoch, created_at=now)
    for write in writes:
        longer = replace(part, documents=(*part.documents, write))
        if part.documents and not fits(longer):
            yield replace(part, id=f"{id_}-{part.documents[0].document.id}")
            longer = replace(part, documents=(write,))
        part = longer
    if part.documents:
        yield replace(part, id=f"{id_}-{part.documents[0].document.id}")
