"""Changes to one user's documents, staged in memory and written commit by commit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeVar

from cognis_memory.models.commit import CHAIN_BYTES, ChainWrite, DocumentWrite
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import FloatVector, Owner
from cognis_memory.ports import Ledger
from cognis_memory.services.writing import CommitSize

_T = TypeVar("_T")
_CHAIN: Final = CommitSize(1, CHAIN_BYTES)


@dataclass(slots=True)
class Staging:
    """The chains and messages that facts touch, with all changes so far applied.

    A document keeps one write per commit however often it changes in it: its revision is the committed
    one plus one. `documents` holds what is changed and not yet written, new versions first of a chain;
    `size` is that of it and of the grown chains.
    """

    ledger: Ledger
    owner: Owner
    chains: dict[str, tuple[Memory, ...]] = field(default_factory=dict)
    messages: dict[str, Message] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    documents: dict[str, DocumentWrite] = field(default_factory=dict)
    grown: dict[str, ChainWrite] = field(default_factory=dict)
    size: CommitSize = field(default_factory=CommitSize)
    _sizes: dict[str, CommitSize] = field(default_factory=dict)
    _undo: list[Callable[[], object]] = field(default_factory=list)
    _chain_of: dict[str, str] = field(default_factory=dict)
    _revisions: dict[str, int] = field(default_factory=dict)
    _chain_revisions: dict[str, int] = field(default_factory=dict)

    @classmethod
    def load(
        cls,
        ledger: Ledger,
        owner: Owner,
        memory_ids: Sequence[str],
        message_ids: Sequence[str],
        about: Mapping[str, str] | None = None,
    ) -> Staging:
        """Reads what facts about these memories and messages change.

        `about` names the target of every fact by the id of the version that came of it, if one did: who means
        that version means the target's chain.
        """
        staging = cls(ledger, owner, messages=ledger.get_messages(owner, message_ids), about=about or {})
        targets = ledger.get_memories(owner, memory_ids)
        chain_ids = sorted({memory.chain_id for memory in targets.values()})
        for chain in ledger.get_chains(owner, chain_ids).values():
            staging.chains[chain.chain_id] = chain.versions
            staging._chain_revisions[chain.chain_id] = chain.revision
            staging._revisions |= {memory.id: memory.revision for memory in chain.versions}
            staging._chain_of |= {memory.id: chain.chain_id for memory in chain.versions}
        staging._revisions |= {message.id: message.revision for message in staging.messages.values()}
        return staging

    def chain_with(self, memory_id: str) -> tuple[Memory, ...]:
        """The versions of the chain that holds this memory; empty when it is gone."""
        while memory_id not in self._chain_of and memory_id in self.about:
            memory_id = self.about[memory_id]
        return self.chains.get(self._chain_of.get(memory_id, ""), ())

    def message(self, message_id: str) -> Message | None:
        """The message with all changes so far; None when it is gone."""
        if message_id not in self.messages:
            found = self.ledger.get_messages(self.owner, [message_id])
            self.messages |= found
            self._revisions |= {message.id: message.revision for message in found.values()}
        return self.messages.get(message_id)

    def vector_of(self, memory_id: str) -> FloatVector | None:
        """The vector of a version that is staged or held; None where it has none."""
        staged = self.documents.get(memory_id)
        if staged is not None and staged.vector is not None:
            return staged.vector
        return self.ledger.get_vectors(self.owner, [memory_id]).get(memory_id)

    def put_chain(self, versions: Sequence[Memory], vectors: Mapping[str, FloatVector]) -> None:
        """Stages a chain, with the vectors of its new versions by id."""
        chain_id = versions[0].chain_id
        before = {memory.id: memory for memory in self.chains.get(chain_id, ())}
        changed = [memory for memory in versions if before.get(memory.id) != memory]
        for memory in sorted(changed, key=lambda memory: memory.id in before):
            self._put(memory, None if memory.id in before else vectors.get(memory.id))
        self._set(self.chains, chain_id, tuple(versions))
        for memory in versions:
            self._set(self._chain_of, memory.id, chain_id)
        if {memory.id for memory in versions} != set(before):
            ids = tuple(memory.id for memory in versions)
            self.size += CommitSize() if chain_id in self.grown else _CHAIN
            revision = self._chain_revisions.get(chain_id, 0) + 1
            self._set(self.grown, chain_id, ChainWrite(chain_id, ids, revision))

    def link(self, message_id: str, *memory_ids: str) -> None:
        """Links a message to memories that it made, repeated, changed or retracted."""
        message = self.message(message_id)
        if message is None or set(memory_ids) <= set(message.links):
            return
        links = tuple(dict.fromkeys((*message.links, *memory_ids)))
        self._set(self.messages, message_id, message.model_copy(update={"links": links}))
        self._put(self.messages[message_id], None)

    def mark(self) -> None:
        """Says where `undo` goes back to."""
        self._undo = [partial(setattr, self, "size", self.size)]

    def undo(self) -> None:
        """Takes back what was staged since the last mark."""
        for step in reversed(self._undo):
            step()
        self.mark()

    def written(self, documents: Sequence[DocumentWrite], chains: Sequence[ChainWrite]) -> None:
        """Says that these writes are in the ledger now."""
        for write in documents:
            self._revisions[write.document.id] = write.document.revision
            del self.documents[write.document.id]
            self.size -= self._sizes.pop(write.document.id)
        for chain in chains:
            self._chain_revisions[chain.chain_id] = chain.revision
            del self.grown[chain.chain_id]
            self.size -= _CHAIN
        self.mark()

    def _put(self, document: Memory | Message, vector: FloatVector | None) -> None:
        staged = self.documents.get(document.id)
        if vector is None and staged is not None:
            vector = staged.vector
        revision = self._revisions.get(document.id, 0) + 1
        revised = document.model_copy(update={"revision": revision})
        write = DocumentWrite(revised, vector)
        size = CommitSize.of(write)
        self.size += size - self._sizes.get(document.id, CommitSize())
        self._set(self._sizes, document.id, size)
        self._set(self.documents, document.id, write)

    def _set(self, table: dict[str, _T], key: str, value: _T) -> None:
        restore = partial(table.__setitem__, key, table[key]) if key in table else partial(table.pop, key)
        self._undo.append(restore)
        table[key] = value
