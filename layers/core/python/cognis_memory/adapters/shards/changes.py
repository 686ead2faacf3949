"""What a set of changes makes of a shard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cognis_memory.adapters.shards.draft import Draft
from cognis_memory.adapters.shards.rows import row_of
from cognis_memory.adapters.shards.segment import Segment
from cognis_memory.models.document import IndexDocument


@dataclass(frozen=True, slots=True)
class Outcome:
    """`changed` is False when all of it was there already. `erases_base` is True when the base holds words
    that have to go, those of a document deleted or reworded."""

    changed: bool
    erases_base: bool


def apply_changes(
    draft: Draft, base: Segment | None, upserts: Sequence[IndexDocument], deleted: Sequence[str]
) -> Outcome:
    """Deletes in the draft, and puts into it what is newer than itself and its base and was never deleted."""
    ids = [*deleted, *(document.id for document in upserts)]
    in_base = base.entries(ids) if base else {}
    buried = draft.tombstones(ids) | (base.tombstones(ids) if base else set())
    newly_gone = [id_ for id_ in dict.fromkeys(deleted) if id_ not in buried]
    held = {id_: entry.revision for id_, entry in (in_base | draft.entries(ids)).items()}
    draft.bury(newly_gone)
    buried.update(newly_gone)
    rows = [row_of(document) for document in _newest(upserts, held) if document.id not in buried]
    draft.put(rows)
    reworded = any(row.id in in_base and in_base[row.id].digest != row.digest for row in rows)
    return Outcome(bool(newly_gone or rows), reworded or not in_base.keys().isdisjoint(newly_gone))


def merge(base: Draft, head: Draft) -> None:
    """Makes the base what it looks like under the head."""
    base.bury(head.all_tombstones())
    base.put(list(head.rows()))


def _newest(documents: Sequence[IndexDocument], held: Mapping[str, int]) -> list[IndexDocument]:
    """Of each id the newest document, unless what is held is as new."""
    newest: dict[str, IndexDocument] = {}
    for document in documents:
        known = newest[document.id].revision if document.id in newest else held.get(document.id)
        if known is None or document.revision > known:
            newest[document.id] = document
    return list(newest.values())
