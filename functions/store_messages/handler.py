"""StoreMessages: keeps every message, findable before any model has read it."""

from cognis_memory.runtime.states import state_handler
from cognis_memory.services.ingestion.store_messages import STAGE, store_messages

handle = state_handler(STAGE, store_messages)
