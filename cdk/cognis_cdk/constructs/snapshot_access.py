"""The repository of the search index's snapshots: what takes them, and who may write to its bucket."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_opensearchservice as opensearch
from aws_cdk import aws_s3 as s3
from constructs import Construct

from cognis_cdk.constructs.policies import allow
from cognis_cdk.constructs.search_access import DomainAccess


@dataclass(frozen=True, slots=True)
class SnapshotAccess:
    """The domain writes snapshots to the bucket as the role; its configuration says how many stay."""

    search: DomainAccess
    bucket: s3.IBucket
    role: iam.IRole

    def environment(self) -> dict[str, str]:
        """The variables of whoever takes snapshots, see `cognis_memory.runtime.settings`."""
        return self.search.environment() | {
            "COGNIS_SNAPSHOT_BUCKET": self.bucket.bucket_name,
            "COGNIS_SNAPSHOT_ROLE_ARN": self.role.role_arn,
            "COGNIS_SNAPSHOTS_KEPT": str(self.search.config.snapshots_kept),
        }

    def statements(self) -> Iterator[iam.PolicyStatement]:
        """To register the repository, called as the index is, and to take, list and delete snapshots."""
        repository = f"{self.search.domain.domain_arn}/_snapshot/{self.search.index}"
        yield allow([repository, f"{repository}/*"], "es:ESHttpPut")
        yield allow([f"{repository}/*"], "es:ESHttpGet", "es:ESHttpDelete")
        yield allow([self.role.role_arn], "iam:PassRole")


def snapshot_role(scope: Construct, id_: str, domain: opensearch.IDomain, bucket: s3.IBucket) -> iam.Role:
    """What OpenSearch Service has to be for this domain and no other, to keep snapshots in the bucket.

    As in its Developer Guide, "Creating index snapshots in Amazon OpenSearch Service", with the conditions
    that it recommends against a confused deputy.
    """
    conditions = {
        "StringEquals": {"aws:SourceAccount": Stack.of(scope).account},
        "ArnLike": {"aws:SourceArn": domain.domain_arn},
    }
    statements = [
        allow([bucket.bucket_arn], "s3:ListBucket"),
        allow([bucket.arn_for_objects("*")], "s3:GetObject", "s3:PutObject", "s3:DeleteObject"),
    ]
    return iam.Role(
        scope,
        id_,
        assumed_by=iam.ServicePrincipal("es.amazonaws.com", conditions=conditions),
        inline_policies={"KeepSnapshots": iam.PolicyDocument(statements=statements)},
    )
