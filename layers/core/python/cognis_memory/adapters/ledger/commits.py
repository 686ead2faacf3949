"""Commits that no ledger may take."""

from __future__ import annotations

from collections.abc import Sequence

from cognis_memory.errors import InputTooLarge
from cognis_memory.models.commit import MAX_COMMIT_BYTES, MAX_COMMIT_ITEMS, Commit


def check_commit(commit: Commit) -> None:
    """Raises InputTooLarge beyond the limits, and ValueError for a commit that contradicts itself.

    A contradiction is a fault of the code that made the commit: a document of another owner, one document
    or chain twice, or a revision below 1.
    """
    if commit.item_count > MAX_COMMIT_ITEMS:
        raise InputTooLarge(f"a commit has at most {MAX_COMMIT_ITEMS} items, not {commit.item_count}")
    if (size := commit.size_bytes) > MAX_COMMIT_BYTES:
        raise InputTooLarge(f"a commit has at most {MAX_COMMIT_BYTES} bytes, not {size}")
    _check_owner(commit)
    _check_distinct("document", commit.touched)
    _check_distinct("chain", [chain.chain_id for chain in commit.chains])
    _check_revisions(commit)


def _check_owner(commit: Commit) -> None:
    owners = {write.document.owner for write in commit.documents}
    if commit.event is not None:
        owners.add(commit.event.owner)
    if owners - {commit.owner}:
        raise ValueError("a commit writes what belongs to its owner only")


def _check_distinct(kind: str, ids: Sequence[str]) -> None:
    if len(set(ids)) != len(ids):
        raise ValueError(f"a commit touches each {kind} once")


def _check_revisions(commit: Commit) -> None:
    revisions = [write.document.revision for write in commit.documents]
    revisions += [chain.revision for chain in commit.chains]
    if any(revision < 1 for revision in revisions):
        raise ValueError("the first revision that a commit can write is 1")
