"""A memory that is deleted while somebody else is at it: who is later is refused, and nothing is left."""

from __future__ import annotations

from typing import Any

import pytest
from deployment import Deployment, owner_of
from interruptions import Deleting, run_until

from cognis_memory.errors import CognisError, RevisionConflict
from cognis_memory.models.event import EventStatus

WORD = "zanzibarquokka"
OWNER = owner_of("ana")


def _held(deployment: Deployment) -> str:
    """All that is kept and listed of ana."""
    ledger = deployment.ledger
    documents = [*ledger.iterate_memories(OWNER), *ledger.iterate_messages(OWNER)]
    listed = deployment.list("ana", include_history=True)
    return "".join(document.model_dump_json() for document in (*documents, listed))


class Meddling:
    """A ledger in which something happens right before the first commit that deletes."""

    def __init__(self, ledger: Any, meddle: Any) -> None:
        self._ledger = ledger
        self._meddle = meddle

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)

    def commit(self, commit: Any) -> None:
        if commit.deleted and self._meddle is not None:
            meddle, self._meddle = self._meddle, None
            meddle()
        self._ledger.commit(commit)


def test_a_version_that_comes_meanwhile_refuses_the_deletion(any_deployment: Deployment) -> None:
    pet = any_deployment.add("ana", f"My pet is {WORD}.").operations[0].memory_id
    meddling = Meddling(any_deployment.ledger, lambda: any_deployment.add("ana", "My pet is a cat."))
    with pytest.raises(RevisionConflict):
        any_deployment.with_(ledger=meddling).delete("ana", pet)

    assert len(any_deployment.history("ana", pet).history) == 2
    any_deployment.delete("ana", pet)
    assert any_deployment.texts("ana", include_history=True) == []
    assert all(message.redacted for message in any_deployment.ledger.iterate_messages(OWNER))


def test_a_repeat_that_comes_meanwhile_is_redacted_too(any_deployment: Deployment) -> None:
    pet = any_deployment.add("ana", f"My pet is {WORD}.").operations[0].memory_id
    meddling = Meddling(any_deployment.ledger, lambda: any_deployment.add("ana", f"My pet is {WORD}."))
    try:
        any_deployment.with_(ledger=meddling).delete("ana", pet)
    except CognisError:
        any_deployment.delete("ana", pet)

    assert all(message.redacted for message in any_deployment.ledger.iterate_messages(OWNER))


def test_an_ingestion_that_meets_the_deletion_of_what_it_replaces_goes_on(any_deployment: Deployment) -> None:
    pet = any_deployment.add("ana", f"My pet is {WORD}.").operations[0].memory_id
    state = any_deployment.accept("ana", "My pet is a cat.")
    deleting = Deleting(any_deployment, pet)
    any_deployment.with_(extractor=deleting).run(state)

    assert any_deployment.texts("ana", include_history=True) == ["The pet is a cat"]
    assert WORD not in _held(any_deployment)


@pytest.mark.parametrize("patch", [{"content": "The pet is a cat"}, {"category": "travel"}])
def test_a_change_that_comes_meanwhile_refuses_the_deletion(
    any_deployment: Deployment, patch: dict[str, str]
) -> None:
    pet = any_deployment.add("ana", f"My pet is {WORD}.").operations[0].memory_id
    meddling = Meddling(any_deployment.ledger, lambda: any_deployment.change("ana", pet, **patch))
    with pytest.raises(RevisionConflict):
        any_deployment.with_(ledger=meddling).delete("ana", pet)

    any_deployment.delete("ana", pet)
    assert any_deployment.texts("ana", include_history=True) == []


@pytest.mark.parametrize("patch", [{"content": "The pet is a cat"}, {"category": "travel"}])
def test_a_deletion_that_comes_meanwhile_refuses_a_change(
    any_deployment: Deployment, patch: dict[str, str]
) -> None:
    pet = any_deployment.add("ana", f"My pet is {WORD}.").operations[0].memory_id

    class Late:
        def __getattr__(self, name: str) -> Any:
            return getattr(any_deployment.ledger, name)

        def commit(self, commit: Any) -> None:
            any_deployment.delete("ana", pet)
            any_deployment.ledger.commit(commit)

    with pytest.raises(RevisionConflict):
        any_deployment.with_(ledger=Late()).change("ana", pet, **patch)
    assert list(any_deployment.ledger.iterate_memories(OWNER)) == []
    assert WORD not in _held(any_deployment)


def test_of_two_deletions_at_once_one_is_refused(any_deployment: Deployment) -> None:
    pet = any_deployment.add("ana", f"My pet is {WORD}.").operations[0].memory_id
    meddling = Meddling(any_deployment.ledger, lambda: any_deployment.delete("ana", pet))
    with pytest.raises(RevisionConflict):
        any_deployment.with_(ledger=meddling).delete("ana", pet)

    assert list(any_deployment.ledger.iterate_memories(OWNER)) == []
    assert all(message.redacted for message in any_deployment.ledger.iterate_messages(OWNER))


def test_facts_of_a_message_redacted_meanwhile_are_not_committed(deployment: Deployment) -> None:
    """Half of a long message was committed when its process died; then the user deleted one of its facts."""
    notes = " ".join(f"Note: thing {number}." for number in range(40))
    state = deployment.accept("ana", f"My pet is {WORD}. {notes}")
    run_until(deployment, state, "commit", times=2)
    committed = deployment.texts("ana")
    deployment.delete("ana", next(m.id for m in deployment.list("ana").memories if "pet" in m.memory))
    event = deployment.run(state)

    assert event.status is EventStatus.SUCCEEDED
    assert 0 < len(deployment.texts("ana")) == len(committed) - 1
    assert WORD not in _held(deployment)
