"""Exports and imports in a bucket."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import chain
from typing import TYPE_CHECKING, Final

from botocore.exceptions import ClientError

from cognis_memory.adapters.aws.errors import error_code, translated_errors
from cognis_memory.adapters.s3.payloads import S3PayloadStore
from cognis_memory.errors import InvalidInput, NotFound, PayloadUnavailable
from cognis_memory.ports import StoredFile

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import CompletedPartTypeDef

CONTENT_TYPE: Final = "application/jsonl"

PART_BYTES: Final = 8_388_608
"""S3 takes parts from 5 MiB on, but for the last, and 10,000 of them; reads are as large."""

_MISSING: Final = frozenset({"404", "NoSuchKey"})


class S3TransferFiles(S3PayloadStore):
    """The `TransferFiles` port: one object a file, written in parts, read in ranges.

    Links are signed with this process's own credentials: what its role may not do, they cannot, and they end
    with its session where that is before their time.
    """

    def __init__(
        self, bucket: str, client: S3Client, prefix: str = "", *, part_bytes: int = PART_BYTES
    ) -> None:
        super().__init__(bucket, client, prefix)
        self._part_bytes = part_bytes

    def write(self, key: str, chunks: Iterable[bytes]) -> None:
        parts = _parts(chunks, self._part_bytes)
        first = next(parts, b"")
        following = next(parts, None)
        with translated_errors("PutObject", PayloadUnavailable):
            if following is None:
                self._client.put_object(
                    Bucket=self._bucket, Key=self._prefix + key, Body=first, ContentType=CONTENT_TYPE
                )
            else:
                self._write_parts(key, first, following, parts)

    def find(self, key: str) -> StoredFile | None:
        with translated_errors("HeadObject", PayloadUnavailable):
            try:
                found = self._client.head_object(Bucket=self._bucket, Key=self._prefix + key)
            except ClientError as error:
                if error_code(error) in _MISSING:
                    return None
                raise
        return StoredFile(found["ContentLength"], found["ETag"])

    def read(self, key: str, tag: str) -> Iterator[bytes]:
        found = self.find(key)
        if found is None:
            raise NotFound(f"there is no file {key}")
        for start in range(0, found.size_bytes, self._part_bytes):
            yield self._read_range(key, tag, start)

    def download_url(self, key: str, lifetime: timedelta) -> str:
        name = key.rpartition("/")[2]
        return self._link(
            "get_object", key, lifetime, ResponseContentDisposition=f'attachment; filename="{name}"'
        )

    def upload_url(self, key: str, lifetime: timedelta) -> str:
        return self._link("put_object", key, lifetime)

    def _link(self, operation: str, key: str, lifetime: timedelta, **parameters: str) -> str:
        named = {"Bucket": self._bucket, "Key": self._prefix + key, **parameters}
        seconds = int(lifetime.total_seconds())
        return self._client.generate_presigned_url(operation, Params=named, ExpiresIn=seconds)

    def _write_parts(self, key: str, first: bytes, second: bytes, rest: Iterable[bytes]) -> None:
        bucket, name = self._bucket, self._prefix + key
        begun = self._client.create_multipart_upload(Bucket=bucket, Key=name, ContentType=CONTENT_TYPE)
        upload, parts = begun["UploadId"], enumerate(chain((first, second), rest), start=1)
        try:
            done = [self._write_part(name, upload, number, part) for number, part in parts]
        except BaseException:
            self._client.abort_multipart_upload(Bucket=bucket, Key=name, UploadId=upload)
            raise
        self._client.complete_multipart_upload(
            Bucket=bucket, Key=name, UploadId=upload, MultipartUpload={"Parts": done}
        )

    def _write_part(self, name: str, upload: str, number: int, part: bytes) -> CompletedPartTypeDef:
        written = self._client.upload_part(
            Bucket=self._bucket, Key=name, UploadId=upload, PartNumber=number, Body=part
        )
        return {"PartNumber": number, "ETag": written["ETag"]}

    def _read_range(self, key: str, tag: str, start: int) -> bytes:
        last = start + self._part_bytes - 1
        with translated_errors("GetObject", PayloadUnavailable):
            try:
                answer = self._client.get_object(
                    Bucket=self._bucket, Key=self._prefix + key, IfMatch=tag, Range=f"bytes={start}-{last}"
                )
                return answer["Body"].read()
            except ClientError as error:
                if error_code(error) == "PreconditionFailed":
                    raise InvalidInput("the file was replaced while it was being read") from None
                if error_code(error) in _MISSING:
                    raise NotFound(f"there is no file {key}") from None
                raise


def _parts(chunks: Iterable[bytes], size: int) -> Iterator[bytes]:
    """The same bytes in parts of at least that size, but for the last."""
    part = bytearray()
    for chunk in chunks:
        part += chunk
        if len(part) >= size:
            yield bytes(part)
            part.clear()
    if part:
        yield bytes(part)
