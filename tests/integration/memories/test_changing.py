"""Changes by hand: new content makes a new version, anything else changes in place."""

from __future__ import annotations

from datetime import timedelta

import pytest
from deployment import Deployment, owner_of
from interruptions import Intrusion, watched

from cognis_memory.errors import InvalidInput, NotFound, RevisionConflict
from cognis_memory.models.answers import MemoryAnswer
from cognis_memory.models.values import Category, Operation


@pytest.fixture
def home(any_deployment: Deployment) -> MemoryAnswer:
    any_deployment.add("ana", {"role": "user", "content": "Hi! My home is Tokyo.", "speaker": "Ana"})
    any_deployment.clock.advance(timedelta(minutes=1))
    return any_deployment.list("ana").memories[0]


def test_new_content_is_a_new_version(any_deployment: Deployment, home: MemoryAnswer) -> None:
    changed = any_deployment.change("ana", home.id, content="Ana lives in Kobe", metadata={"by": "hand"})

    assert changed.id != home.id
    assert (changed.memory, changed.version, changed.replaces_id) == ("Ana lives in Kobe", 2, home.id)
    assert (changed.is_current, changed.metadata) == (True, {"by": "hand"})
    assert (changed.category, changed.speaker) == (home.category, "Ana")
    assert any_deployment.get("ana", changed.id) == changed
    assert any_deployment.texts("ana") == ["Ana lives in Kobe"]
    history = any_deployment.history("ana", home.id).history
    assert [version.operation for version in history] == [Operation.ADD, Operation.UPDATE]
    assert history[0].valid_until == history[1].valid_from == any_deployment.clock()


def test_new_content_is_found_at_once_and_the_old_no_longer(
    any_deployment: Deployment, home: MemoryAnswer
) -> None:
    any_deployment.change("ana", home.id, content="Ana lives in Kobe")

    assert any_deployment.found("ana", "who lives in Kobe") == ["Ana lives in Kobe"]
    assert any_deployment.found("ana", "home Tokyo") == []


def test_anything_else_changes_in_place(any_deployment: Deployment, home: MemoryAnswer) -> None:
    expires_at = any_deployment.clock() + timedelta(days=1)
    changed = any_deployment.change(
        "ana", home.id, category="travel", metadata={"plan": "pro"}, expires_at=expires_at.isoformat()
    )

    assert (changed.id, changed.memory, changed.version) == (home.id, home.memory, 1)
    assert (changed.category, changed.metadata) == (Category.TRAVEL, {"plan": "pro"})
    assert changed.expires_at == expires_at
    assert changed.updated_at == any_deployment.clock()
    assert changed.created_at == home.created_at
    assert any_deployment.get("ana", home.id) == changed
    travel = {"filters": {"category": {"eq": "travel"}}, "include_messages": False}
    assert any_deployment.found("ana", "home Tokyo", **travel) == ["The home is Tokyo"]


def test_what_is_left_out_stays_and_null_ends_an_expiry(deployment: Deployment) -> None:
    deployment.add("ana", "My home is Tokyo.", metadata={"plan": "pro"}, expires_at="2027-01-01T00:00:00Z")
    home = deployment.list("ana").memories[0]
    changed = deployment.change("ana", home.id, category="travel")
    assert (changed.metadata, changed.expires_at) == ({"plan": "pro"}, home.expires_at)

    assert deployment.change("ana", home.id, expires_at=None).expires_at is None
    assert deployment.change("ana", home.id, metadata={}).metadata == {}


def test_the_same_content_is_no_new_version(deployment: Deployment) -> None:
    home = deployment.add("ana", "My home is Tokyo.").operations[0].memory_id
    changed = deployment.change("ana", home, content="The home is Tokyo", category="travel")

    assert (changed.id, changed.version, changed.category) == (home, 1, Category.TRAVEL)


def test_if_version_guards_against_another_writer(any_deployment: Deployment, home: MemoryAnswer) -> None:
    with pytest.raises(RevisionConflict):
        any_deployment.change("ana", home.id, category="travel", if_version=2)
    changed = any_deployment.change("ana", home.id, content="Ana lives in Kobe", if_version=1)
    with pytest.raises(RevisionConflict):
        any_deployment.change("ana", changed.id, content="Ana lives in Nara", if_version=1)

    assert any_deployment.texts("ana") == ["Ana lives in Kobe"]


