"""Commits: everything or nothing, the right refusal, the limits."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cognis_memory.errors import (
    CognisError,
    InputTooLarge,
    RevisionConflict,
    StaleEvent,
    StaleLease,
    UserErased,
)
from cognis_memory.models.commit import MAX_COMMIT_ITEMS, Chain, ChainWrite, Commit, DocumentWrite
from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Category, Owner, Scope
from cognis_memory.ports import Ledger

from .builders import (
    NOW,
    OWNER,
    chain,
    commit,
    event,
    later,
    memory,
    memory_id,
    message,
    message_id,
    vector,
)


def test_a_document_is_read_back_as_it_was_written(ledger: Ledger) -> None:
    full = memory(
        1,
        category=Category.HEALTH,
        scope=Scope.CONTEXT,
        context_id="チャット#1",
        event_time=NOW,
        expires_at=NOW,
        metadata={"plan": "pro", "count": 3, "ratio": 0.5, "on": True, "tags": ["a", 1, False]},
        source_messages=(message_id(1), message_id(2)),
    )
    turn = message(1, links=(full.id,), preceding=(message_id(0),), content='"quoted"\n\x00\t💥 ﷽ e\u0301')
    ledger.commit(commit(full, turn))

    assert ledger.get_memories(OWNER, [full.id]) == {full.id: full}
    assert ledger.get_messages(OWNER, [turn.id]) == {turn.id: turn}


def test_a_commit_is_read_at_once_everywhere(ledger: Ledger) -> None:
    first = memory(1)
    ledger.commit(commit(DocumentWrite(first, vector(1)), message(1), chains=(chain(first),)))

    assert ledger.list_memories(OWNER, limit=10, now=NOW).memories == (first,)
    assert ledger.get_chains(OWNER, [first.id]) == {first.id: Chain(first.id, (first,), 1)}
    assert [m.id for m in ledger.recent_messages(OWNER, None, before_id="msg_9", limit=5)] == [message_id(1)]
    assert list(ledger.get_vectors(OWNER, [first.id])) == [first.id]
    assert [mark.document_ids for mark in ledger.pending_marks(OWNER)] == [(first.id, message_id(1))]


def seed(ledger: Ledger) -> int:
    """A memory in a chain, a message, an event and a lease, each at its first revision; the lease's token."""
    ledger.create_event(event())
    first = memory(1)
    ledger.commit(commit(DocumentWrite(first, vector(1)), message(1), chains=(chain(first),), number=0))
    ledger.clear_pending(OWNER, ["evt_0001-0"])
    return ledger.acquire_lease(OWNER, "evt_0001", now=NOW, duration=NOW - NOW.replace(hour=0)).token


def second_commit(token: int) -> Commit:
    """Closes the memory, adds its next version, links the message, moves the event, removes nothing."""
    closed = memory(1, is_current=False, valid_until=NOW, revision=2)
    new = memory(2, chain_id=memory_id(1), version=2, replaces_id=memory_id(1))
    return commit(
        closed,
        DocumentWrite(new, vector(2)),
        message(1, links=(new.id,), revision=2),
        number=1,
        fence=token,
        event=later(event(), cursor=1),
        chains=(chain(closed, new, revision=2),),
    )


def writing(*documents: Memory | Message) -> dict[str, Any]:
    return {"documents": tuple(DocumentWrite(document) for document in (memory(2), *documents))}


def linking(chain_id: str, revision: int, *version_ids: str) -> dict[str, Any]:
    return {"chains": (ChainWrite(chain_id, version_ids, revision),)}


BREAKS: dict[str, tuple[dict[str, Any], type[CognisError]]] = {
    "epoch": ({"epoch": 1}, UserErased),
    "fence": ({"fence": 99}, StaleLease),
    "event too new": ({"event": event(cursor=1, revision=2)}, StaleEvent),
    "event too old": ({"event": event(cursor=1, revision=0)}, StaleEvent),
    "no such event": ({"event": event(5, revision=1)}, StaleEvent),
    "document exists": (writing(memory(1)), RevisionConflict),
    "document moved": (writing(memory(1, revision=3)), RevisionConflict),
    "document gone": (writing(memory(8, revision=2)), RevisionConflict),
    "message moved": (writing(message(1, revision=3)), RevisionConflict),
    "chain exists": (linking(memory_id(1), 1, memory_id(2)), RevisionConflict),
    "chain moved": (linking(memory_id(1), 3, memory_id(2)), RevisionConflict),
    "chain gone": (linking(memory_id(7), 2, memory_id(2)), RevisionConflict),
    "removed chain moved": (linking(memory_id(1), 3), RevisionConflict),
}


