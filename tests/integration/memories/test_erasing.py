"""Everything of a user goes, and nothing of anybody else's."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployment import Deployment, owner_of
from engines import describe, open_deployment
from fakes import Failing
from snapshots import end_state

from cognis_memory.errors import ExtractionFailed, NotFound, UserErased
from cognis_memory.models.event import EventStatus
from cognis_memory.services.memories.erasing import erase_user
from cognis_memory.services.payload_keys import owner_prefix
from cognis_memory.services.transfer.files import export_key, upload_key

OWNER = owner_of("ana")


@pytest.fixture
def told(any_deployment: Deployment) -> Deployment:
    for user in ("ana", "bob", "ana2"):
        any_deployment.add(user, ["My home is Tokyo.", "What a day.", "My home is Osaka.", "Forget my home."])
        any_deployment.add(user, "私の趣味は釣りです。", context_id="chat", scope="CONTEXT")
    return any_deployment


def test_everything_goes_and_is_counted(told: Deployment) -> None:
    events = {message.event_id for message in told.ledger.iterate_messages(OWNER)}
    event = told.erase("ana")

    assert event.status is EventStatus.SUCCEEDED
    assert event.user_id == "ana"
    assert {name: event.counts[name] for name in ("memories", "messages", "chains", "events")} == {
        "memories": 4,
        "messages": 5,
        "chains": 2,
        "events": 2,
    }
    ledger = told.ledger
    assert not [*ledger.iterate_memories(OWNER), *ledger.iterate_messages(OWNER)]
    assert ledger.pending_marks(OWNER) == []
    assert not told.index.exists(OWNER)
    assert told.list("ana", include_history=True).memories == []
    assert told.found("ana", "home hobby 釣り day", context_id="chat") == []
    for event_id in events:
        with pytest.raises(NotFound):
            told.event(event_id)
    assert told.event(event.event_id).counts == event.counts


def test_others_stay_whole(told: Deployment) -> None:
    before = [end_state(told, user) for user in ("bob", "ana2")]
    told.erase("ana")

    assert [end_state(told, user) for user in ("bob", "ana2")] == before


def test_payloads_of_waiting_and_failed_events_go_too(any_deployment: Deployment) -> None:
    broken = any_deployment.with_(extractor=Failing(any_deployment.extractor, ExtractionFailed("no")))
    broken.add("ana", "My home is Tokyo.")
    waiting = any_deployment.accept("ana", "My job is baker.")
    kept = any_deployment.accept("bob", "My job is baker.")
    any_deployment.erase("ana")

    with pytest.raises(NotFound):
        any_deployment.payloads.get(f"{owner_prefix(OWNER)}{waiting.event_id}/request.json")
    with pytest.raises(NotFound):
        any_deployment.run(waiting)
    assert any_deployment.run(kept).status is EventStatus.SUCCEEDED


def test_files_of_exports_and_imports_go_and_are_counted(any_deployment: Deployment) -> None:
    any_deployment.add("ana", "My home is Tokyo.")
    kept = export_key(owner_of("bob"), "evt_1")
    for key in (export_key(OWNER, "evt_1"), upload_key(OWNER, "evt_2"), kept):
        any_deployment.files.write(key, [b"My home is Tokyo."])

    assert any_deployment.erase("ana").counts["transfer_files"] == 2
    assert any_deployment.files.count(owner_prefix(OWNER)) == 0
    assert any_deployment.files.find(kept)


def test_a_second_erasure_finds_nothing(any_deployment: Deployment) -> None:
    any_deployment.add("ana", "My home is Tokyo.")
    nothing = dict.fromkeys(any_deployment.erase("ana").counts, 0)

    assert any_deployment.erase("ana").counts == nothing
    assert any_deployment.erase("never seen").counts == nothing


def test_an_erased_user_begins_anew(any_deployment: Deployment) -> None:
    any_deployment.add("ana", "My home is Tokyo.")
    any_deployment.erase("ana")
    event = any_deployment.add("ana", "My home is Osaka.")

    assert event.status is EventStatus.SUCCEEDED
    assert any_deployment.texts("ana", include_history=True) == ["The home is Osaka"]
    assert any_deployment.found("ana", "home", include_messages=False) == ["The home is Osaka"]


def test_nothing_is_taken_in_or_changed_until_an_erasure_has_ended(any_deployment: Deployment) -> None:
    any_deployment.add("ana", "My home is Tokyo.")
    (held,) = any_deployment.list("ana").memories
    asked = any_deployment.request_erasure("ana")
    assert any_deployment.event(asked.event_id).status is EventStatus.PENDING

    with pytest.raises(UserErased, match="once the erasure has ended"):
        any_deployment.accept("ana", "My home is Osaka.")
    with pytest.raises(UserErased):
        any_deployment.change("ana", held.id, content="The home is Osaka")
    with pytest.raises(UserErased):
        any_deployment.delete("ana", held.id)
    assert any_deployment.add("bob", "My home is Nara.").status is EventStatus.SUCCEEDED

    erase_user(any_deployment.memories, asked)
    assert any_deployment.add("ana", "My home is Kobe.").status is EventStatus.SUCCEEDED
    assert any_deployment.texts("ana", include_history=True) == ["The home is Kobe"]


def test_a_search_during_an_erasure_brings_no_index_back(any_deployment: Deployment) -> None:
    """The ledger may still hold what an index that is missing would be restored from."""
    any_deployment.add("ana", ["My home is Tokyo.", "What a day."])
    asked = any_deployment.request_erasure("ana")
    any_deployment.index.drop(OWNER)
    any_deployment.found("ana", "home")
    any_deployment.projector.rebuild(OWNER)
    assert not any_deployment.index.exists(OWNER)

    erase_user(any_deployment.memories, asked)
    assert not any(any_deployment.index.holdings(OWNER).values())


def test_more_than_one_batch(deployment: Deployment) -> None:
    deployment.add("ana", [" ".join(f"Note: thing {m} {n}." for n in range(20)) for m in range(10)])
    event = deployment.erase("ana")

    assert event.counts["memories"] == 200
    assert not [*deployment.ledger.iterate_memories(OWNER)]


def test_no_file_names_the_user_or_holds_the_words(tmp_path: Path) -> None:
    user = "quokka@zanzibar.example"
    deployment = open_deployment(describe(tmp_path))
    deployment.add(user, ["My pet is zanzibarquokka.", "What a day."], metadata={"note": "zanzibarquokka"})
    deployment.accept(user, "My pet is zanzibarquokka.")
    deployment.add("bob", "My home is Nara.")
    deployment.erase(user)

    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files
    assert not [file.name for file in files if b"zanzibarquokka" in file.read_bytes().lower()]
    assert not [file for file in files if "quokka" in str(file.relative_to(tmp_path))]
    deployment.close()
