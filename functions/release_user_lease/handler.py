"""ReleaseUserLease: the next ingestion of this user may go on."""

from cognis_memory.runtime.states import state_handler
from cognis_memory.services.ingestion.lease import RELEASE, release_user_lease

handle = state_handler(RELEASE, release_user_lease)
