"""EmbedAndCommitMemories: facts become memories, in ledger and indexes."""

from cognis_memory.runtime.states import state_handler
from cognis_memory.services.ingestion.embed_and_commit_memories import STAGE, embed_and_commit_memories

handle = state_handler(STAGE, embed_and_commit_memories)
