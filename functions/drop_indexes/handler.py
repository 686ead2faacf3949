"""DropIndexes: a user goes from every search engine."""

from cognis_memory.runtime.states import erasure_handler
from cognis_memory.services.memories.erasing import DROP_INDEXES, drop_indexes

handle = erasure_handler(DROP_INDEXES, drop_indexes)
