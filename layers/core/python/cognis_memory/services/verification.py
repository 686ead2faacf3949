"""Compares an index with the ledger, which is right wherever they differ."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Final

from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.errors import CorruptData, ModelMismatch
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Owner
from cognis_memory.ports import DocumentIndex, Ledger
from cognis_memory.services.projection import Projector, is_indexed

SAMPLE: Final = 200
_LOOKS: Final = 3
_PAUSE_SECONDS: Final = 0.5
"""What is being written while one looks differs for a moment."""

_WORKERS: Final = 4
_BATCH: Final = 100


@dataclass(frozen=True, slots=True)
class OwnerDifferences:
    """Where the index of one user differs from the ledger.

    Ids of documents that it lacks, holds in another revision, or holds although the ledger has nothing to be
    found under them, and of those in the sample that it holds with other content. `leftovers`: see
    `DocumentIndex.leftovers`. `unreadable`: the name of the error that keeps it from being read at all.
    """

    owner: Owner
    missing: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    orphaned: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    leftovers: int = 0
    unreadable: str | None = None

    @property
    def any(self) -> bool:
        found = (self.missing, self.stale, self.orphaned, self.altered, self.leftovers, self.unreadable)
        return any(found)


@dataclass(slots=True)
class Verification:
    """What was compared and what was found.

    `documents` of the ledger that an index has to hold, `pending` ones of these not counted as missing.
    `sampled` documents were compared by all their fields. `unknown` are the keys of owners whom the index
    holds and the ledger does not know. `repaired` owners, unknown ones too, no longer differ.
    """

    owners: int = 0
    documents: int = 0
    pending: int = 0
    sampled: int = 0
    repaired: int = 0
    differences: list[OwnerDifferences] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        return not self.differences and not self.unknown


@dataclass(frozen=True, slots=True)
class _Look:
    """One look at an owner: how many documents are expected and pending, the ids of those that are there."""

    expected: int
    pending: int
    differences: OwnerDifferences
    held: tuple[str, ...] = ()


def verify(
    ledger: Ledger,
    index: DocumentIndex,
    *,
    sample: int = SAMPLE,
    repair: bool = False,
    report: Callable[[Verification], None] = lambda _: None,
) -> Verification:
    """Compares every owner, and so many documents drawn at random by all their fields.

    `repair` projects owners who differ anew and drops unknown ones; what still differs then is in the answer.
    What is written meanwhile is looked at again and no difference. `report` is told how far it is.
    """
    verifier = _Verifier(ledger, index, sample)
    found = verifier.compare_all(report)
    if repair and not found.clean:
        verifier.repair(found)
        report(found)
    return found


class _Verifier:
    def __init__(self, ledger: Ledger, index: DocumentIndex, sample: int) -> None:
        self._ledger = ledger
        self._index = index
        self._projector = Projector(ledger, [index])
        self._sample = _Sample(sample)

    def compare_all(self, report: Callable[[Verification], None]) -> Verification:
        found = Verification()
        unknown = set(self._index.owner_keys())  # before the ledger's, who is new there may not be here yet
        owners = self._ledger.owners()
        with ThreadPoolExecutor(_WORKERS, thread_name_prefix="cognis-verify") as threads:
            while batch := list(islice(owners, _BATCH)):
                unknown -= set(map(owner_key, batch))
                for owner, look in zip(batch, threads.map(self._look, batch), strict=True):
                    self._count(found, owner, look)
                report(found)
        found.unknown = sorted(unknown)
        altered = self._altered()
        found.sampled = len(self._sample.drawn)
        found.differences += [OwnerDifferences(owner, altered=tuple(ids)) for owner, ids in altered.items()]
        return found

    def repair(self, found: Verification) -> None:
        """Repairs what was found and takes off what does not differ any more."""
        before = len(found.differences) + len(found.unknown)
        for key in found.unknown:
            self._index.discard(key)
        owners = dict.fromkeys(each.owner for each in found.differences)
        for owner in owners:
            self._projector.rebuild(owner)
        found.unknown = []
        found.differences = [look for owner in owners if (look := self._look(owner).differences).any]
        found.repaired = before - len(found.differences)

    def _count(self, found: Verification, owner: Owner, look: _Look) -> None:
        found.owners += 1
        found.documents += look.expected
        found.pending += look.pending
        if look.differences.any:
            found.differences.append(look.differences)
        else:
            self._sample.offer(owner, look.held)

    def _look(self, owner: Owner) -> _Look:
        """As it is found the last time where it differs."""
        for _ in range(_LOOKS - 1):
            look = self._look_once(owner)
            if not look.differences.any:
                return look
            time.sleep(_PAUSE_SECONDS)
        return self._look_once(owner)

    def _look_once(self, owner: Owner) -> _Look:
        expected = {document.id: document.revision for document in self._indexed(owner)}
        try:
            held = dict(self._index.revisions(owner))
            leftovers = self._index.leftovers(owner)
        except (CorruptData, ModelMismatch) as error:
            return _Look(len(expected), 0, OwnerDifferences(owner, unreadable=error.code))
        waiting = {id_ for mark in self._ledger.pending_marks(owner) for id_ in mark.document_ids}
        lacking = [id_ for id_ in expected if id_ not in held and id_ not in waiting]
        vectors = self._ledger.get_vectors(owner, lacking)
        differences = OwnerDifferences(
            owner,
            missing=tuple(id_ for id_ in lacking if id_ in vectors),
            stale=tuple(i for i, r in held.items() if expected.get(i, r) != r and i not in waiting),
            orphaned=tuple(i for i in held if i not in expected and i not in waiting),
            leftovers=leftovers,
        )
        comparable = tuple(id_ for id_ in held if id_ not in waiting)
        return _Look(len(expected), len(waiting), differences, comparable)

    def _indexed(self, owner: Owner) -> Iterator[Memory | Message]:
        held: Iterator[Memory | Message] = chain(
            self._ledger.iterate_memories(owner), self._ledger.iterate_messages(owner)
        )
        return (document for document in held if is_indexed(document))

    def _altered(self) -> dict[Owner, list[str]]:
        """Of the sample, the ids by owner that the index holds with other content."""
        drawn: defaultdict[Owner, list[str]] = defaultdict(list)
        for owner, id_ in self._sample.drawn:
            drawn[owner].append(id_)
        found = {owner: self._altered_of(owner, ids) for owner, ids in drawn.items()}
        return {owner: ids for owner, ids in found.items() if ids}

    def _altered_of(self, owner: Owner, ids: Sequence[str]) -> list[str]:
        for look in range(_LOOKS):
            if look:
                time.sleep(_PAUSE_SECONDS)
            differing = self._index.differing(owner, self._projector.documents_of(owner, ids))
            if not differing:
                return []
        return sorted(differing)


class _Sample:
    """So many documents, each as likely as any other (reservoir sampling, algorithm R)."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._offered = 0
        self.drawn: list[tuple[Owner, str]] = []

    def offer(self, owner: Owner, ids: Iterable[str]) -> None:
        for id_ in ids:
            self._offered += 1
            if len(self.drawn) < self._size:
                self.drawn.append((owner, id_))
            elif (place := random.randrange(self._offered)) < self._size:  # noqa: S311
                self.drawn[place] = (owner, id_)
