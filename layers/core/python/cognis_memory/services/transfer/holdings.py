"""What a user holds, in a few numbers: whether it stayed the same while it was being read."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Owner
from cognis_memory.ports import Ledger

_MODULUS = 1 << 256


@dataclass(slots=True)
class Holdings:
    """Counts of memories (all versions) and messages, and a hash of the set of their ids and revisions.

    The hash is the sum of the elements' SHA-256, which no order changes (Clarke et al., Incremental Multiset
    Hash Functions, ASIACRYPT 2003): a user of any size takes the same few bytes.
    """

    memories: int = 0
    messages: int = 0
    hash: int = 0

    def add(self, document: Memory | Message) -> None:
        digest = hashlib.sha256(f"{document.id} {document.revision}".encode()).digest()
        self.hash = (self.hash + int.from_bytes(digest)) % _MODULUS
        if isinstance(document, Memory):
            self.memories += 1
        else:
            self.messages += 1

    @property
    def any(self) -> bool:
        return bool(self.memories or self.messages)


def holdings_of(ledger: Ledger, owner: Owner) -> Holdings:
    """Read while others may write; two that are equal enclose a time in which nothing was changed.

    For revisions only grow: what had the same one at both ends was the same in between.
    """
    holdings = Holdings()
    for memory in ledger.iterate_memories(owner):
        holdings.add(memory)
    for message in ledger.iterate_messages(owner):
        holdings.add(message)
    return holdings
