"""Files that are not what was written: they do not exist, raise when read, and heal by a rebuild."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from cognis_memory.adapters.shards.layout import seal
from cognis_memory.domain.filters import EVERYTHING
from cognis_memory.domain.matryoshka import candidate_vectors
from cognis_memory.errors import CorruptData
from cognis_memory.models.values import Owner

from .builders import OWNER, document, documents, found, ids, open_folder, shard_files, vector

Damage = Callable[[bytes], bytes]


def with_byte_changed(position: float) -> Damage:
    def damage(data: bytes) -> bytes:
        place = int(position * (len(data) - 1))
        return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]

    return damage


def with_property(name: str, value: str) -> Damage:
    def damage(data: bytes) -> bytes:
        connection = apsw.Connection(":memory:")
        connection.deserialize("main", data)
        connection.execute("UPDATE properties SET value = ? WHERE name = ?", (value, name))
        return seal(connection.serialize("main"))

    return damage


def another_database(_: bytes) -> bytes:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE notes (text)")
    return seal(connection.serialize("main"))


DAMAGES = {
    "empty": lambda data: b"",
    "truncated": lambda data: data[: len(data) // 2],
    "one page short": lambda data: data[:-4096],
    "text": lambda data: b"not a database" * 1_000,
    "zeros": lambda data: bytes(len(data)),
    "header": with_byte_changed(0),
    "first page": with_byte_changed(0.01),
    "middle": with_byte_changed(0.5),
    "end": with_byte_changed(1),
    "newer layout": with_property("layout", "2/1/id"),
    "another database": another_database,
}


@pytest.mark.parametrize("name", DAMAGES)
@pytest.mark.parametrize("file", ["head", "base"])
def test_a_damaged_file_does_not_exist_until_it_is_rebuilt(tmp_path: Path, file: str, name: str) -> None:
    split_at = 1_000 if file == "head" else 10
    open_folder(tmp_path, split_at=split_at).apply(OWNER, documents(range(40)), [])
    (path,) = (path for path in shard_files(tmp_path) if path.name.startswith(file))
    path.write_bytes(DAMAGES[name](path.read_bytes()))

    shards = open_folder(tmp_path, split_at=split_at)
    assert not shards.exists(OWNER)
    for read in (
        lambda: shards.count(OWNER),
        lambda: shards.nearest(OWNER, candidate_vectors(vector(1)), filter=EVERYTHING, limit=5),
        lambda: shards.rescore(OWNER, vector(1), [document(1).id]),
        lambda: shards.match(OWNER, "place", filter=EVERYTHING, limit=5),
        lambda: shards.apply(OWNER, [document(50)], []),
    ):
        with pytest.raises(CorruptData):
            read()

    shards.replace(OWNER, iter(documents(range(41))))
    assert shards.exists(OWNER)
    assert found(shards) == ids(range(41))
    assert len(shard_files(tmp_path)) == (1 if file == "head" else 2)


def test_a_shard_without_its_base_does_not_exist(tmp_path: Path) -> None:
    open_folder(tmp_path, split_at=10).apply(OWNER, documents(range(40)), [])
    (base,) = (path for path in shard_files(tmp_path) if path.name.startswith("base"))
    base.unlink()

    shards = open_folder(tmp_path, split_at=10)
    assert not shards.exists(OWNER)
    with pytest.raises(CorruptData):
        shards.count(OWNER)
    shards.replace(OWNER, iter(documents(range(40))))
    assert found(shards) == ids(range(40))


def test_a_missing_file_is_one_without_documents(tmp_path: Path) -> None:
    shards = open_folder(tmp_path)
    shards.apply(OWNER, documents(range(5)), [])
    assert found(shards) == ids(range(5))
    for path in shard_files(tmp_path):
        path.unlink()

    assert not shards.exists(OWNER)
    assert found(shards) == set()


def test_the_file_of_another_owner_is_not_read(tmp_path: Path) -> None:
    other = Owner("acme", "bo")
    shards = open_folder(tmp_path)
    shards.apply(OWNER, documents(range(5)), [])
    shards.apply(other, documents(range(5, 9)), [])
    (mine,), (foreign,) = shard_files(tmp_path), shard_files(tmp_path, other)
    shutil.copy(foreign, mine)

    assert not open_folder(tmp_path).exists(OWNER)
    with pytest.raises(CorruptData):
        found(open_folder(tmp_path))
    assert found(shards, other) == ids(range(5, 9))


def test_an_open_shard_outlives_the_removal_of_its_file(tmp_path: Path) -> None:
    """As when a newer version takes its place in the middle of a search."""
    shards = open_folder(tmp_path)
    shards.apply(OWNER, documents(range(5)), [])
    assert found(shards) == ids(range(5))
    (path,) = shard_files(tmp_path)
    path.unlink()

    hits = shards.rescore(OWNER, vector(3), sorted(ids([2, 3])))
    assert hits[0].id == document(3).id
