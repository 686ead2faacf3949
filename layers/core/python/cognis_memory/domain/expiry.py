"""What is left of a version chain once some of its versions have expired.

Nothing may come back by that: what a version replaced stays in the past when the version expires. So one that
stands after a statement in force leaves its place in the chain behind, without its words, as a retraction
that says only that something else was so from then on. Every other one vanishes: its successor replaces what
stands before it, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from cognis_memory.domain.versions import place
from cognis_memory.models.memory import Memory
from cognis_memory.models.values import Operation


def without_expired(versions: Sequence[Memory], *, now: datetime) -> tuple[Memory, ...]:
    """The chain, oldest version first, without what nobody may read at `now`; empty when nothing is left.

    What changed is one revision on, updated at `now`.
    """
    kept: list[Memory] = []
    for version in versions:
        if not version.has_expired(now):
            kept.append(version)
        elif kept and kept[-1].operation is not Operation.DELETE:
            kept.append(_redacted(version))
    before = {version.id: version for version in versions}
    placed = place(kept, now=now)
    return tuple(_revised(before[version.id], version, now) for version in placed)


def _redacted(version: Memory) -> Memory:
    """Its place in time and nothing that anybody said."""
    return version.model_copy(
        update={
            "operation": Operation.DELETE,
            "content": "",
            "subject": "",
            "slot": None,
            "speaker": None,
            "retracts": False,
            "lapses": False,
            "metadata": {},
            "source_messages": (),
            "repeats": (),
            "expires_at": None,
            "redacted": True,
        }
    )


def _revised(before: Memory, after: Memory, now: datetime) -> Memory:
    unmoved = after.model_copy(update={"revision": before.revision, "updated_at": before.updated_at})
    if unmoved == before:
        return before
    return after.model_copy(update={"revision": before.revision + 1, "updated_at": now})
