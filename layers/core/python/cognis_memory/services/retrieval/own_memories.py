"""Which memories are about whoever told them."""

from __future__ import annotations

from typing import Final

from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message

_USER: Final = "user"


def is_own(document: Memory | Message) -> bool:
    """Whether a memory's subject is the user, or the named speaker who told it; never of a message."""
    if not isinstance(document, Memory) or not document.subject:
        return False
    return document.subject.casefold() == _USER or document.subject == document.speaker
