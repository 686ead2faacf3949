"""Chains that lose versions, written in commits that every ledger takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from cognis_memory.domain.versions import changed
from cognis_memory.models.commit import MAX_COMMIT_ITEMS, Chain, ChainWrite, Commit, DocumentWrite
from cognis_memory.models.memory import Memory
from cognis_memory.models.values import Owner
from cognis_memory.services.memories.redaction import NO_VECTOR
from cognis_memory.services.writing import split_commits

_REMOVED_AT_ONCE = (MAX_COMMIT_ITEMS - 10) // 2
"""A version is two items, with its vector."""


def shorten_chain(
    chain: Chain,
    kept: Sequence[Memory],
    *,
    owner: Owner,
    epoch: int,
    now: datetime,
    last_id: str | None = None,
) -> Iterator[Commit]:
    """Commits that leave `kept`, the versions as they are afterwards, of the chain.

    Versions that go go last, the one named `last_id` in the end: until then whoever began can begin again.
    Each commit is refused when what it changes or removes is no longer as it was read: a message may have
    come meanwhile that repeats a version, and is linked to it.
    """
    id_ = f"shorten-{chain.chain_id}-{chain.revision}"
    yield from split_commits(_writes(chain, kept), id_=id_, owner=owner, epoch=epoch, now=now)
    revisions = {version.id: version.revision for version in chain.versions}
    staying = {version.id for version in kept}
    going = sorted((id_ for id_ in revisions if id_ not in staying), key=lambda id_: id_ == last_id)
    left = list(revisions)
    for number, start in enumerate(range(0, len(going), _REMOVED_AT_ONCE), start=1):
        removed = tuple(going[start : start + _REMOVED_AT_ONCE])
        left = [id_ for id_ in left if id_ not in removed]
        yield Commit(
            id=f"{id_}-{len(left)}",
            owner=owner,
            epoch=epoch,
            created_at=now,
            deleted=removed,
            deleted_revisions={id_: revisions[id_] for id_ in removed},
            chains=(ChainWrite(chain.chain_id, tuple(left), chain.revision + number),),
        )


def _writes(chain: Chain, kept: Sequence[Memory]) -> list[DocumentWrite]:
    """What changes of what stays; a version that loses its words loses its vector, too."""
    before = {version.id: version for version in chain.versions}
    return [
        DocumentWrite(memory, NO_VECTOR if memory.redacted and not before[memory.id].redacted else None)
        for memory in changed(chain.versions, kept)
    ]
