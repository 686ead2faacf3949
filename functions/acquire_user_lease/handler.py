"""AcquireUserLease: the right to change this user's memories, or how long to wait."""

from cognis_memory.runtime.states import state_handler
from cognis_memory.services.ingestion.lease import ACQUIRE, acquire_user_lease

handle = state_handler(ACQUIRE, acquire_user_lease)