@pytest.mark.parametrize(("changes", "refusal"), BREAKS.values(), ids=BREAKS.keys())
def test_one_condition_that_fails_leaves_everything_as_it_was(
    ledger: Ledger, changes: dict[str, Any], refusal: type[CognisError]
) -> None:
    good = second_commit(seed(ledger))
    with pytest.raises(refusal):
        ledger.commit(replace(good, deleted=(memory_id(6),), **changes))

    assert ledger.get_memories(OWNER, [memory_id(1), memory_id(2)]) == {memory_id(1): memory(1)}
    assert ledger.get_messages(OWNER, [message_id(1)]) == {message_id(1): message(1)}
    assert ledger.get_chains(OWNER, [memory_id(1)])[memory_id(1)].revision == 1
    assert list(ledger.get_vectors(OWNER, [memory_id(1), memory_id(2)])) == [memory_id(1)]
    assert ledger.get_event("acme", "evt_0001") == event()
    assert ledger.pending_marks(OWNER) == []

    ledger.commit(good)
    assert ledger.get_event("acme", "evt_0001") == later(event(), cursor=1)
    versions = ledger.get_chains(OWNER, [memory_id(1)])[memory_id(1)].versions
    assert [version.is_current for version in versions] == [False, True]


def test_the_gravest_refusal_counts(ledger: Ledger) -> None:
    token = seed(ledger)
    broken = replace(
        second_commit(token),
        epoch=1,
        fence=99,
        event=event(revision=7),
        documents=(DocumentWrite(memory(1)),),
    )
    for fixed, refusal in (
        ({}, UserErased),
        ({"epoch": 0}, StaleLease),
        ({"epoch": 0, "fence": token}, StaleEvent),
        ({"epoch": 0, "fence": token, "event": None}, RevisionConflict),
    ):
        with pytest.raises(refusal):
            ledger.commit(replace(broken, **fixed))


def test_a_commit_that_is_repeated_is_refused_by_its_revisions(ledger: Ledger) -> None:
    good = second_commit(seed(ledger))
    ledger.commit(good)

    with pytest.raises(StaleEvent):
        ledger.commit(good)
    with pytest.raises(RevisionConflict):
        ledger.commit(replace(good, event=None))


def test_the_largest_messages_fit(ledger: Ledger) -> None:
    rng = np.random.default_rng(0)
    emoji = "".join(chr(0x1F300 + offset) for offset in rng.integers(0, 0x2FF, 100_000))
    rare = "".join(chr(code) for code in rng.integers(0x20000, 0x2A6DF, 100_000))
    japanese = "".join(chr(code) for code in rng.integers(0x4E00, 0x9FFF, 100_000))
    escaped = "".join(chr(code) for code in rng.integers(1, 32, 100_000))
    metadata = {"note": "あ" * 1_300}
    for number, content in enumerate((emoji, rare, japanese, escaped)):
        long = message(number, content=content, metadata=metadata)
        ledger.commit(commit(DocumentWrite(long, vector(number)), number=number))
        assert ledger.get_messages(OWNER, [long.id]) == {long.id: long}


def test_limits_of_items_and_bytes(ledger: Ledger) -> None:
    most = MAX_COMMIT_ITEMS - 4
    ledger.commit(commit(*(message(number) for number in range(most))))
    assert len(ledger.get_messages(OWNER, [message_id(n) for n in range(most)])) == most

    with pytest.raises(InputTooLarge, match=str(MAX_COMMIT_ITEMS)):
        ledger.commit(commit(*(message(number) for number in range(500, 501 + most))))
    with pytest.raises(InputTooLarge, match="bytes"):
        ledger.commit(commit(*(message(500 + n, content="あ" * 100_000) for n in range(11))))
    assert ledger.get_messages(OWNER, [message_id(500)]) == {}


