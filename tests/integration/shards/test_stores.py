"""Stores of shard files: conditional reads and writes, whole versions only."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from cognis_memory.adapters.shards import FolderShardStore, ShardStore, UserShards
from cognis_memory.adapters.shards.file_cache import FileCache
from cognis_memory.adapters.shards.store import (
    Freshness,
    StaleWrite,
    StoredFile,
    base_name,
    head_name,
)
from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.errors import IndexUnavailable
from cognis_memory.models.values import Owner

from .builders import MODEL, OWNER, documents

KEY = owner_key(OWNER)
HEAD = head_name(KEY)
BASE = base_name(KEY, 1, "a1")


def read(store: ShardStore, name: str) -> bytes | None:
    stored = store.fetch(name)
    return stored.path.read_bytes() if isinstance(stored, StoredFile) else None


def etag(store: ShardStore, name: str) -> str:
    stored = store.fetch(name)
    assert isinstance(stored, StoredFile)
    return stored.etag


def test_what_is_written_is_read(store: ShardStore) -> None:
    assert store.fetch(HEAD) is None
    first = store.write(HEAD, b"one", replacing=None)
    assert read(store, HEAD) == b"one"
    second = store.write(HEAD, b"two", replacing=first)

    assert read(store, HEAD) == b"two"
    assert etag(store, HEAD) == second != first


def test_a_known_version_is_not_read_again(store: ShardStore) -> None:
    first = store.write(HEAD, b"one", replacing=None)
    assert store.fetch(HEAD, first) is Freshness.UNCHANGED
    second = store.write(HEAD, b"two", replacing=first)

    assert isinstance(store.fetch(HEAD, first), StoredFile)
    assert store.fetch(HEAD, second) is Freshness.UNCHANGED


def test_only_who_knows_the_current_version_replaces_it(store: ShardStore) -> None:
    with pytest.raises(StaleWrite):
        store.write(HEAD, b"none", replacing="unknown")
    first = store.write(HEAD, b"one", replacing=None)
    with pytest.raises(StaleWrite):
        store.write(HEAD, b"two", replacing=None)
    second = store.write(HEAD, b"two", replacing=first)
    with pytest.raises(StaleWrite):
        store.write(HEAD, b"three", replacing=first)
    store.delete([HEAD])
    with pytest.raises(StaleWrite):
        store.write(HEAD, b"three", replacing=second)

    assert store.fetch(HEAD) is None


def test_a_file_that_comes_again_is_another_version(store: ShardStore) -> None:
    first = store.write(HEAD, b"first", replacing=None)
    store.delete([HEAD])
    store.write(HEAD, b"second", replacing=None)

    assert store.fetch(HEAD, first) is not Freshness.UNCHANGED
    assert read(store, HEAD) == b"second"


def test_files_are_listed_and_deleted_by_owner(store: ShardStore) -> None:
    other = head_name(owner_key(Owner("acme", "bo")))
    for name in (HEAD, BASE, other):
        store.write(name, b"data", replacing=None)
    assert sorted(store.names(KEY)) == [BASE, HEAD]
    store.delete([HEAD, BASE, BASE])

    assert store.names(KEY) == []
    assert read(store, other) == b"data"


def test_paths_show_neither_tenant_nor_user(folder_store: FolderShardStore, tmp_path: Path) -> None:
    owner = Owner("tenant-secret", "user-secret@example.org")
    UserShards(folder_store, MODEL).apply(owner, documents(range(3)), [])

    paths = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")]
    assert paths
    assert not [path for path in paths if "secret" in path]


def test_a_folder_that_cannot_be_used_is_unavailable(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder")
    store = FolderShardStore(in_the_way)

    for use in (
        lambda: store.fetch(HEAD),
        lambda: store.write(HEAD, b"", replacing=None),
        lambda: store.names(KEY),
        lambda: store.delete([HEAD]),
    ):
        with pytest.raises(IndexUnavailable):
            use()


def test_a_dropped_owner_leaves_nothing_but_locks(folder_store: FolderShardStore, tmp_path: Path) -> None:
    shards = UserShards(folder_store, MODEL, split_at=3)
    shards.apply(OWNER, documents(range(5)), [])
    shards.drop(OWNER)

    assert {path.parent.name for path in tmp_path.rglob("*") if path.is_file()} == {".locks"}
    assert not [path for path in tmp_path.rglob("*") if path.name == KEY]


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_only_their_owner_may_read_the_files(tmp_path: Path) -> None:
    index = UserShards(FolderShardStore(tmp_path / "shards"), MODEL)
    index.apply(OWNER, documents([1, 2]), ())
    FileCache(tmp_path / "cache", 1_000).add("key/head", "etag", [b"words"])

    files = [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size]
    assert len(files) > 1
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o700}


def test_a_folder_that_cannot_be_used_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "shards").write_text("not a folder")
    with pytest.raises(IndexUnavailable, match=r"shards cannot be used: \w+") as refused:
        FolderShardStore(tmp_path / "shards").write(HEAD, b"one", replacing=None)
    assert str(tmp_path / "shards") in str(refused.value)
