"""The indexes of a stage: how functions learn of it, and which requests of it each use allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

from aws_cdk import aws_iam as iam
from aws_cdk import aws_opensearchservice as opensearch
from aws_cdk import aws_s3 as s3

from cognis_cdk.config import SearchDomain, SearchNode
from cognis_cdk.constructs.policies import allow, allow_objects
from cognis_cdk.functions import Use
from cognis_memory.adapters.opensearch.names import IndexNames
from cognis_memory.runtime.settings import Search as Engine

_READS: Final = {
    "es:ESHttpGet": ("_doc/*",),
    "es:ESHttpPost": ("_count", "_msearch"),
}
"""Requests under the alias that is read, by action."""

_WRITES: Final = {
    "es:ESHttpGet": ("_doc/*", "_mapping"),
    "es:ESHttpPut": ("_doc/*",),
    "es:ESHttpDelete": ("_doc/*",),
    "es:ESHttpPost": ("_bulk", "_delete_by_query", "_refresh", "_search"),
}
"""Requests under the alias that is written to."""


class SearchAccess(Protocol):
    """One index; `engine` is its name in `cognis_memory.runtime.settings`."""

    engine: ClassVar[Engine]

    def environment(self) -> dict[str, str]:
        """The variables that say where it is."""
        ...

    def statements(self, use: Use) -> Iterator[iam.PolicyStatement]:
        """What READ_INDEX or WRITE_INDEX allows."""
        ...


@dataclass(frozen=True, slots=True)
class ShardAccess:
    """User shards in a bucket."""

    engine: ClassVar[Engine] = "shards"
    bucket: s3.IBucket

    def environment(self) -> dict[str, str]:
        return {"COGNIS_SHARD_BUCKET": self.bucket.bucket_name}

    def statements(self, use: Use) -> Iterator[iam.PolicyStatement]:
        if use is Use.READ_INDEX:
            yield from allow_objects(self.bucket, "s3:GetObject")
        else:
            yield from allow_objects(self.bucket, "s3:PutObject", "s3:DeleteObject")


@dataclass(frozen=True, slots=True)
class DomainAccess:
    """An Amazon OpenSearch domain; IAM judges each request by its method and path.

    The path names the alias. That no body names another index is an option of the domain.
    """

    engine: ClassVar[Engine] = "opensearch"
    domain: opensearch.IDomain
    config: SearchDomain
    index: str

    def environment(self) -> dict[str, str]:
        return _opensearch(f"https://{self.domain.domain_endpoint}", self.index)

    def statements(self, use: Use) -> Iterator[iam.PolicyStatement]:
        names = IndexNames(self.index)
        alias, requests = (names.read, _READS) if use is Use.READ_INDEX else (names.write, _WRITES)
        for action, paths in requests.items():
            yield allow([f"{self.domain.domain_arn}/{alias}/{path}" for path in paths], action)


@dataclass(frozen=True, slots=True)
class NodeAccess:
    """A node on the machine of the functions, which asks nobody who they are."""

    engine: ClassVar[Engine] = "opensearch"
    node: SearchNode
    index: str

    def environment(self) -> dict[str, str]:
        return _opensearch(self.node.endpoint, self.index)

    def statements(self, use: Use) -> Iterator[iam.PolicyStatement]:
        yield from ()


def _opensearch(endpoint: str, index: str) -> dict[str, str]:
    return {"COGNIS_OPENSEARCH_ENDPOINT": endpoint, "COGNIS_OPENSEARCH_INDEX": index}
