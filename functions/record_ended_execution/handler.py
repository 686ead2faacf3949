"""RecordEndedExecution: events of executions that died without a word are FAILED, their leases free."""

from cognis_memory.runtime.upkeep import record_ended_execution

handle = record_ended_execution
