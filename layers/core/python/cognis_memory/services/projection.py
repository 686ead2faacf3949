"""Brings the indexes to what the ledger says now (invariant 5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, count, islice
from typing import TypeVar

from cognis_memory.domain.indexed_text import shorten_context, spoken_text
from cognis_memory.errors import IndexUnavailable
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import FloatVector, Kind, Operation, Owner
from cognis_memory.ports import DocumentIndex, Ledger
from cognis_memory.services.erasure_epochs import is_erasing

_T = TypeVar("_T")

REBUILD_BATCH = 200
REBUILD_ATTEMPTS = 5
INDEXED_SOURCES = 3


class Projector:
    """Projects one user's documents into every index of the deployment."""

    def __init__(self, ledger: Ledger, indexes: Sequence[DocumentIndex]) -> None:
        """`indexes` holds each physical index once, though it may serve two ports."""
        self._ledger = ledger
        self._indexes = tuple(indexes)

    def catch_up(self, owner: Owner) -> int:
        """Projects everything that is marked pending; returns how many documents that were."""
        marks = self._ledger.pending_marks(owner)
        if not marks:
            return 0
        ids = list(dict.fromkeys(id_ for mark in marks for id_ in mark.document_ids))
        with self._unless_erased(owner) as open_:
            if not open_:
                return 0
            self.restore_missing(owner)  # written to as it is, it would hold these documents alone
            self._apply(owner, ids)
        self._ledger.clear_pending(owner, [mark.commit_id for mark in marks])
        return len(ids)

    def restore_missing(self, owner: Owner) -> bool:
        """Rebuilds indexes that are missing or corrupt although the ledger holds documents."""
        missing = [index for index in self._indexes if not index.exists(owner)]
        if not missing or not self._holds_anything(owner):
            return False
        with self._unless_erased(owner) as open_:
            for index in missing if open_ else ():
                self._restore(owner, index)
        return open_

    def rebuild(self, owner: Owner) -> int:
        """Writes every index of this user anew from the ledger, without an embedding model; returns how many
        documents that took."""
        with self._unless_erased(owner) as open_:
            return sum(self._rebuild(owner, index) for index in self._indexes) if open_ else 0

    def documents(self, owner: Owner) -> Iterator[IndexDocument]:
        """What an index has to hold of this user, in order of id, read while it is iterated."""
        documents: Iterator[Memory | Message] = chain(
            self._ledger.iterate_memories(owner), self._ledger.iterate_messages(owner)
        )
        for batch in _batches(documents, REBUILD_BATCH):
            yield from self._documents(owner, batch)

    def documents_of(self, owner: Owner, ids: Sequence[str]) -> list[IndexDocument]:
        """Those of the ids that an index has to hold."""
        return self._documents(owner, self._held(owner, ids))

    def drop(self, owner: Owner) -> None:
        for index in self._indexes:
            index.drop(owner)

    def holdings(self, owner: Owner) -> dict[str, int]:
        """How much each index holds of the user, by its name in the counts of an erasure."""
        return {name: number for index in self._indexes for name, number in index.holdings(owner).items()}

    @contextmanager
    def _unless_erased(self, owner: Owner) -> Iterator[bool]:
        """Whether anything may be projected, which is not so while an erasure is under way.

        Drops the indexes when one began meanwhile: what it took must not come back. What is left of the user,
        or new, is restored from the ledger by the next search or commit.
        """
        epoch = self._ledger.erasure_epoch(owner)
        try:
            yield not is_erasing(epoch)
        finally:
            if self._ledger.erasure_epoch(owner) != epoch:
                self.drop(owner)

    def _restore(self, owner: Owner, index: DocumentIndex) -> None:
        try:
            self._rebuild(owner, index)
        except IndexUnavailable:
            if not index.exists(owner):  # else another process has just restored it
                raise

    def _rebuild(self, owner: Owner, index: DocumentIndex) -> int:
        """An index that another writer changed while the ledger was read is built once more."""
        attempt = 1
        while True:
            numbers = count()
            documents = (each for each, _ in zip(self.documents(owner), numbers, strict=False))
            try:
                index.replace(owner, documents)
            except IndexUnavailable:
                if attempt == REBUILD_ATTEMPTS:
                    raise
                attempt += 1
            else:
                return next(numbers)

    def _holds_anything(self, owner: Owner) -> bool:
        everything = chain(self._ledger.iterate_memories(owner), self._ledger.iterate_messages(owner))
        return next(iter(everything), None) is not None

    def _apply(self, owner: Owner, ids: Sequence[str]) -> None:
        for batch in _batches(iter(ids), REBUILD_BATCH):
            held = self._held(owner, batch)
            documents = self._documents(owner, held)
            found = {document.id for document in documents}
            gone = [id_ for id_ in batch if id_ not in found]
            for index in self._indexes:
                index.apply(owner, documents, gone)

    def _held(self, owner: Owner, ids: Sequence[str]) -> list[Memory | Message]:
        return [
            *self._ledger.get_memories(owner, ids).values(),
            *self._ledger.get_messages(owner, ids).values(),
        ]

    def _documents(self, owner: Owner, held: Iterable[Memory | Message]) -> list[IndexDocument]:
        shown = [document for document in held if is_indexed(document)]
        vectors = self._ledger.get_vectors(owner, [document.id for document in shown])
        contexts = self._contexts(owner, shown)
        return [
            index_document(document, vectors[document.id], contexts.get(document.id, ""))
            for document in shown
            if document.id in vectors
        ]

    def _contexts(self, owner: Owner, documents: Sequence[Memory | Message]) -> dict[str, str]:
        """What was said around each document: before a message, or before and in a memory's sources."""
        messages = {d.id: d for d in documents if isinstance(d, Message)}
        self._read(owner, messages, [id_ for d in documents if isinstance(d, Memory) for id_ in sources(d)])
        self._read(owner, messages, [id_ for m in list(messages.values()) for id_ in m.preceding])
        return {
            d.id: context_text(d, messages) if isinstance(d, Message) else source_text(d, messages)
            for d in documents
        }

    def _read(self, owner: Owner, known: dict[str, Message], ids: Sequence[str]) -> None:
        missing = list(dict.fromkeys(id_ for id_ in ids if id_ not in known))
        if missing:
            known |= self._ledger.get_messages(owner, missing)


