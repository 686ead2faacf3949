"""User shards: one small SQLite file for each owner, in a folder or in S3 (module `s3`, with boto3)."""

from cognis_memory.adapters.shards.folder import FolderShardStore
from cognis_memory.adapters.shards.index import UserShards
from cognis_memory.adapters.shards.store import ShardStore

__all__ = ["FolderShardStore", "ShardStore", "UserShards"]