@pytest.mark.parametrize(
    "contradiction",
    [
        commit(memory(1, Owner("acme", "bob"))),
        commit(message(1, Owner("other", "ana"))),
        commit(event=event(1, Owner("acme", "bob"), revision=1)),
        commit(memory(1), memory(1)),
        commit(memory(1), deleted=(memory_id(1),)),
        commit(chains=(ChainWrite("mem_1", ("mem_1",), 1), ChainWrite("mem_1", (), 2))),
        commit(memory(1, revision=0)),
    ],
    ids=["memory", "message", "event", "twice", "deleted", "chain", "revision"],
)
def test_a_commit_that_contradicts_itself_is_a_bug(ledger: Ledger, contradiction: Commit) -> None:
    with pytest.raises(ValueError, match="commit"):
        ledger.commit(contradiction)


def test_deletion_removes_documents_with_their_vectors_and_chains(ledger: Ledger) -> None:
    first, second = memory(1), memory(2)
    ledger.commit(
        commit(
            DocumentWrite(first, vector(1)),
            DocumentWrite(second, vector(2)),
            DocumentWrite(message(1), vector(3)),
            chains=(chain(first), chain(second)),
        )
    )
    gone = (first.id, message_id(1))
    removed = ChainWrite(first.id, (), 2)
    ledger.commit(commit(number=2, deleted=(*gone, "mem_unknown"), chains=(removed,)))

    assert list(ledger.get_memories(OWNER, [first.id, second.id])) == [second.id]
    assert ledger.get_messages(OWNER, [message_id(1)]) == {}
    assert list(ledger.get_vectors(OWNER, [*gone, second.id])) == [second.id]
    assert list(ledger.get_chains(OWNER, [first.id, second.id])) == [second.id]
    assert [m.document_ids for m in ledger.pending_marks(OWNER)][-1] == (*gone, "mem_unknown")

    ledger.commit(commit(DocumentWrite(first), number=3))
    assert first.id in ledger.get_memories(OWNER, [first.id])


def test_a_chain_written_without_versions_is_removed(ledger: Ledger) -> None:
    first = memory(1)
    ledger.commit(commit(first, chains=(chain(first),)))
    ledger.commit(commit(number=2, deleted=(first.id,), chains=(ChainWrite(first.id, (), 2),)))

    assert ledger.get_chains(OWNER, [first.id]) == {}


def test_vectors_keep_their_values_and_stay_when_none_is_given(ledger: Ledger) -> None:
    ledger.commit(commit(DocumentWrite(memory(1), vector(1)), memory(2)))
    ledger.commit(commit(memory(1, revision=2), number=2))
    held = ledger.get_vectors(OWNER, [memory_id(1), memory_id(2)])

    assert list(held) == [memory_id(1)]
    assert held[memory_id(1)].shape == (768,)
    assert held[memory_id(1)].dtype == np.float32
    np.testing.assert_allclose(held[memory_id(1)], vector(1), atol=1e-3)

    ledger.commit(commit(DocumentWrite(memory(1, revision=3), vector(9)), number=3))
    np.testing.assert_allclose(ledger.get_vectors(OWNER, [memory_id(1)])[memory_id(1)], vector(9), atol=1e-3)


def test_a_commit_that_touches_no_document_leaves_no_mark(ledger: Ledger) -> None:
    ledger.create_event(event())
    ledger.commit(commit(event=later(event(), cursor=1)))

    assert ledger.pending_marks(OWNER) == []
    assert ledger.get_event("acme", "evt_0001") == later(event(), cursor=1)


def test_documents_hold_nothing_that_json_would_lose(ledger: Ledger) -> None:
    """Whole floats stay floats and truths stay truths."""
    kept = memory(1, metadata={"whole": 1.0, "yes": True, "one": 1, "list": [1.0, 1, True]})
    ledger.commit(commit(kept))
    read = ledger.get_memories(OWNER, [kept.id])[kept.id]

    assert json.dumps(read.metadata) == json.dumps(kept.metadata)


def test_what_changed_since_it_was_read_is_not_deleted(ledger: Ledger) -> None:
    ledger.commit(commit(memory(1), message(1)))
    ledger.commit(commit(memory(1, revision=2), number=2))
    for id_, read_at in ((memory_id(1), 1), (message_id(1), 2), (memory_id(9), 1)):
        late = commit(memory(2), number=3, deleted=(id_,), deleted_revisions={id_: read_at})
        with pytest.raises(RevisionConflict):
            ledger.commit(late)

    assert ledger.get_memories(OWNER, [memory_id(1), memory_id(2)]).keys() == {memory_id(1)}
    now = commit(number=4, deleted=(memory_id(1),), deleted_revisions={memory_id(1): 2})
    ledger.commit(now)
    assert ledger.get_memories(OWNER, [memory_id(1)]) == {}
