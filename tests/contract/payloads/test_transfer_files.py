"""The contract of stores of exports and imports, beside that of payload stores."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import boto3
import pytest
from botocore.config import Config
from moto import mock_aws

from cognis_memory.adapters.files import FolderTransferFiles
from cognis_memory.adapters.s3 import S3TransferFiles
from cognis_memory.errors import InvalidInput, NotFound, PayloadUnavailable
from cognis_memory.ports import TransferFiles

PART = 5_242_880
"""The smallest part that S3 takes."""


@pytest.fixture(params=["folder", "s3"])
def files(request: pytest.FixtureRequest) -> TransferFiles:
    store: TransferFiles = request.getfixturevalue(f"{request.param}_files")
    return store


@pytest.fixture
def folder_files(tmp_path: Path) -> FolderTransferFiles:
    return FolderTransferFiles(tmp_path / "inside")


@pytest.fixture
def s3_files() -> Iterator[S3TransferFiles]:
    with mock_aws():
        client = boto3.client(
            "s3",
            region_name="us-east-1",
            aws_access_key_id="testing",
            aws_secret_access_key="testing",
            config=Config(signature_version="s3v4"),
        )
        client.create_bucket(Bucket="transfers")
        yield S3TransferFiles("transfers", client, part_bytes=PART)


def _read(files: TransferFiles, key: str) -> bytes:
    found = files.find(key)
    assert found is not None
    data = b"".join(files.read(key, found.tag))
    assert len(data) == found.size_bytes
    return data


@pytest.mark.parametrize("count", [0, 1, 3, 30])
def test_chunks_come_back_as_one_file(files: TransferFiles, count: int) -> None:
    """The last is of several parts."""
    chunks = [bytes([number]) * 600_001 for number in range(count)]
    files.write("ana/exports/evt.jsonl", iter(chunks))
    assert _read(files, "ana/exports/evt.jsonl") == b"".join(chunks)


def test_what_is_not_there_is_found_nowhere(files: TransferFiles) -> None:
    files.write("ana/exports/evt.jsonl", [b"data"])
    assert files.find("ana/exports") is None
    assert files.find("ana/exports/other.jsonl") is None
    with pytest.raises(NotFound):
        list(files.read("ana/exports/other.jsonl", "any"))


@pytest.mark.parametrize("size", [10, 2 * PART])
def test_a_file_that_breaks_off_is_no_file(files: TransferFiles, size: int) -> None:
    def chunks() -> Iterator[bytes]:
        yield bytes(size)
        yield bytes(size)
        raise NotFound("what was read is gone")

    files.write("key", [b"before"])
    with pytest.raises(NotFound):
        files.write("key", chunks())
    assert _read(files, "key") == b"before"


def test_a_replaced_file_is_not_taken_for_the_one_before(files: TransferFiles) -> None:
    files.write("key", [b"checked"])
    found = files.find("key")
    assert found is not None
    files.write("key", [b"another"])
    with pytest.raises(InvalidInput):
        list(files.read("key", found.tag))


def test_no_part_of_another_file_slips_in(s3_files: S3TransferFiles) -> None:
    s3_files.write("key", [bytes(PART), bytes(PART)])
    found = s3_files.find("key")
    assert found is not None
    chunks = s3_files.read("key", found.tag)
    assert next(chunks) == bytes(PART)
    s3_files.write("key", [b"x" * PART, b"x" * PART])
    with pytest.raises(InvalidInput):
        next(chunks)


def test_delete_takes_a_file_or_all_below_a_prefix(files: TransferFiles) -> None:
    for key in ("ana/exports/1.jsonl", "ana/exports/2.jsonl", "ana/imports/3.jsonl", "bob/exports/1.jsonl"):
        files.write(key, [b"data"])
    files.delete("ana/exports/1.jsonl")
    assert files.count("ana/exports/") == 1
    files.delete("ana/")
    assert files.count("ana/") == 0
    assert files.count("bob/") == 1


def test_links_name_the_file_and_end(s3_files: S3TransferFiles) -> None:
    for make in (s3_files.download_url, s3_files.upload_url):
        link = urlsplit(make("ana/evt.jsonl", timedelta(minutes=15)))
        assert (link.scheme, link.path.endswith("/ana/evt.jsonl")) == ("https", True)
        assert parse_qs(link.query)["X-Amz-Expires"] == ["900"]


def test_a_download_is_saved_under_the_events_name(s3_files: S3TransferFiles) -> None:
    link = s3_files.download_url("ana/exports/evt_1.jsonl", timedelta(minutes=15))
    assert 'filename="evt_1.jsonl"' in unquote(link)


def test_links_of_a_folder_lead_to_its_files(folder_files: FolderTransferFiles) -> None:
    folder_files.write("ana/evt.jsonl", [b"data"])
    for make in (folder_files.download_url, folder_files.upload_url):
        link = make("ana/evt.jsonl", timedelta(minutes=15))
        assert Path(unquote(urlsplit(link).path)).read_bytes() == b"data"


def test_a_file_that_is_deleted_while_it_is_written_may_come_next_time(
    folder_files: FolderTransferFiles,
) -> None:
    def chunks() -> Iterator[bytes]:
        yield b"begun"
        folder_files.delete("ana/")
        yield b"ended"

    with pytest.raises(PayloadUnavailable):
        folder_files.write("ana/evt.jsonl", chunks())
    assert folder_files.count("ana/") == 0
