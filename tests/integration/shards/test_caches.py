"""Caches keep within their limits: copies on the disk and files held open."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cognis_memory.adapters.shards import FolderShardStore, UserShards
from cognis_memory.adapters.shards.file_cache import FileCache
from cognis_memory.models.values import Owner

from .builders import MODEL, OWNER, documents, found, ids, open_folder

LIMIT = 80_000


def taken(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_copies_stay_within_the_limit(tmp_path: Path) -> None:
    cache = FileCache(tmp_path, LIMIT)
    for number in range(100):
        cache.add(f"key{number}/head", "etag", [bytes(1_500), bytes(1_500)])
        assert taken(tmp_path) <= LIMIT

    assert taken(tmp_path) > LIMIT // 2
    assert cache.find("key99/head", "etag") is not None
    assert cache.find("key0/head", "etag") is None


def test_what_is_used_stays_longer(tmp_path: Path) -> None:
    cache = FileCache(tmp_path, LIMIT)
    cache.add("used/head", "etag", [bytes(3_000)])
    for number in range(100):
        cache.add(f"key{number}/head", "etag", [bytes(3_000)])
        assert cache.find("used/head", "etag") is not None


def test_a_newer_version_takes_the_place_of_the_older(tmp_path: Path) -> None:
    cache = FileCache(tmp_path, LIMIT)
    cache.add("key/head", '"one/1"', [b"one"])
    cache.add("key/head", '"two/2"', [b"two"])

    assert cache.newest("key/head") == '"two/2"'
    assert cache.find("key/head", '"one/1"') is None
    path = cache.find("key/head", '"two/2"')
    assert path is not None
    assert path.read_bytes() == b"two"
    cache.discard("key/head")
    assert cache.newest("key/head") is None
    assert list(tmp_path.iterdir()) == []


def test_processes_share_the_folder(tmp_path: Path) -> None:
    first, second = FileCache(tmp_path, LIMIT), FileCache(tmp_path, LIMIT)
    first.add("key/head", "etag", [b"data"])
    assert second.newest("key/head") == "etag"
    for number in range(100):
        (first, second)[number % 2].add(f"key{number}/head", "etag", [bytes(3_000)])
        assert taken(tmp_path) <= LIMIT * 5 // 4


def test_an_open_copy_outlives_its_eviction(tmp_path: Path) -> None:
    cache = FileCache(tmp_path, LIMIT)
    with cache.add("key/head", "etag", [b"data"]).open("rb") as file:
        cache.discard("key/head")
        assert file.read() == b"data"


def test_a_copy_that_fails_half_way_is_not_one(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"half"
        raise OSError("the connection broke")

    cache = FileCache(tmp_path, LIMIT)
    with pytest.raises(OSError, match="broke"):
        cache.add("key/head", "etag", broken())

    assert cache.newest("key/head") is None
    assert taken(tmp_path) == 0


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts open files as Linux shows them")
@pytest.mark.parametrize("limits", [{"max_open": 5}, {"max_open_bytes": 4_000_000}])
def test_few_files_are_held_open(tmp_path: Path, limits: dict[str, int]) -> None:
    shards = open_folder(tmp_path, **limits)
    owners = [Owner("acme", f"user{number}") for number in range(40)]
    for owner in owners:
        shards.apply(owner, documents(range(5)), [])
    before = len(os.listdir("/proc/self/fd"))
    for owner in owners * 2:
        assert found(shards, owner) == ids(range(5))

    assert len(os.listdir("/proc/self/fd")) - before <= 24


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts open files as Linux shows them")
def test_a_file_that_was_replaced_is_not_held_open(tmp_path: Path) -> None:
    shards = open_folder(tmp_path)
    before = len(os.listdir("/proc/self/fd"))
    for number in range(20):
        owner = Owner("acme", f"user{number}")
        shards.apply(owner, documents(range(5)), [])
        assert found(shards, owner) == ids(range(5))
        shards.apply(owner, documents(range(5, 8)), [])

    assert len(os.listdir("/proc/self/fd")) - before <= 3
    assert found(shards, Owner("acme", "user0")) == ids(range(8))


def test_a_shard_larger_than_all_limits_is_searched(tmp_path: Path) -> None:
    shards = UserShards(FolderShardStore(tmp_path), MODEL, max_open=1, max_open_bytes=1)
    shards.apply(OWNER, documents(range(30)), [])
    shards.apply(Owner("acme", "bo"), documents(range(3)), [])

    assert found(shards) == ids(range(30))
    assert found(shards, Owner("acme", "bo")) == ids(range(3))
