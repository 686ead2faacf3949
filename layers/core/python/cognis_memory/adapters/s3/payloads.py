"""A payload store in a bucket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from cognis_memory.adapters.aws.errors import TRANSIENT_CODES, error_code, translated_errors
from cognis_memory.errors import NotFound, PayloadUnavailable, PermanentError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


class S3PayloadStore:
    """The `PayloadStore` port: one object a key. Prefixes end at a slash: `a` covers `a` and `a/b`, not `ab`.

    Raises PayloadUnavailable, the error of the store that payloads belong to, for throttles, timeouts and
    faults of the service, and PermanentError for what it refuses.
    """

    def __init__(self, bucket: str, client: S3Client, prefix: str = "") -> None:
        """`prefix` stands before every key, so that payloads can share a bucket."""
        self._bucket = bucket
        self._client = client
        self._prefix = prefix

    def put(self, key: str, data: bytes) -> None:
        with _errors("PutObject"):
            self._client.put_object(Bucket=self._bucket, Key=self._prefix + key, Body=data)

    def get(self, key: str) -> bytes:
        with _errors("GetObject"):
            try:
                response = self._client.get_object(Bucket=self._bucket, Key=self._prefix + key)
                return response["Body"].read()
            except ClientError as error:
                if error_code(error) == "NoSuchKey":
                    raise NotFound(f"there is no payload {key}") from None
                raise

    def count(self, prefix: str) -> int:
        return sum(len(names) for names in self._pages(prefix))

    def delete(self, prefix: str, *, when: Callable[[], bool] | None = None) -> None:
        for names in self._pages(prefix):
            if when is not None and not when():
                return
            self._delete_page(names)

    def _pages(self, prefix: str) -> Iterator[list[str]]:
        """The names of the objects at the prefix and under it, page by page."""
        key = prefix.rstrip("/")
        if not key:
            raise ValueError("a prefix names whose payloads are meant")
        own = self._prefix + key
        with _errors("ListObjectsV2"):
            pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=own)
            for page in pages:
                names = (entry["Key"] for entry in page.get("Contents", []))
                yield [name for name in names if name == own or name.startswith(f"{own}/")]

    def _delete_page(self, keys: list[str]) -> None:
        """A page has at most 1,000 keys, as many as one call deletes."""
        if not keys:
            return
        with _errors("DeleteObjects"):
            response = self._client.delete_objects(
                Bucket=self._bucket, Delete={"Objects": [{"Key": key} for key in keys], "Quiet": True}
            )
        if failed := response.get("Errors"):
            code = failed[0].get("Code", "Unknown")
            error = PayloadUnavailable if code in TRANSIENT_CODES else PermanentError
            raise error(f"DeleteObjects left {len(failed)} payloads: {code}")


def _errors(operation: str) -> AbstractContextManager[None]:
    return translated_errors(operation, PayloadUnavailable)
