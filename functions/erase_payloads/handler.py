"""ErasePayloads: what unfinished and failed events of a user kept goes."""

from cognis_memory.runtime.states import erasure_handler
from cognis_memory.services.memories.erasing import ERASE_PAYLOADS, erase_payloads

handle = erasure_handler(ERASE_PAYLOADS, erase_payloads)
