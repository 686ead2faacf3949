"""Writes: found at once, newest wins, deletions stay, owners apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cognis_memory.domain.filters import EVERYTHING, Comparator, Comparison
from cognis_memory.errors import ModelMismatch
from cognis_memory.models.values import Owner

from .builders import (
    OWNER,
    OpenIndex,
    SearchIndex,
    apply,
    document,
    documents,
    found,
    ids,
    matching,
    near,
    vectors,
)


def test_an_owner_without_documents_has_no_index(index: SearchIndex) -> None:
    assert not index.exists(OWNER)
    assert index.count(OWNER) == 0
    assert found(index) == set()
    assert index.rescore(OWNER, vectors(1)[0], ["mem_00001"]) == []


def test_what_is_applied_is_found_when_apply_returns(index: SearchIndex) -> None:
    for number in range(1, 10):
        apply(index, document(number))
        assert found(index) == ids(*range(1, number + 1))

    assert index.exists(OWNER)
    assert index.count(OWNER) == 9


def test_another_opening_finds_it_at_once(open_index: OpenIndex) -> None:
    writer, reader = open_index(), open_index()
    for number in range(1, 8):
        apply(writer, document(number))
        assert found(reader) == ids(*range(1, number + 1))


def test_rescoring_knows_what_was_written_since_the_last_search(open_index: OpenIndex) -> None:
    writer, reader = open_index(), open_index()
    apply(writer, *documents(1, 2))
    assert found(reader) == ids(1, 2)
    apply(writer, *documents(3, 4, 5))

    hits = reader.rescore(OWNER, document(3).vector, [document(number).id for number in range(1, 6)])
    assert {hit.id for hit in hits} == ids(1, 2, 3, 4, 5)
    assert hits[0].id == document(3).id


def test_a_newer_revision_replaces_words_vector_and_fields(index: SearchIndex) -> None:
    apply(index, *documents(1, 2, 3, 4, 5))
    moved = document(2, "She prefers trains", revision=2, vector=vectors(1, seed=99)[0], speaker="Bo")
    apply(index, moved)

    assert index.count(OWNER) == 5
    assert matching(index, "place") == sorted(ids(1, 3, 4, 5))
    assert matching(index, "train") == [moved.id]
    assert near(index, moved.vector)[0] == moved.id
    speaker = Comparison("speaker", Comparator.EQ, "Bo")
    assert near(index, moved.vector, filter=speaker) == [moved.id] == matching(index, "train", filter=speaker)


@pytest.mark.parametrize("revision", [1, 2])
def test_what_is_not_newer_is_ignored(index: SearchIndex, revision: int) -> None:
    apply(index, document(1, "She lives in Osaka", revision=2), *documents(2, 3, 4))
    apply(index, document(1, "She lives in Tokyo", revision=revision))

    assert matching(index, "osaka") == [document(1).id]
    assert matching(index, "tokyo") == []


def test_the_newest_of_one_batch_counts(index: SearchIndex) -> None:
    first, second, third = (document(1, text, revision=r) for r, text in enumerate(["one", "two", "three"]))
    apply(index, third, first, second)

    assert index.count(OWNER) == 1
    assert matching(index, "three") == [third.id]


def test_the_same_changes_twice_make_no_difference(index: SearchIndex) -> None:
    for _ in range(2):
        apply(index, *documents(1, 2, 3, 4, 5), deleted=[document(6).id])

    assert found(index) == ids(1, 2, 3, 4, 5)


def test_deleted_documents_are_gone(index: SearchIndex) -> None:
    apply(index, *documents(*range(1, 9)))
    apply(index, deleted=[document(2).id, document(5).id])
    apply(index, deleted=[document(8).id])

    assert found(index) == ids(1, 3, 4, 6, 7)
    assert index.count(OWNER) == 5
    assert index.rescore(OWNER, vectors(1)[0], sorted(ids(2, 5, 8))) == []


def test_a_late_upsert_brings_nothing_back(index: SearchIndex) -> None:
    apply(index, *documents(1, 2, 3, 4, 5))
    apply(index, document(6), deleted=[document(1).id, document(6).id, document(7).id])
    apply(index, document(1, revision=9), document(6, revision=9), document(7, revision=9))
    for number in range(10, 20):
        apply(index, document(number))
    apply(index, document(1, revision=10), document(7, revision=10))

    assert found(index) == ids(2, 3, 4, 5, *range(10, 20))


def test_places_of_deleted_documents_are_used_again(index: SearchIndex) -> None:
    numbers = set(range(1, 8))
    apply(index, *documents(*numbers))
    for number in range(1, 20):
        apply(index, *documents(number + 100, number + 200), deleted=[document(number).id])
        numbers = numbers - {number} | {number + 100, number + 200}

        apply(index, deleted=[document(number + 200).id])
        apply(index, document(number + 300))
        numbers = numbers - {number + 200} | {number + 300}

    assert found(index) == ids(*numbers)
    for number in numbers:
        assert near(index, document(number).vector, limit=1) == [document(number).id]


def test_dropping_removes_everything_deletions_included(open_index: OpenIndex) -> None:
    index, other = open_index(), open_index()
    apply(index, *documents(1, 2, 3, 4, 5), deleted=[document(6).id])
    assert found(other) == ids(1, 2, 3, 4, 5)
    index.drop(OWNER)
    index.drop(OWNER)

    for opened in (index, other):
        assert not opened.exists(OWNER)
        assert opened.count(OWNER) == 0
        assert found(opened) == set()
    apply(index, document(6))
    assert found(other) == ids(6)


def test_what_lies_there_of_a_user_is_counted_and_gone_after_a_drop(open_index: OpenIndex) -> None:
    index, other = open_index(), open_index()
    assert not any(index.holdings(OWNER).values())
    apply(index, *documents(1, 2, 3, 4, 5), deleted=[document(5).id])
    apply(index, *documents(1), owner=OWNERS[1])
    assert all(other.holdings(OWNER).values())
    index.drop(OWNER)

    assert not any(other.holdings(OWNER).values())
    assert all(other.holdings(OWNERS[1]).values())


@pytest.mark.parametrize("number", [0, 2, 12])
def test_replacing_leaves_what_is_given(open_index: OpenIndex, number: int) -> None:
    index, other = open_index(), open_index()
    apply(index, *documents(*range(50, 60)), deleted=[document(1).id])
    assert len(found(other)) == 10
    index.replace(OWNER, iter(documents(*range(number))))

    for opened in (index, other):
        assert opened.exists(OWNER)
        assert found(opened) == ids(*range(number))
    apply(other, document(1, revision=2), document(70), deleted=[document(0).id])
    assert found(index) == ids(*range(1, number), 1, 70)


def test_an_index_is_built_where_none_was(index: SearchIndex) -> None:
    index.replace(OWNER, iter([*documents(1, 2, 3, 4, 5), document(1, "newer place", revision=2)]))

    assert found(index) == ids(1, 2, 3, 4, 5)
    assert matching(index, "newer") == [document(1).id]


OWNERS = [
    Owner("acme", "ana"),
    Owner("acme", "Ana"),
    Owner("acm", "eana"),
    Owner("acme/ana", "x"),
    Owner("acme", "ana/x"),
    Owner("a", "../../ana"),
    Owner("a", "\0"),
    Owner("a", "\ud800"),
    Owner("a", "%00 '; DROP TABLE documents; --"),
    Owner("a", "é"),
    Owner("a", "e\u0301"),
    Owner("a", "利用者" * 80),
]


def test_owners_never_see_each_other(index: SearchIndex) -> None:
    for number, owner in enumerate(OWNERS):
        apply(index, document(number), document(100), owner=owner)
    for number, owner in enumerate(OWNERS):
        assert found(index, owner) == ids(number, 100)

    index.drop(OWNERS[0])
    apply(index, deleted=[document(100).id], owner=OWNERS[1])

    assert found(index, OWNERS[0]) == set()
    assert found(index, OWNERS[1]) == ids(1)
    for number, owner in enumerate(OWNERS[2:], start=2):
        assert found(index, owner) == ids(number, 100)


def test_vectors_of_two_models_never_meet(open_index: OpenIndex) -> None:
    index, other = open_index(), open_index("another-model")
    apply(index, *documents(1, 2, 3, 4, 5))
    query = vectors(1)[0]

    with pytest.raises(ModelMismatch):
        apply(other, document(6))
    with pytest.raises(ModelMismatch):
        near(other, query)
    with pytest.raises(ModelMismatch):
        other.rescore(OWNER, query, [document(1).id])
    assert found(index) == ids(1, 2, 3, 4, 5)

    other.replace(OWNER, iter(documents(6)))
    assert found(other) == ids(6)
    with pytest.raises(ModelMismatch):
        apply(index, document(1))


def test_vectors_are_whole_and_finite(index: SearchIndex) -> None:
    for vector in (np.zeros(256, np.float32), np.full(768, np.nan, np.float32)):
        with pytest.raises(ValueError, match="768"):
            apply(index, replace(document(1), vector=vector))
    assert not index.exists(OWNER)


def test_nothing_to_apply_is_no_error(index: SearchIndex) -> None:
    apply(index)
    assert index.nearest(OWNER, vectors(1)[0][:256], filter=EVERYTHING, limit=5) == []
