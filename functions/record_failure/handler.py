"""RecordFailure: the reason on the event, the lease free."""

from cognis_memory.runtime.states import record_failure

handle = record_failure