def test_only_the_current_version_takes_new_content(any_deployment: Deployment, home: MemoryAnswer) -> None:
    any_deployment.change("ana", home.id, content="Ana lives in Kobe")

    with pytest.raises(RevisionConflict):
        any_deployment.change("ana", home.id, content="Ana lives in Nara")


@pytest.mark.parametrize("patch", [{"content": "Ana lives in Kobe"}, {"category": "travel"}])
def test_of_two_changes_at_once_one_is_refused(
    any_deployment: Deployment, home: MemoryAnswer, patch: dict[str, str]
) -> None:
    """The other comes between reading and writing."""

    class Late:
        def __getattr__(self, name: str) -> object:
            if name == "commit" and not done:
                done.append(any_deployment.change("ana", home.id, **patch))
            return getattr(any_deployment.ledger, name)

    done: list[MemoryAnswer] = []
    with pytest.raises(RevisionConflict):
        any_deployment.with_(ledger=Late()).change("ana", home.id, **patch)

    assert len(any_deployment.history("ana", home.id).history) == (2 if "content" in patch else 1)


def test_an_ingestion_that_meets_a_change_goes_on(any_deployment: Deployment, home: MemoryAnswer) -> None:
    """Its fact was told before the change was made: it goes into the history."""
    change = Intrusion("extract", lambda: any_deployment.change("ana", home.id, content="Ana lives in Kobe"))
    state = any_deployment.accept("ana", "My home is Osaka.")
    any_deployment.clock.advance(timedelta(seconds=1))
    watched(any_deployment, change).run(state)

    assert any_deployment.texts("ana") == ["Ana lives in Kobe"]
    assert [version.memory for version in any_deployment.history("ana", home.id).history] == [
        "The home is Tokyo",
        "The home is Osaka",
        "Ana lives in Kobe",
    ]


def test_a_fact_told_after_a_change_goes_on_top_of_it(any_deployment: Deployment, home: MemoryAnswer) -> None:
    any_deployment.change("ana", home.id, content="Ana lives in Kobe")
    any_deployment.clock.advance(timedelta(minutes=1))
    any_deployment.add("ana", "My home is Osaka.")

    assert any_deployment.texts("ana") == ["The home is Osaka"]


def test_a_changed_memory_keeps_its_slot(deployment: Deployment) -> None:
    home = deployment.add("ana", "My home is Tokyo.").operations[0].memory_id
    deployment.change("ana", home, content="The home is Kobe")
    deployment.clock.advance(timedelta(minutes=1))
    event = deployment.add("ana", "My home is Kobe.")

    assert event.operations[0].operation is Operation.NONE


@pytest.mark.parametrize("patch", [{}, {"if_version": 1}])
def test_a_patch_with_nothing_to_change_is_refused(deployment: Deployment, patch: dict[str, int]) -> None:
    home = deployment.add("ana", "My home is Tokyo.").operations[0].memory_id
    with pytest.raises(InvalidInput, match="nothing to change; give one of content, category"):
        deployment.change("ana", home, **patch)


@pytest.mark.parametrize(
    ("patch", "field"),
    [
        ({"content": "  "}, "content"),
        ({"category": "cooking"}, "category"),
        ({"metadata": {"k": None}}, "metadata.k"),
        ({"expires_at": 5}, "expires_at"),
        ({"if_version": 0}, "if_version"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_faulty_patches_name_their_field(
    deployment: Deployment, patch: dict[str, object], field: str
) -> None:
    home = deployment.add("ana", "My home is Tokyo.").operations[0].memory_id
    with pytest.raises(InvalidInput) as refused:
        deployment.change("ana", home, **patch)

    assert any(fault.field.startswith(field) for fault in refused.value.errors)


def test_a_deleted_memory_cannot_be_changed(any_deployment: Deployment, home: MemoryAnswer) -> None:
    any_deployment.delete("ana", home.id)

    with pytest.raises(NotFound):
        any_deployment.change("ana", home.id, category="travel")
    assert any_deployment.ledger.pending_marks(owner_of("ana")) == []
