"""EraseLedger: what the ledger holds of a user goes, batch by batch."""

from cognis_memory.runtime.states import erasure_handler
from cognis_memory.services.memories.erasing import ERASE_LEDGER, erase_ledger

handle = erasure_handler(ERASE_LEDGER, erase_ledger)
