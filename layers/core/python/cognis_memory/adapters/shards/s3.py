"""Shard files in S3, with conditional reads and writes."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError

from cognis_memory.adapters.shards.file_cache import FileCache
from cognis_memory.adapters.shards.store import Freshness, StaleWrite, StoredFile
from cognis_memory.errors import IndexUnavailable

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import GetObjectRequestTypeDef, PutObjectRequestTypeDef

_UNMODIFIED: Final = frozenset({"304", "NotModified"})
_MISSING: Final = frozenset({"404", "NoSuchKey"})
_STALE: Final = _MISSING | {"412", "PreconditionFailed", "409", "ConditionalRequestConflict"}
_PART_BYTES: Final = 1 << 20
_DELETED_AT_ONCE: Final = 1_000
_STRIPES: Final = 64


class S3ShardStore:
    """One object for each file, `<prefix><name>`, and copies in a cache on the local disk.

    S3 is consistent: a conditional GET answers the last write, or 304 when the copy here is that one, and a
    PUT with If-Match or If-None-Match fails when another writer was first. The checksums of S3 and botocore
    guard the transport. What is deleted here stays in the cache of another machine until that one asks for
    it, and among the old versions of a versioned bucket until a lifecycle rule removes it.
    """

    def __init__(self, client: S3Client, bucket: str, cache: FileCache, *, prefix: str = "") -> None:
        self._client = client
        self._bucket = bucket
        self._cache = cache
        self._prefix = prefix
        self._copying = [threading.Lock() for _ in range(_STRIPES)]

    def fetch(self, name: str, known: str | None = None) -> StoredFile | Freshness | None:
        with _errors():
            copied = self._cache.newest(name) or known
            request: GetObjectRequestTypeDef = {"Bucket": self._bucket, "Key": self._prefix + name}
            if copied:
                request["IfNoneMatch"] = copied
            try:
                response = self._client.get_object(**request)
            except ClientError as error:
                if _code(error) in _MISSING:
                    self._cache.discard(name)
                    return None
                if copied is None or _code(error) not in _UNMODIFIED:
                    raise
                return self._unmodified(name, copied, known)
            with closing(response["Body"]) as body:
                return self._copy(name, response["ETag"], body.iter_chunks(_PART_BYTES), known)

    def write(self, name: str, data: bytes, *, replacing: str | None) -> str:
        request: PutObjectRequestTypeDef = {
            "Bucket": self._bucket,
            "Key": self._prefix + name,
            "Body": data,
        }
        if replacing:
            request["IfMatch"] = replacing
        else:
            request["IfNoneMatch"] = "*"
        with _errors():
            try:
                response = self._client.put_object(**request)
            except ClientError as error:
                if _code(error) in _STALE:
                    raise StaleWrite("another writer was first") from error
                raise
            self._cache.add(name, response["ETag"], [data])
            return response["ETag"]

    def names(self, key: str) -> list[str]:
        prefix = f"{self._prefix}{key}/"
        with _errors():
            pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=prefix)
            return [
                found["Key"].removeprefix(self._prefix)
                for page in pages
                for found in page.get("Contents", ())
            ]

    def keys(self) -> Iterator[str]:
        with _errors():
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=self._prefix, Delimiter="/"
            )
            for page in pages:
                for found in page.get("CommonPrefixes", ()):
                    yield found["Prefix"].removeprefix(self._prefix).removesuffix("/")

    def delete(self, names: Iterable[str]) -> None:
        remaining = list(names)
        with _errors():
            while batch := remaining[:_DELETED_AT_ONCE]:
                del remaining[:_DELETED_AT_ONCE]
                response = self._client.delete_objects(
                    Bucket=self._bucket,
                    Delete={"Objects": [{"Key": self._prefix + name} for name in batch], "Quiet": True},
                )
                if errors := response.get("Errors"):
                    raise IndexUnavailable(f"S3 left files undeleted: {errors[0].get('Code')}")
                for name in batch:
                    self._cache.discard(name)

    def _unmodified(self, name: str, etag: str, known: str | None) -> StoredFile | Freshness | None:
        if etag == known:
            return Freshness.UNCHANGED
        path = self._cache.find(name, etag)
        return StoredFile(path, etag) if path else self.fetch(name, known)  # it has just been evicted

    def _copy(
        self, name: str, etag: str, parts: Iterable[bytes], known: str | None
    ) -> StoredFile | Freshness:
        """Reads the parts unless the version is here: threads that need the same one read it once."""
        if etag == known:
            return Freshness.UNCHANGED
        with self._copying[hash(name) % _STRIPES]:
            path = self._cache.find(name, etag) or self._cache.add(name, etag, parts)
        return StoredFile(path, etag)


def _code(error: ClientError) -> str:
    return error.response["Error"]["Code"]


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except ClientError as error:
        raise IndexUnavailable(f"S3 refused a request for a shard: {_code(error)}") from error
    except BotoCoreError as error:
        raise IndexUnavailable(f"S3 cannot be reached: {type(error).__name__}") from error
    except OSError as error:
        raise IndexUnavailable("the folder for copies of shards cannot be used") from error
