"""A deleted memory is gone with its chain, and its words with the messages they stood in (invariant 8)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from deployment import Deployment, owner_of
from engines import describe, open_deployment
from interruptions import STEPS, Died, Dying
from snapshots import end_state, index_content

from cognis_memory.domain.filters import EVERYTHING
from cognis_memory.errors import NotFound
from cognis_memory.models.values import Operation
from cognis_memory.services.transfer.files import export_key

WORD = "zanzibarquokka"
OWNER = owner_of("ana")


@pytest.fixture
def told(deployment: Deployment) -> Deployment:
    return _tell(deployment)


@pytest.fixture
def told_anywhere(any_deployment: Deployment) -> Deployment:
    return _tell(any_deployment)


def _tell(deployment: Deployment) -> Deployment:
    """The word in a chain's old version, its message, and the context of what stands around them."""
    deployment.add("ana", ["Note: likes rain.", "Good morning to all of you."])
    deployment.add("ana", [f"My pet is {WORD}. My job is baker.", "What a day.", "Note: likes snow."])
    deployment.add("ana", ["My pet is a cat.", f"As before: My pet is {WORD}.", "My pet is a dog."])
    deployment.add("bob", f"My pet is {WORD}.")
    return deployment


def _pet(deployment: Deployment) -> str:
    return next(memory.id for memory in deployment.list("ana").memories if "pet" in memory.memory)


def _everything_answered(deployment: Deployment) -> Iterable[str]:
    """All that the doors say of ana."""
    for query in (WORD, f"pet {WORD} before", "rain snow day baker morning"):
        for options in ({}, {"history": "always"}, {"as_of": "2026-07-15T12:00:00Z"}, {"min_relevance": 0}):
            yield deployment.search("ana", query, top_k=100, **options).model_dump_json()
            yield deployment.context("ana", query, **options).model_dump_json()
    for memory in deployment.list("ana", limit=100, include_history=True).memories:
        yield memory.model_dump_json()
        yield deployment.history("ana", memory.id).model_dump_json()
    for event in {message.event_id for message in deployment.ledger.iterate_messages(OWNER)}:
        yield deployment.event(event).model_dump_json()


def test_its_words_are_answered_nowhere(told_anywhere: Deployment) -> None:
    told = told_anywhere
    assert any(WORD in answer for answer in _everything_answered(told))
    pet = _pet(told)
    told.delete("ana", pet)

    assert not [answer for answer in _everything_answered(told) if WORD in answer]
    for door in (told.get, told.history, told.delete):
        with pytest.raises(NotFound):
            door("ana", pet)


def test_what_expired_can_be_deleted(any_deployment: Deployment) -> None:
    soon = any_deployment.clock() + timedelta(minutes=1)
    added = any_deployment.add("ana", f"My pet is {WORD}.", expires_at=soon.isoformat())
    any_deployment.clock.advance(timedelta(minutes=1))
    any_deployment.delete("ana", added.operations[0].memory_id)

    ledger = any_deployment.ledger
    documents = [*ledger.iterate_memories(OWNER), *ledger.iterate_messages(OWNER)]
    assert not [document for document in documents if WORD in document.model_dump_json()]


def test_its_words_stand_in_no_document_and_no_index(told_anywhere: Deployment) -> None:
    told = told_anywhere
    told.delete("ana", _pet(told))
    ledger = told.ledger

    documents = [*ledger.iterate_memories(OWNER), *ledger.iterate_messages(OWNER)]
    assert not [document for document in documents if WORD in document.model_dump_json()]
    assert told.index.match(OWNER, WORD, filter=EVERYTHING, limit=10) == []
    assert ledger.pending_marks(OWNER) == []


def test_other_memories_stay_those_of_the_same_message_too(told: Deployment) -> None:
    told.delete("ana", _pet(told))

    assert sorted(told.texts("ana")) == ["The job is baker", "likes rain", "likes snow"]
    assert told.found("ana", "job baker", include_messages=False)[0] == "The job is baker"
    assert "What a day." in told.found("ana", "what a day")
    assert told.found("bob", WORD)


def test_a_redacted_message_says_nothing_and_says_so(told: Deployment) -> None:
    (linked, *_) = told.get("ana", _pet(told)).source_messages
    told.delete("ana", _pet(told))
    message = told.ledger.get_messages(OWNER, [linked])[linked]

    assert (message.redacted, message.content, message.metadata) == (True, "", {})
    assert not told.ledger.get_vectors(OWNER, [linked])[linked].any()


def test_events_keep_what_they_did_without_the_words(told: Deployment) -> None:
    event = told.add("ana", "My pet is a fish.")
    assert event.operations[0].memory == "The pet is a fish"
    told.delete("ana", _pet(told))

    (operation,) = told.event(event.event_id).operations
    assert (operation.operation, operation.memory, operation.previous_memory) == (
        Operation.UPDATE,
        None,
        None,
    )


def test_neighbours_are_indexed_without_its_words(told: Deployment) -> None:
    """As if it had never been said: a rebuild gives the same."""
    told.delete("ana", _pet(told))
    after = index_content(told, "ana")
    told.projector.rebuild(OWNER)

    assert index_content(told, "ana") == after


