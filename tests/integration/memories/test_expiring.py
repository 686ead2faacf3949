"""What has expired is hidden at once and removed by the next sweep; the rest stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from deployment import Deployment, owner_of
from engines import describe, open_deployment
from fakes import Failing
from interruptions import STEPS, Died, Dying
from snapshots import end_state, index_content

from cognis_memory.domain.filters import EVERYTHING
from cognis_memory.errors import ExtractionFailed, NotFound, RevisionConflict, UserErased
from cognis_memory.models.event import EventStatus
from cognis_memory.models.memory import Memory
from cognis_memory.models.values import Operation
from cognis_memory.services.expiry import expired_documents, remove_expired
from cognis_memory.services.payload_keys import payload_prefix

OWNER = owner_of("ana")
WORD = "zanzibarquokka"
HOUR = timedelta(hours=1)


def sweep(deployment: Deployment) -> int:
    expired = expired_documents(deployment.ledger, deployment.clock())
    return sum(remove_expired(deployment.memories, owner, ids) for owner, ids in expired.items())


def add_for_an_hour(deployment: Deployment, *texts: str, user_id: str = "ana", **options: Any) -> Any:
    expires_at = (deployment.clock() + HOUR).isoformat()
    return deployment.add(user_id, list(texts), expires_at=expires_at, **options)


def held(deployment: Deployment, user_id: str = "ana") -> list[str]:
    """All documents of the ledger, as they are written."""
    owner, ledger = owner_of(user_id), deployment.ledger
    documents = [*ledger.iterate_memories(owner), *ledger.iterate_messages(owner)]
    return [document.model_dump_json() for document in documents]


def test_what_has_expired_is_removed_with_all_that_belongs_to_it(any_deployment: Deployment) -> None:
    add_for_an_hour(any_deployment, f"My pet is {WORD}.", f"What a day with {WORD}.")
    any_deployment.add("ana", ["My job is baker.", "What a night."])
    assert sweep(any_deployment) == 0
    any_deployment.clock.advance(HOUR + timedelta(seconds=1))
    assert any_deployment.found("ana", WORD) == []
    assert sweep(any_deployment) == 3

    assert [each for each in held(any_deployment) if WORD in each] == []
    assert any_deployment.index.match(OWNER, WORD, filter=EVERYTHING, limit=10) == []
    assert any_deployment.texts("ana") == ["The job is baker"]
    assert len(list(any_deployment.ledger.iterate_messages(OWNER))) == 2
    assert any_deployment.ledger.pending_marks(OWNER) == []
    assert sweep(any_deployment) == 0


def test_nothing_names_what_was_removed(any_deployment: Deployment) -> None:
    made = add_for_an_hour(any_deployment, f"My pet is {WORD}.").operations[0].memory_id
    (message,) = any_deployment.ledger.iterate_messages(OWNER)
    any_deployment.clock.advance(2 * HOUR)
    sweep(any_deployment)
    ledger = any_deployment.ledger

    assert ledger.get_vectors(OWNER, [made, message.id]) == {}
    assert ledger.get_chains(OWNER, [made]) == {}
    assert any_deployment.index.count(OWNER) == 0
    assert any_deployment.event(message.event_id).operations[0].memory is None


def test_neighbours_are_indexed_without_its_words(any_deployment: Deployment) -> None:
    add_for_an_hour(any_deployment, f"My pet is {WORD}.")
    any_deployment.add("ana", ["What a day.", "Note: likes snow."])
    any_deployment.clock.advance(2 * HOUR)
    assert any_deployment.index.match(OWNER, WORD, filter=EVERYTHING, limit=10)
    sweep(any_deployment)

    assert any_deployment.index.match(OWNER, WORD, filter=EVERYTHING, limit=10) == []


def test_a_rebuild_gives_the_same(deployment: Deployment) -> None:
    add_for_an_hour(deployment, f"My pet is {WORD}.")
    deployment.add("ana", ["My pet is a cat.", "Note: likes snow."])
    deployment.clock.advance(2 * HOUR)
    sweep(deployment)
    after = index_content(deployment, "ana")
    deployment.projector.rebuild(OWNER)

    assert index_content(deployment, "ana") == after


def test_an_earlier_version_expires_and_the_current_one_stays(any_deployment: Deployment) -> None:
    add_for_an_hour(any_deployment, f"My pet is {WORD}.")
    any_deployment.add("ana", "My pet is a cat.")
    any_deployment.clock.advance(2 * HOUR)
    sweep(any_deployment)

    (memory,) = any_deployment.list("ana", include_history=True).memories
    assert (memory.memory, memory.version, memory.replaces_id) == ("The pet is a cat", 1, None)
    assert [version.operation for version in any_deployment.history("ana", memory.id).history] == [
        Operation.ADD
    ]
    assert any_deployment.found("ana", "pet cat", include_messages=False) == ["The pet is a cat"]
    assert not any(WORD in each for each in held(any_deployment))


def test_a_current_version_expires_and_the_earlier_one_does_not_come_back(any_deployment: Deployment) -> None:
    first = any_deployment.add("ana", "My home is Tokyo.").operations[0].memory_id
    any_deployment.clock.advance(timedelta(minutes=1))
    add_for_an_hour(any_deployment, f"My home is {WORD}.")
    any_deployment.clock.advance(2 * HOUR)
    before = any_deployment.history("ana", first)
    sweep(any_deployment)

    assert any_deployment.texts("ana") == []
    assert any_deployment.history("ana", first) == before
    assert any_deployment.found("ana", "home", as_of="2026-07-15T12:00:30Z") != []
    assert any_deployment.found("ana", "home", as_of="2026-07-15T12:02:00Z") == []
    assert not any(WORD in each for each in held(any_deployment))
    assert any_deployment.index.match(OWNER, WORD, filter=EVERYTHING, limit=10) == []


def test_a_fact_told_after_that_begins_anew(any_deployment: Deployment) -> None:
    any_deployment.add("ana", "My home is Tokyo.")
    any_deployment.clock.advance(timedelta(minutes=1))
    add_for_an_hour(any_deployment, f"My home is {WORD}.")
    any_deployment.clock.advance(2 * HOUR)
    sweep(any_deployment)
    any_deployment.add("ana", "My home is Osaka.")

    assert any_deployment.texts("ana") == ["The home is Osaka"]


def test_what_is_left_can_be_deleted(any_deployment: Deployment) -> None:
    first = any_deployment.add("ana", "My home is Tokyo.").operations[0].memory_id
    any_deployment.clock.advance(timedelta(minutes=1))
    add_for_an_hour(any_deployment, "My home is Osaka.")
    any_deployment.clock.advance(2 * HOUR)
    sweep(any_deployment)
    any_deployment.delete("ana", first)

    assert list(any_deployment.ledger.iterate_memories(OWNER)) == []
    assert any_deployment.ledger.get_chains(OWNER, [first]) == {}


def test_a_message_loses_its_words_with_the_last_memory_of_it(any_deployment: Deployment) -> None:
    """Its memories were given an end by hand; it has none of its own."""
    any_deployment.add("ana", f"My pet is {WORD}. My job is baker.")
    soon = any_deployment.clock() + HOUR
    pet, job = (
        next(memory.id for memory in any_deployment.list("ana").memories if word in memory.memory)
        for word in ("pet", "job")
    )
    any_deployment.change("ana", pet, expires_at=soon.isoformat())
    any_deployment.clock.advance(2 * HOUR)
    sweep(any_deployment)
    (message,) = any_deployment.ledger.iterate_messages(OWNER)
    assert not message.redacted

    any_deployment.change("ana", job, expires_at=(any_deployment.clock() + HOUR).isoformat())
    any_deployment.clock.advance(2 * HOUR)
    sweep(any_deployment)
    (message,) = any_deployment.ledger.iterate_messages(OWNER)
    assert (message.redacted, message.content) == (True, "")
    assert not any(WORD in each for each in held(any_deployment))


@pytest.mark.parametrize("text", ["My home is Tokyo.", "私の趣味は釣りです。"])
def test_what_is_said_again_without_an_end_lasts(any_deployment: Deployment, text: str) -> None:
    add_for_an_hour(any_deployment, text)
    any_deployment.clock.advance(timedelta(minutes=1))
    (again,) = any_deployment.add("ana", text).operations
    assert again.operation is Operation.NONE
    any_deployment.clock.advance(2 * HOUR)
    found = any_deployment.found("ana", text)
    assert sweep(any_deployment) == 1

    assert any_deployment.texts("ana") == [again.memory]
    assert any_deployment.get("ana", again.memory_id).expires_at is None
    assert found == any_deployment.found("ana", text) == [again.memory, text]


def test_what_lasts_is_not_ended_by_being_said_again_for_an_hour(any_deployment: Deployment) -> None:
    (memory,) = any_deployment.add("ana", "My home is Tokyo.").operations
    any_deployment.clock.advance(timedelta(minutes=1))
    add_for_an_hour(any_deployment, "My home is Tokyo.")
    any_deployment.clock.advance(2 * HOUR)
    sweep(any_deployment)

    assert any_deployment.get("ana", memory.memory_id).is_current


def test_a_failed_event_loses_what_it_kept_of_it(any_deployment: Deployment) -> None:
    broken = any_deployment.with_(extractor=Failing(any_deployment.extractor, ExtractionFailed("no")))
    failed = add_for_an_hour(broken, f"My pet is {WORD}.")
    assert failed.status is EventStatus.FAILED
    any_deployment.clock.advance(2 * HOUR)
    sweep(any_deployment)

    with pytest.raises(NotFound):
        any_deployment.payloads.get(f"{payload_prefix(OWNER, failed.event_id)}request.json")
    assert held(any_deployment) == []


def test_no_file_of_a_folder_holds_its_words(tmp_path: Path) -> None:
    deployment = open_deployment(describe(tmp_path))
    add_for_an_hour(deployment, f"My pet is {WORD}.", "What a day.")
    deployment.add("ana", "Note: likes snow.")
    deployment.clock.advance(2 * HOUR)
    sweep(deployment)

    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert [file.name for file in files if WORD.encode() in file.read_bytes().lower()] == []
    deployment.close()


def test_others_and_what_lasts_stay_whole(any_deployment: Deployment) -> None:
    any_deployment.add("bob", ["My pet is a cat.", "What a day."])
    add_for_an_hour(any_deployment, "My pet is a dog.", user_id="eve")
    before = end_state(any_deployment, "bob")
    any_deployment.clock.advance(2 * HOUR)

    assert sweep(any_deployment) == 2
    assert end_state(any_deployment, "bob") == before


def test_one_sweep_takes_so_many_and_the_next_goes_on(deployment: Deployment) -> None:
    add_for_an_hour(deployment, *(f"Note: thing {number}." for number in range(30)))
    deployment.clock.advance(2 * HOUR)
    sizes = []
    while expired := expired_documents(deployment.ledger, deployment.clock(), 25):
        ((owner, ids),) = expired.items()
        sizes.append(remove_expired(deployment.memories, owner, ids))

    assert sizes == [25, 25, 10]
    assert held(deployment) == []


def test_a_chain_longer_than_a_transaction(deployment: Deployment) -> None:
    deployment.add("ana", f"My pet is {WORD}.")
    deployment.clock.advance(timedelta(minutes=1))
    add_for_an_hour(deployment, *(f"My pet is {WORD}{number}." for number in range(110)))
    deployment.clock.advance(timedelta(minutes=1))
    deployment.add("ana", "My pet is a cat.")
    deployment.clock.advance(2 * HOUR)
    while sweep(deployment):
        pass

    history = deployment.history("ana", deployment.list("ana").memories[0].id).history
    assert [version.memory for version in history] == [f"The pet is {WORD}", "The pet is a cat"]


def test_a_chain_that_was_deleted_meanwhile_does_not_come_back(any_deployment: Deployment) -> None:
    """The sweep is refused, and the next finds nothing to do."""
    pet = any_deployment.add("ana", "My pet is a dog.").operations[0].memory_id
    any_deployment.clock.advance(timedelta(minutes=1))
    add_for_an_hour(any_deployment, f"My pet is {WORD}.")
    any_deployment.clock.advance(2 * HOUR)

    class Meddling:
        def __getattr__(self, name: str) -> Any:
            return getattr(any_deployment.ledger, name)

        def commit(self, commit: Any) -> None:
            if any(isinstance(write.document, Memory) for write in commit.documents):
                any_deployment.delete("ana", pet)
            any_deployment.ledger.commit(commit)

    with pytest.raises(RevisionConflict):
        sweep(any_deployment.with_(ledger=Meddling()))
    sweep(any_deployment)
    assert list(any_deployment.ledger.iterate_memories(OWNER)) == []
    assert not any(WORD in each for each in held(any_deployment))


def test_a_user_who_is_being_erased_is_left_to_that(any_deployment: Deployment) -> None:
    add_for_an_hour(any_deployment, "My pet is a dog.")
    any_deployment.clock.advance(2 * HOUR)
    any_deployment.request_erasure("ana")

    with pytest.raises(UserErased):
        sweep(any_deployment)


@pytest.mark.parametrize("port", ["ledger", "index", "payloads"])
def test_interrupted_anywhere_it_can_be_repeated(tmp_path: Path, port: str) -> None:
    undisturbed = next(_swept(tmp_path / "undisturbed", port, 1_000))
    for survived, state in enumerate(_all_swept(tmp_path, port), start=1):
        assert state == undisturbed, f"survived {survived}"


def _all_swept(folder: Path, port: str) -> Iterator[dict[str, Any]]:
    for survived in range(1, 30):
        yield from _swept(folder / str(survived), port, survived)


def _swept(folder: Path, port: str, survived: int) -> Iterator[dict[str, Any]]:
    deployment = open_deployment(describe(folder))
    deployment.add("ana", "My pet is a dog.")
    deployment.clock.advance(timedelta(minutes=1))
    add_for_an_hour(deployment, *(f"My pet is {WORD}{number}." for number in range(45)))
    deployment.add("ana", ["What a day.", "My pet is a cat.", "Note: likes snow."])
    deployment.clock.advance(2 * HOUR)
    dying = Dying(getattr(deployment, port), STEPS[port], survived)
    try:
        sweep(deployment.with_(**{port: dying}))
    except Died:
        sweep(deployment)
    deployment.projector.catch_up(OWNER)
    yield end_state(deployment, "ana")
    deployment.close()
