"""Statements of IAM policies."""

from __future__ import annotations

from collections.abc import Iterable

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3


def allow(resources: Iterable[str], *actions: str) -> iam.PolicyStatement:
    return iam.PolicyStatement(actions=list(actions), resources=list(resources))


def allow_objects(bucket: s3.IBucket, *actions: str, keys: str = "*") -> list[iam.PolicyStatement]:
    """Without the right to list, S3 answers 403 for an object that is not there, where 404 is expected."""
    return [allow([bucket.arn_for_objects(keys)], *actions), allow([bucket.bucket_arn], "s3:ListBucket")]


def foundation_model(stack: Stack, region: str, model_id: str) -> str:
    """The ARN of a Bedrock model, which belongs to no account."""
    return stack.format_arn(
        service="bedrock", region=region, account="", resource="foundation-model", resource_name=model_id
    )
