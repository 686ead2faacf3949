"""The contract of payload stores. Another engine is one more fixture and its name in `ENGINES`."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import boto3
import pytest
from moto import mock_aws

from cognis_memory.adapters.files import FolderPayloadStore
from cognis_memory.adapters.s3 import S3PayloadStore
from cognis_memory.errors import NotFound
from cognis_memory.ports import PayloadStore

ENGINES = ("folder", "s3")

NASTY_KEYS = [
    "plain",
    "acme/evt_1/request.json",
    "../outside",
    "/absolute",
    "a/../../b",
    "a/./b",
    "a//b",
    "..",
    "日本語/キー 1",
    "C:\\x",
    "a%2Fb",
    "a/b",
    "tmpabc",
    "x" * 300,
    "x" * 299 + "y",
    "a.payload",
    "a.payload/b",
    "=",
    "*?<>|:",
]


@pytest.fixture(params=ENGINES)
def payloads(request: pytest.FixtureRequest) -> PayloadStore:
    store: PayloadStore = request.getfixturevalue(f"{request.param}_payloads")
    return store


@pytest.fixture
def folder_payloads(tmp_path: Path) -> FolderPayloadStore:
    return FolderPayloadStore(tmp_path / "inside")


@pytest.fixture
def s3_payloads() -> Iterator[S3PayloadStore]:
    with mock_aws():
        client = boto3.client(
            "s3", region_name="us-east-1", aws_access_key_id="testing", aws_secret_access_key="testing"
        )
        client.create_bucket(Bucket="payloads")
        yield S3PayloadStore("payloads", client, prefix="payloads/")


def test_bytes_come_back_as_they_were(payloads: PayloadStore) -> None:
    data = bytes(range(256)) * 5_000
    payloads.put("acme/evt_1/request.json", data)
    payloads.put("acme/evt_1/empty", b"")

    assert payloads.get("acme/evt_1/request.json") == data
    assert payloads.get("acme/evt_1/empty") == b""


def test_a_second_put_replaces_the_first(payloads: PayloadStore) -> None:
    payloads.put("key", b"first, and longer")
    payloads.put("key", b"second")

    assert payloads.get("key") == b"second"


def test_what_is_not_there_is_not_found(payloads: PayloadStore) -> None:
    payloads.put("acme/evt_1/request.json", b"data")

    for key in ("other", "acme", "acme/evt_1", "acme/evt_1/request.json/more", "acme/evt_1/request"):
        with pytest.raises(NotFound):
            payloads.get(key)


def test_every_key_has_a_payload_of_its_own(payloads: PayloadStore, tmp_path: Path) -> None:
    for key in NASTY_KEYS:
        payloads.put(key, key.encode())

    assert {key: payloads.get(key) for key in NASTY_KEYS} == {key: key.encode() for key in NASTY_KEYS}
    assert [entry.name for entry in tmp_path.iterdir()] in ([], ["inside"])


@pytest.mark.parametrize("prefix", ["acme/evt_1", "acme/evt_1/"])
def test_delete_removes_what_is_under_the_prefix_and_nothing_beside_it(
    payloads: PayloadStore, prefix: str
) -> None:
    gone = ["acme/evt_1", "acme/evt_1/request.json", "acme/evt_1/deep/er/proposals.json"]
    kept = ["acme/evt_10/request.json", "acme/evt_1.json", "acme/evt_2", "other/acme/evt_1/request.json"]
    for key in (*gone, *kept):
        payloads.put(key, b"data")
    payloads.delete(prefix)
    payloads.delete(prefix)

    for key in gone:
        with pytest.raises(NotFound):
            payloads.get(key)
    assert [payloads.get(key) for key in kept] == [b"data"] * len(kept)


def test_payloads_are_counted_under_their_prefix(payloads: PayloadStore) -> None:
    for key in (
        "acme/evt_1",
        "acme/evt_1/request.json",
        "acme/evt_1/deep/er/proposals.json",
        "acme/evt_10/x",
    ):
        payloads.put(key, b"data")

    counts = [payloads.count(prefix) for prefix in ("acme/evt_1/", "acme/evt_10", "acme", "other/")]
    assert counts == [3, 1, 4, 0]
    with pytest.raises(ValueError, match="names"):
        payloads.count("/")


def test_a_delete_takes_nothing_that_came_after_it_was_confirmed(payloads: PayloadStore) -> None:
    def confirm() -> bool:
        payloads.put("acme/new", b"new")
        return True

    payloads.put("acme/old", b"old")
    payloads.delete("acme/", when=confirm)

    assert payloads.get("acme/new") == b"new"
    with pytest.raises(NotFound):
        payloads.get("acme/old")


def test_a_delete_that_is_not_confirmed_takes_nothing(payloads: PayloadStore) -> None:
    payloads.put("acme/old", b"old")
    payloads.delete("acme/", when=lambda: False)

    assert payloads.get("acme/old") == b"old"


@pytest.mark.parametrize("prefix", ["..", "../", "a/../..", "."])
def test_no_prefix_reaches_out(payloads: PayloadStore, tmp_path: Path, prefix: str) -> None:
    beside = tmp_path / "beside"
    beside.write_text("kept")
    payloads.put("key", b"data")
    payloads.delete(prefix)

    assert payloads.get("key") == b"data"
    assert beside.read_text() == "kept"


@pytest.mark.parametrize("prefix", ["", "/"])
def test_everything_is_no_prefix(payloads: PayloadStore, prefix: str) -> None:
    payloads.put("key", b"data")
    with pytest.raises(ValueError, match="names"):
        payloads.delete(prefix)
    assert payloads.get("key") == b"data"


def test_a_delete_takes_more_than_one_page(s3_payloads: S3PayloadStore) -> None:
    for number in range(1_001):
        s3_payloads.put(f"acme/evt_1/{number:04d}", b"")
    s3_payloads.delete("acme/evt_1")

    for number in (0, 999, 1_000):
        with pytest.raises(NotFound):
            s3_payloads.get(f"acme/evt_1/{number:04d}")


def test_readers_see_one_whole_payload_or_another(folder_payloads: FolderPayloadStore) -> None:
    bodies = [bytes([letter]) * 200_000 for letter in b"abcd"]
    folder_payloads.put("key", bodies[0])
    with ThreadPoolExecutor(4) as pool:
        writes = [pool.submit(folder_payloads.put, "key", body) for body in bodies * 5]
        reads = [pool.submit(folder_payloads.get, "key") for _ in range(20)]
        assert all(read.result() in bodies for read in reads)
        assert all(write.result() is None for write in writes)


def test_a_put_survives_deletes_beside_it(folder_payloads: FolderPayloadStore) -> None:
    """A delete may remove the folder while a file is being written into it."""
    done = threading.Event()

    def delete() -> None:
        while not done.is_set():
            folder_payloads.delete("acme/evt_1/b/c")
            time.sleep(0.03)

    with ThreadPoolExecutor(1) as pool:
        deletes = pool.submit(delete)
        try:
            for number in range(60):
                folder_payloads.put(f"acme/evt_1/b/c/{number}", bytes(1_000_000))
        finally:
            done.set()
        deletes.result()


def test_a_deleted_event_leaves_no_empty_folder(folder_payloads: FolderPayloadStore, tmp_path: Path) -> None:
    for event in ("evt_1", "evt_2"):
        folder_payloads.put(f"acme/ana/{event}/deep/request", b"data")
    folder_payloads.delete("acme/ana/evt_1/")
    assert folder_payloads.get("acme/ana/evt_2/deep/request") == b"data"
    folder_payloads.delete("acme/ana/evt_2/")

    assert list((tmp_path / "inside").iterdir()) == []


def test_what_is_too_old_expires(folder_payloads: FolderPayloadStore, tmp_path: Path) -> None:
    """As objects do by the lifecycle of their bucket."""
    folder_payloads.put("ana/evt_1/request.json", b"old")
    (old,) = (tmp_path / "inside").rglob("*.payload")
    folder_payloads.put("ana/evt_2/request.json", b"new")
    before = datetime.now(UTC) - timedelta(days=30)
    os.utime(old, (before.timestamp() - 1, before.timestamp() - 1))

    assert folder_payloads.expire(before) == 1
    assert folder_payloads.expire(before) == 0
    assert folder_payloads.get("ana/evt_2/request.json") == b"new"
    with pytest.raises(NotFound):
        folder_payloads.get("ana/evt_1/request.json")
