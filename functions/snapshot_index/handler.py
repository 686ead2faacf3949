"""SnapshotIndex: a snapshot of the search index, and the end of those that are too old."""

from cognis_memory.runtime.snapshots import snapshot_handler

handle = snapshot_handler