def test_any_version_of_the_chain_stands_for_all_of_it(deployment: Deployment) -> None:
    first = deployment.add("ana", f"My pet is {WORD}.").operations[0].memory_id
    deployment.add("ana", "My pet is a cat.")
    deployment.delete("ana", first)

    assert deployment.texts("ana", include_history=True) == []
    assert deployment.ledger.get_chains(OWNER, [first]) == {}


def test_a_retracted_memory_can_be_deleted_with_its_history(deployment: Deployment) -> None:
    pet = deployment.add("ana", f"My pet is {WORD}.").operations[0].memory_id
    deployment.add("ana", "Please! Forget my pet.")
    deployment.delete("ana", pet)

    assert not [*deployment.ledger.iterate_memories(OWNER)]
    assert all(message.redacted for message in deployment.ledger.iterate_messages(OWNER))


def test_a_chain_longer_than_a_transaction(deployment: Deployment) -> None:
    deployment.add("ana", [f"My pet is {WORD}{number}." for number in range(110)])
    deployment.delete("ana", _pet(deployment))

    assert deployment.texts("ana", include_history=True) == []
    assert deployment.found("ana", f"pet {WORD}7") == []
    assert deployment.index.count(OWNER) == 0


@pytest.mark.long
def test_a_chain_longer_than_a_transaction_on_aws(aws_deployment: Deployment) -> None:
    test_a_chain_longer_than_a_transaction(aws_deployment)


@pytest.mark.parametrize("port", ["ledger", "index"])
@pytest.mark.parametrize("versions", [43, 50])
def test_interrupted_anywhere_it_can_be_repeated(tmp_path: Path, versions: int, port: str) -> None:
    """The redaction of 43 messages fills a commit: their neighbours come with the next."""
    undisturbed = _deleted(tmp_path / "undisturbed", versions)
    for survived in range(1, 20):
        deployment = _told(tmp_path / str(survived), versions)
        pet = _pet(deployment)
        dying = Dying(getattr(deployment, port), STEPS[port], survived)
        try:
            deployment.with_(**{port: dying}).delete("ana", pet)
        except Died:
            _repeat(deployment, pet)
        else:
            assert survived > 1
            return
        assert end_state(deployment, "ana") == undisturbed, f"survived {survived}"
        deployment.close()


def _told(folder: Path, versions: int) -> Deployment:
    deployment = open_deployment(describe(folder))
    deployment.add("ana", [f"My pet is {WORD}{number}." for number in range(versions)])
    deployment.add("ana", ["What a day.", "Note: likes snow."])
    return deployment


def _deleted(folder: Path, versions: int) -> dict[str, Any]:
    deployment = _told(folder, versions)
    deployment.delete("ana", _pet(deployment))
    state = end_state(deployment, "ana")
    deployment.close()
    return state


def _repeat(deployment: Deployment, pet: str) -> None:
    """By the caller, or, when the ledger is through with it, by the sweep."""
    try:
        deployment.delete("ana", pet)
    except NotFound:
        deployment.projector.catch_up(OWNER)


def test_exports_of_the_user_go_and_those_of_others_stay(any_deployment: Deployment) -> None:
    pet = any_deployment.add("ana", f"My pet is {WORD}.").operations[0].memory_id
    keys = [export_key(owner, "evt_1") for owner in (OWNER, owner_of("bob"))]
    for key in keys:
        any_deployment.files.write(key, [WORD.encode()])
    any_deployment.delete("ana", pet)

    assert [any_deployment.files.find(key) is not None for key in keys] == [False, True]


def _files_with(folder: Path, word: str) -> list[str]:
    return [
        str(file.relative_to(folder))
        for file in sorted(folder.rglob("*"))
        if file.is_file() and word.encode() in file.read_bytes().lower()
    ]


def _delete_on_disk(folder: Path) -> Deployment:
    deployment = open_deployment(describe(folder))
    deployment.add("ana", [f"My pet is {WORD}.", "What a day.", "Note: likes rain."])
    assert _files_with(folder, WORD)
    deployment.delete("ana", _pet(deployment))
    return deployment


def test_no_file_of_a_closed_folder_holds_its_words(tmp_path: Path) -> None:
    """Neither pages of the ledger nor shards, old and new."""
    _delete_on_disk(tmp_path).close()

    assert _files_with(tmp_path, WORD) == []


def test_no_file_of_an_open_folder_holds_its_words(tmp_path: Path) -> None:
    deployment = _delete_on_disk(tmp_path)
    found = _files_with(tmp_path, WORD)
    deployment.close()

    assert found == []


def test_messages_that_have_nothing_to_do_with_it_are_not_written(deployment: Deployment) -> None:
    deployment.add("ana", [f"Word{number}." for number in range(30)])
    deployment.add("ana", f"My pet is {WORD}.", context_id="other")
    revisions = {message.id: message.revision for message in deployment.ledger.iterate_messages(OWNER)}
    deployment.delete("ana", _pet(deployment))
    changed = [m for m in deployment.ledger.iterate_messages(OWNER) if m.revision != revisions[m.id]]

    assert len(changed) == 1
