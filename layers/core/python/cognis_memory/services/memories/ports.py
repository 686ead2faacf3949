"""What changes to single memories need from the outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from cognis_memory.domain.pricing import FREE, Prices
from cognis_memory.ports import Clock, Embedder, Ledger, PayloadStore, TransferFiles
from cognis_memory.services.projection import Projector


class RemovalPorts(Protocol):
    """What removes memories and whole users: whatever holds their words."""

    @property
    def ledger(self) -> Ledger: ...

    @property
    def payloads(self) -> PayloadStore: ...

    @property
    def files(self) -> TransferFiles: ...

    @property
    def projector(self) -> Projector: ...

    @property
    def clock(self) -> Clock: ...


@dataclass(frozen=True, slots=True)
class MemoryPorts:
    """Ledger, payloads and files for what is held, the embedder, at `prices`, for what is embedded anew."""

    ledger: Ledger
    payloads: PayloadStore
    files: TransferFiles
    embedder: Embedder
    projector: Projector
    clock: Clock
    prices: Prices = FREE
