"""Adds whom an index lacks altogether."""

from __future__ import annotations

from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.ports import DocumentIndex, Ledger
from cognis_memory.services.projection import Projector


def restore_all(ledger: Ledger, index: DocumentIndex) -> int:
    """Projects every user of whom the ledger holds documents and the index nothing; how many these were."""
    held = set(index.owner_keys())
    projector = Projector(ledger, [index])
    return sum(projector.restore_missing(each) for each in ledger.owners() if owner_key(each) not in held)
