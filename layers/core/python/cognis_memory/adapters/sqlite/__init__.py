"""The ledger in one SQLite file, for in-process use."""

from cognis_memory.adapters.sqlite.ledger import SqliteLedger

__all__ = ["SqliteLedger"]
