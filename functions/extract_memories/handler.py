"""ExtractMemories: what is worth keeping, and what it changes."""

from cognis_memory.runtime.states import state_handler
from cognis_memory.services.ingestion.extract_memories import STAGE, extract_memories

handle = state_handler(STAGE, extract_memories)