def context_text(message: Message, before: Mapping[str, Message]) -> str:
    """The turns that stand before a message, oldest first, as they read now: redacted ones are gone."""
    turns = (before[id_] for id_ in message.preceding if id_ in before)
    return shorten_context("\n".join(spoken_text(turn) for turn in turns if turn.searchable))


def sources(memory: Memory) -> tuple[str, ...]:
    """The messages that a memory is indexed with: those that made it, not every later repeat."""
    return memory.source_messages[:INDEXED_SOURCES]


def source_text(memory: Memory, messages: Mapping[str, Message]) -> str:
    """What was said when the memory was made, with the turns before it."""
    said = [messages[id_] for id_ in sources(memory) if id_ in messages and messages[id_].searchable]
    return "\n".join(filter(None, (t for m in said for t in (context_text(m, messages), spoken_text(m)))))


def index_document(document: Memory | Message, vector: FloatVector, context: str = "") -> IndexDocument:
    """The projection of one ledger document."""
    if isinstance(document, Memory):
        return _memory_document(document, vector, context)
    return IndexDocument(
        id=document.id,
        kind=Kind.MESSAGE,
        text=spoken_text(document),
        context=context,
        vector=vector,
        revision=document.revision,
        language=document.language,
        scope=document.scope,
        context_id=document.context_id,
        agent_id=document.agent_id,
        speaker=document.speaker,
        timestamp=document.timestamp,
        event_time=document.event_time,
        event_end=document.event_end,
        created_at=document.created_at,
        expires_at=document.expires_at,
        valid_from=document.timestamp,
        metadata=document.metadata,
    )


def _memory_document(memory: Memory, vector: FloatVector, context: str) -> IndexDocument:
    """A retraction has no category: so `visible` keeps it out of every search, and `ended_since` finds it."""
    return IndexDocument(
        id=memory.id,
        kind=Kind.MEMORY,
        text=memory.content,
        context=context,
        vector=vector,
        revision=memory.revision,
        language=memory.language,
        category=None if memory.operation is Operation.DELETE else memory.category,
        scope=memory.scope,
        context_id=memory.context_id,
        agent_id=memory.agent_id,
        speaker=memory.speaker,
        timestamp=memory.timestamp,
        event_time=memory.event_time,
        event_end=memory.event_end,
        created_at=memory.created_at,
        expires_at=memory.expires_at,
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        is_current=memory.is_current,
        replaces_id=memory.replaces_id,
        metadata=memory.metadata,
    )


def is_indexed(document: Memory | Message) -> bool:
    """Whether an index has to hold the document, once it has a vector."""
    return not document.redacted if isinstance(document, Memory) else document.searchable


def _batches(items: Iterator[_T], size: int) -> Iterator[list[_T]]:
    while batch := list(islice(items, size)):
        yield batch
