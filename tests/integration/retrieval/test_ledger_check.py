"""What the index still says and the ledger no longer says is never returned (invariant 5)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from deployment import Deployment, owner_of

from cognis_memory.domain.filters import EVERYTHING
from cognis_memory.models.document import Hit
from cognis_memory.models.values import Owner


class StaleIndex:
    """Answers from what it was when it was made: whatever is written later does not arrive."""

    def __init__(self, index: Any) -> None:
        self._index = index

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)

    def apply(self, owner: Owner, upserts: Sequence[object], deleted: Sequence[str]) -> None:
        """Comes too late."""


@pytest.fixture
def stale(any_deployment: Deployment) -> Deployment:
    """A deployment whose index stays behind once its fixture is made."""
    any_deployment.add(
        "ana", ["My home is Tokyo.", "Note: likes rain.", "What a day."], metadata={"plan": "pro"}
    )
    return any_deployment.with_(index=StaleIndex(any_deployment.index))


def _memories(deployment: Deployment, query: str = "home Tokyo Osaka rain", **options: Any) -> list[str]:
    return deployment.found("ana", query, include_messages=False, **options)


def test_the_index_stays_behind(stale: Deployment) -> None:
    """Without this, the tests below would prove nothing."""
    tokyo = stale.search("ana", "home Tokyo", include_messages=False).results[0]
    stale.delete("ana", tokyo.id)
    owner = owner_of("ana")

    indexed = [hit.id for hit in stale.index.match(owner, "Tokyo", filter=EVERYTHING, limit=10)]
    assert tokyo.id in indexed


def test_deleted(stale: Deployment) -> None:
    tokyo = next(memory for memory in stale.list("ana").memories if "Tokyo" in memory.memory)
    stale.delete("ana", tokyo.id)

    assert _memories(stale) == ["likes rain"]
    assert "My home is Tokyo." not in stale.found("ana", "home Tokyo")


def test_replaced(stale: Deployment) -> None:
    stale.add("ana", "My home is Osaka.")

    assert _memories(stale) == ["likes rain"]
    assert "My home is Tokyo." not in stale.found("ana", "home Tokyo")


def test_retracted(stale: Deployment) -> None:
    stale.add("ana", "Forget my home.")

    assert _memories(stale) == ["likes rain"]


def test_expired(stale: Deployment) -> None:
    rain = next(memory for memory in stale.list("ana").memories if "rain" in memory.memory)
    stale.change("ana", rain.id, expires_at=stale.clock().isoformat())

    assert "likes rain" not in _memories(stale)
    assert "Note: likes rain." not in stale.found("ana", "likes rain")


def test_changed_so_that_a_filter_holds_no_longer(stale: Deployment) -> None:
    rain = next(memory for memory in stale.list("ana").memories if "rain" in memory.memory)
    stale.change("ana", rain.id, category="travel", metadata={"plan": "free"})

    assert "likes rain" not in _memories(stale, filters={"category": {"eq": "preferences"}})
    assert "likes rain" not in _memories(stale, filters={"metadata.plan": {"eq": "pro"}})
    assert "likes rain" in _memories(stale)


def test_erased(stale: Deployment) -> None:
    stale.erase("ana")
    assert stale.found("ana", "home Tokyo likes rain what a day") == []


class ForeignIndex(StaleIndex):
    """Answers every owner with the documents of one."""

    def __init__(self, index: Any, owner: Owner) -> None:
        super().__init__(index)
        self._owner = owner

    def match(self, owner: Owner, query: str, **options: Any) -> list[Hit]:
        hits: list[Hit] = self._index.match(self._owner, query, **options)
        return hits

    def nearest(self, owner: Owner, vector: Any, **options: Any) -> list[Hit]:
        hits: list[Hit] = self._index.nearest(self._owner, vector, **options)
        return hits

    def rescore(self, owner: Owner, vector: Any, ids: Sequence[str]) -> Any:
        return self._index.rescore(self._owner, vector, ids)


def test_another_users(any_deployment: Deployment) -> None:
    any_deployment.add("ana", "My home is Tokyo.")
    any_deployment.add("bob", "My job is baker.")
    mixed = any_deployment.with_(index=ForeignIndex(any_deployment.index, owner_of("ana")))

    assert mixed.found("ana", "home Tokyo")
    assert mixed.found("bob", "home Tokyo") == []


def test_another_contexts(any_deployment: Deployment) -> None:
    """The ledger's scope counts, whatever filter the index applied."""
    any_deployment.add("ana", "My home is Tokyo.", scope="CONTEXT", context_id="chat-1")
    unfiltered = any_deployment.with_(index=_Unfiltered(any_deployment.index))

    assert unfiltered.found("ana", "home Tokyo", context_id="chat-1")
    assert unfiltered.found("ana", "home Tokyo") == []
    assert unfiltered.found("ana", "home Tokyo", context_id="chat-2") == []


class _Unfiltered(StaleIndex):
    def match(self, owner: Owner, query: str, *, filter: Any, limit: int) -> list[Hit]:
        hits: list[Hit] = self._index.match(owner, query, filter=EVERYTHING, limit=limit)
        return hits

    def nearest(self, owner: Owner, vector: Any, *, filter: Any, limit: int) -> list[Hit]:
        hits: list[Hit] = self._index.nearest(owner, vector, filter=EVERYTHING, limit=limit)
        return hits


def test_enough_is_read_beyond_what_the_ledger_refuses(deployment: Deployment) -> None:
    """The best 80 candidates are gone; ten of the others answer."""
    told = [f"Note: green tea variety {n}." for n in range(80)]
    told += [f"Note: tea number {n} without colour." for n in range(20)]
    deployment.add("ana", told)
    stale = deployment.with_(index=StaleIndex(deployment.index))
    memories = [*stale.list("ana", limit=100).memories]
    for memory in memories:
        if "green" in memory.memory:
            stale.change("ana", memory.id, expires_at=stale.clock().isoformat())

    found = _memories(stale, "green tea variety")
    assert len(found) == 10
    assert not any("green" in text for text in found)


def test_expiry_counts_from_its_very_moment(any_deployment: Deployment) -> None:
    expires_at = any_deployment.clock() + timedelta(hours=1)
    any_deployment.add("ana", "My home is Tokyo.", expires_at=expires_at.isoformat())
    any_deployment.clock.advance(timedelta(minutes=59, seconds=59, milliseconds=999))
    assert any_deployment.found("ana", "home Tokyo")

    any_deployment.clock.advance(timedelta(milliseconds=1))
    assert any_deployment.found("ana", "home Tokyo") == []
    assert any_deployment.texts("ana") == []
