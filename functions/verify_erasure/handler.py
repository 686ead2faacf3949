"""VerifyErasure: every store is read again, and the event ended where nothing is found."""

from cognis_memory.runtime.states import erasure_handler
from cognis_memory.services.memories.erasing import VERIFY_ERASURE, verify_erasure

handle = erasure_handler(VERIFY_ERASURE, verify_erasure)
