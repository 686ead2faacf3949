"""Payloads and transfer files in S3."""

from cognis_memory.adapters.s3.payloads import S3PayloadStore
from cognis_memory.adapters.s3.transfers import S3TransferFiles

__all__ = ["S3PayloadStore", "S3TransferFiles"]
