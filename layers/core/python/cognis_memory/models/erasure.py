"""What is to be removed: of one user everything, item by item, and of all users what has expired."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from cognis_memory.models.values import Owner


class ItemKind(StrEnum):
    """The kinds of items, by their names in an event's `counts`."""

    CHAINS = "chains"
    EVENTS = "events"
    MARKS = "marks"
    MEMORIES = "memories"
    MESSAGES = "messages"
    VECTORS = "vectors"


@dataclass(frozen=True, slots=True, order=True)
class HeldItem:
    """One item; ledgers list them in this order: by kind, then by id."""

    kind: ItemKind
    id: str

    def __str__(self) -> str:
        """Orders as the item does, for no kind begins with the name of another."""
        return f"{self.kind}/{self.id}"


@dataclass(frozen=True, slots=True)
class ExpiredDocument:
    """A memory or a message that nobody may read any more."""

    owner: Owner
    id: str
    expires_at: datetime
