"""What can be asked about an index in order to compare it with the ledger."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from cognis_memory.domain.owner_keys import owner_key
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import Category, Owner, Scope

from .builders import NOON, OWNER, OpenIndex, SearchIndex, apply, document, documents, found, ids, vectors

RICH = document(
    7,
    "Ana moved to Osaka; 大阪に住んでいます。",
    context="Where do you live now?",
    category=Category.PERSONAL_DETAILS,
    scope=Scope.CONTEXT,
    context_id="chat-1",
    agent_id="helper",
    speaker="Ana",
    event_time=NOON,
    valid_until=NOON + timedelta(days=1),
    replaces_id="mem_00001",
    revision=3,
    metadata={
        "tags": ["a", "b", "a"],
        "rank": 2,
        "share": 0.5,
        "known": True,
        "since": "2026-01-01T00:00:00Z",
    },
)


def test_an_owner_without_documents_holds_nothing(index: SearchIndex) -> None:
    assert list(index.revisions(OWNER)) == []
    assert index.differing(OWNER, [document(1)]) == ids(1)
    assert index.leftovers(OWNER) == 0
    assert list(index.owner_keys()) == []


def test_revisions_are_those_that_searches_find(open_index: OpenIndex) -> None:
    index, other = open_index(), open_index()
    apply(index, *documents(*range(1, 8)))
    apply(index, document(2, revision=5), document(3, revision=4), deleted=[document(1).id])
    apply(index, document(2, revision=4))

    expected = {document(number).id: 1 for number in range(4, 8)} | {document(2).id: 5, document(3).id: 4}
    for opened in (index, other):
        assert sorted(opened.revisions(OWNER)) == sorted(expected.items())

    index.replace(OWNER, iter(documents(9)))
    assert list(other.revisions(OWNER)) == [(document(9).id, 1)]


@pytest.mark.parametrize(
    "changes",
    [
        {"revision": 4},
        {"text": "Ana moved to Kyoto"},
        {"context": ""},
        {"speaker": None},
        {"event_time": None},
        {"valid_until": NOON},
        {"is_current": False},
        {"category": Category.TRAVEL},
        {"metadata": {**RICH.metadata, "rank": 3}},
        {"metadata": {**RICH.metadata, "rank": "2"}},
        {"metadata": {}},
        {"vector": vectors(1, seed=99)[0]},
        {"id": "mem_00008"},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_document_differs_by_any_field(index: SearchIndex, changes: dict[str, object]) -> None:
    apply(index, RICH, *documents(1, 2, 3, 4))
    changed: IndexDocument = replace(RICH, **changes)  # type: ignore[arg-type]

    assert index.differing(OWNER, [RICH, *documents(1, 2, 3, 4)]) == set()
    assert index.differing(OWNER, [changed, document(1)]) == {changed.id}


def test_owners_are_listed_and_dropped_by_their_keys(index: SearchIndex) -> None:
    owners = [Owner("acme", f"user-{number}") for number in range(5)]
    for owner in owners:
        apply(index, *documents(1, 2), owner=owner)
    index.replace(owners[4], iter([]))

    assert sorted(index.owner_keys()) == sorted(map(owner_key, owners))

    index.discard(owner_key(owners[0]))
    index.discard(owner_key(OWNER))
    assert sorted(index.owner_keys()) == sorted(map(owner_key, owners[1:]))
    assert not index.exists(owners[0])
    assert found(index, owners[1]) == ids(1, 2)


def test_finished_writes_leave_nothing_over(index: SearchIndex) -> None:
    for number in range(8):
        apply(index, document(number), document(number + 100), deleted=[document(number + 99).id])
    index.replace(OWNER, iter(documents(*range(10))))
    apply(index, document(50))

    assert index.leftovers(OWNER) == 0
