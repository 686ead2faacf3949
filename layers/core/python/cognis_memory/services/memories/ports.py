"""What changes to single memories need from the outside."""

from __future__ import annotations

from dataclasses import dataclass

from cognis_memory.ports import Clock, Embedder, Ledger, PayloadStore
from cognis_memory.services.projection import Projector


@dataclass(frozen=True, slots=True)
class MemoryPorts:
    """Ledger and payloads for what is held, the embedder for what must be embedded anew."""

    ledger: Ledger
    payloads: PayloadStore
    embedder: Embedder
    projector: Projector
    clock: Clock
