"""Large shards: a base that is written once under a small head, as if they were one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cognis_memory.adapters.shards import UserShards
from cognis_memory.domain.filters import EVERYTHING, Comparator, Comparison, Not
from cognis_memory.domain.matryoshka import candidate_vectors
from cognis_memory.models.document import Hit

from .builders import (
    OWNER,
    content,
    document,
    documents,
    found,
    ids,
    matching,
    open_folder,
    shard_files,
    vector,
)

WORDS = ["tea", "garden", "mountain", "library", "豆腐", "散歩"]


def speaking(number: int, revision: int = 1) -> dict[str, Any]:
    words = " ".join(WORDS[number % (place + 2)] for place in range(4) if number % (place + 2) < len(WORDS))
    return {
        "text": f"place {number} {words}",
        "revision": revision,
        "speaker": ("Ana", "Bo")[(number + revision) % 2],
        "metadata": {"shelf": number % 7, "labels": ["odd"] if number % 2 else []},
    }


def write_everything(shards: UserShards) -> None:
    """Sixty documents, of which some change, some are reworded and some deleted, in many commits."""
    shards.apply(OWNER, [document(number, **speaking(number)) for number in range(40)], [])
    for number in range(40, 60):
        changed = document(number - 30, **speaking(number - 30, revision=2))
        shards.apply(OWNER, [document(number, **speaking(number)), changed], [])
    shards.apply(OWNER, [document(5, "reworded place", revision=3)], [document(7).id, document(55).id])
    shards.apply(OWNER, [document(9, vector=vector(1_009), revision=2)], [])
    shards.apply(OWNER, [document(7, revision=9), document(8, **speaking(8, revision=2))], [document(90).id])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> UserShards:
    shards = open_folder(tmp_path_factory.mktemp("whole"))
    write_everything(shards)
    return shards


@pytest.fixture(scope="module", params=[(30, 1_000), (30, 8), (1, 1)], ids=["one base", "some", "every time"])
def split(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> UserShards:
    split_at, compact_after = request.param
    shards = open_folder(tmp_path_factory.mktemp("split"), split_at=split_at, compact_after=compact_after)
    write_everything(shards)
    return shards


FILTERS = [
    EVERYTHING,
    Comparison("speaker", Comparator.EQ, "Bo"),
    Comparison("metadata.shelf", Comparator.GTE, 5),
    Not(Comparison("metadata.labels", Comparator.CONTAINS, "odd")),
]


def same(left: list[Hit], right: list[Hit]) -> None:
    assert {hit.id for hit in left} == {hit.id for hit in right}
    scores = {hit.id: hit.score for hit in right}
    assert [hit.score for hit in left] == sorted((hit.score for hit in left), reverse=True)
    for hit in left:
        assert hit.score == pytest.approx(scores[hit.id], rel=1e-6)


@pytest.mark.parametrize("filter", FILTERS)
def test_two_files_answer_like_one(whole: UserShards, split: UserShards, filter: Comparison) -> None:
    assert split.count(OWNER) == whole.count(OWNER) == 58
    for number in range(5):
        query = candidate_vectors(vector(number))
        left, right = (shards.nearest(OWNER, query, filter=filter, limit=100) for shards in (split, whole))
        same(left, right)
    for words in (*WORDS, "reworded", "tea mountain", "散歩が好き"):
        left, right = (shards.match(OWNER, words, filter=filter, limit=100) for shards in (split, whole))
        same(left, right)


def test_rescoring_reads_each_document_where_its_newest_version_is(split: UserShards) -> None:
    everything = [document(number).id for number in range(100)]
    hits = split.rescore(OWNER, vector(12), everything)

    assert sorted(hit.id for hit in hits) == sorted(ids(range(60)) - ids([7, 55]))
    assert hits[0].id == document(12).id
    assert split.rescore(OWNER, vector(1_009), everything)[0].id == document(9).id


def test_a_commit_to_a_large_shard_writes_little(tmp_path: Path) -> None:
    shards = open_folder(tmp_path, split_at=500)
    shards.apply(OWNER, documents(range(600)), [])
    base, head = sorted(shard_files(tmp_path), key=lambda path: path.name)
    shards.apply(OWNER, [document(0, revision=2, is_current=False), document(700)], [])

    same_base, new_head = sorted(shard_files(tmp_path), key=lambda path: path.name)
    assert same_base == base
    assert new_head != head
    assert new_head.stat().st_size < base.stat().st_size / 10


def test_changes_are_merged_into_a_new_base(tmp_path: Path) -> None:
    shards = open_folder(tmp_path, split_at=20, compact_after=10)
    shards.apply(OWNER, documents(range(30)), [])
    largest_head = 0
    for number in range(30, 90):
        shards.apply(OWNER, [document(number)], [])
        base, head = sorted(shard_files(tmp_path), key=lambda path: path.name)
        largest_head = max(largest_head, head.stat().st_size)

    assert found(shards) == ids(range(90))
    assert largest_head < base.stat().st_size

    shards.apply(OWNER, [document(number, revision=2, is_current=False) for number in range(5)], [])
    assert base.exists(), "words that stay the same do not make a new base"


def test_a_shard_that_shrinks_is_one_file_again(tmp_path: Path) -> None:
    shards = open_folder(tmp_path, split_at=20)
    shards.apply(OWNER, documents(range(30)), [])
    assert len(shard_files(tmp_path)) == 2
    shards.apply(OWNER, [], [document(number).id for number in range(15)])

    assert len(shard_files(tmp_path)) == 1
    shards.apply(OWNER, documents(range(31)), [])
    assert found(shards) == ids(range(15, 31))


@pytest.mark.parametrize("split_at", [1_000, 20])
def test_nothing_remains_of_what_is_deleted_or_reworded(tmp_path: Path, split_at: int) -> None:
    shards = open_folder(tmp_path, split_at=split_at)
    secret = document(
        3, "pomegranate 柘榴の秘密", context="kumquat", metadata={"fruit": "quince"}, speaker="Damson"
    )
    reworded = document(4, "persimmon", context="mulberry")
    shards.apply(OWNER, [*documents(range(30, 70)), secret, reworded], [])
    # Terms that begin like the one before them lie in the index without their beginning.
    traces = [text.encode() for text in ("megran", "mquat", "quince", "Damson", "rsimmon", "lberri")]
    traces += ["榴".encode(), secret.vector.astype("<f2").tobytes()]
    assert [trace for trace in traces if trace not in content(tmp_path)] == []

    shards.apply(OWNER, [document(4, "apple", revision=2)], [secret.id])

    remains = content(tmp_path)
    assert [trace for trace in traces if trace in remains] == []
    assert matching(shards, "apple") == [reworded.id]


def test_bases_that_writers_left_behind_go_with_the_next_one(tmp_path: Path) -> None:
    shards = open_folder(tmp_path, split_at=20, compact_after=5)
    shards.apply(OWNER, documents(range(30)), [])
    base, _ = sorted(shard_files(tmp_path), key=lambda path: path.name)
    left = base.with_name(base.name.replace("base-1-", "base-1-dead"))
    left.write_bytes(base.read_bytes())
    shards.apply(OWNER, documents(range(30, 40)), [])

    assert found(shards) == ids(range(40))
    assert not left.exists()
    assert len(shard_files(tmp_path)) == 2


def test_a_repeated_deletion_removes_what_a_crash_left(tmp_path: Path) -> None:
    shards = open_folder(tmp_path, split_at=20)
    shards.apply(OWNER, documents(range(40)), [])
    (base,) = (path for path in shard_files(tmp_path) if path.name.startswith("base"))
    copy = base.read_bytes()
    shards.apply(OWNER, [], [document(1).id])
    base.write_bytes(copy)
    shards.apply(OWNER, [], [document(1).id])

    assert not base.exists()
    assert found(shards) == ids(range(40)) - ids([1])
