"""Buckets for what is private."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_s3 as s3
from constructs import Construct


def private_bucket(
    scope: Construct, id_: str, *, protected: bool, expires_after: Duration | None = None
) -> s3.Bucket:
    """An encrypted bucket that answers over TLS only and never the public.

    It keeps no old versions: erasing somebody is deleting objects, and what is deleted must be gone.
    Uploads that nobody finished go after a day, and objects after `expires_after`.
    """
    rules: Sequence[s3.LifecycleRule] = [
        s3.LifecycleRule(abort_incomplete_multipart_upload_after=Duration.days(1), expiration=expires_after)
    ]
    return s3.Bucket(
        scope,
        id_,
        encryption=s3.BucketEncryption.S3_MANAGED,
        block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
        object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
        enforce_ssl=True,
        minimum_tls_version=1.2,
        versioned=False,
        lifecycle_rules=rules,
        removal_policy=RemovalPolicy.RETAIN if protected else RemovalPolicy.DESTROY,
    )
