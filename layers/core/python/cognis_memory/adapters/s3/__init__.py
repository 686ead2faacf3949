"""Payloads in S3."""

from cognis_memory.adapters.s3.payloads import S3PayloadStore

__all__ = ["S3PayloadStore"]
