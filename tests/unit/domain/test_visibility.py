"""What a search may see before any filter of the caller."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from cognis_memory.domain.filters import ended_since, known_at, matches, visible
from cognis_memory.errors import InvalidInput
from cognis_memory.models.document import IndexDocument
from cognis_memory.models.values import Category, Kind, Scope

NOW = datetime(2026, 7, 15, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def document(**fields: Any) -> IndexDocument:
    defaults: dict[str, Any] = {
        "id": "mem_1",
        "kind": Kind.MEMORY,
        "text": "Ana lives in Osaka",
        "vector": np.zeros(768, np.float32),
        "revision": 1,
        "category": Category.PERSONAL_DETAILS,
        "timestamp": NOW - DAY,
        "created_at": NOW - DAY,
        "valid_from": NOW - DAY,
    }
    return IndexDocument(**(defaults | fields))


def seen(search: dict[str, Any], **fields: Any) -> bool:
    return matches(visible(now=NOW, **search), document(**fields))


@pytest.mark.parametrize(
    ("search", "user", "here", "elsewhere"),
    [
        ({}, True, False, False),
        ({"context_id": "here"}, True, True, False),
        ({"scope": Scope.USER}, True, False, False),
        ({"scope": Scope.USER, "context_id": "here"}, True, False, False),
        ({"scope": Scope.CONTEXT, "context_id": "here"}, False, True, False),
    ],
)
def test_scope(search: dict[str, Any], user: bool, here: bool, elsewhere: bool) -> None:
    assert seen(search) is user
    assert seen(search, scope=Scope.CONTEXT, context_id="here") is here
    assert seen(search, scope=Scope.CONTEXT, context_id="elsewhere") is elsewhere


def test_the_context_of_a_user_memory_only_describes_it() -> None:
    assert seen({"context_id": "here"}, context_id="elsewhere")
    assert not seen({"scope": Scope.CONTEXT, "context_id": "here"}, context_id="here")


def test_scope_context_needs_a_context() -> None:
    with pytest.raises(InvalidInput) as refusal:
        visible(now=NOW, scope=Scope.CONTEXT)
    assert [error.field for error in refusal.value.errors] == ["context_id"]


@pytest.mark.parametrize("kind", Kind)
def test_what_has_expired_is_not_seen(kind: Kind) -> None:
    assert seen({}, kind=kind, expires_at=NOW + DAY)
    assert not seen({}, kind=kind, expires_at=NOW)
    assert not seen({"as_of": NOW - DAY, "include_history": True}, kind=kind, expires_at=NOW)


def test_only_current_memories_are_seen_unless_history_is_asked_for() -> None:
    assert not seen({}, is_current=False, valid_until=NOW)
    assert seen({"include_history": True}, is_current=False, valid_until=NOW)


def test_as_of_sees_what_was_valid_then() -> None:
    past: dict[str, Any] = {
        "is_current": False,
        "timestamp": NOW,  # known only now
        "valid_from": NOW - 3 * DAY,
        "valid_until": NOW - DAY,
    }
    assert not seen({"as_of": NOW - 4 * DAY}, **past)
    assert seen({"as_of": NOW - 3 * DAY}, **past)
    assert not seen({"as_of": NOW - DAY}, **past)
    assert not seen({"as_of": NOW - DAY, "include_history": True}, **past)


def test_as_of_sees_the_messages_written_by_then() -> None:
    message: dict[str, Any] = {"kind": Kind.MESSAGE, "timestamp": NOW - DAY, "valid_until": NOW - DAY}
    assert seen({"as_of": NOW - DAY}, **message)
    assert not seen({"as_of": NOW - 2 * DAY}, **message)


def test_kinds() -> None:
    assert seen({}, kind=Kind.MESSAGE, is_current=False)
    assert not seen({"kinds": [Kind.MEMORY]}, kind=Kind.MESSAGE)
    assert seen({"kinds": [Kind.MEMORY]})
    assert not seen({"kinds": [Kind.MESSAGE]})
    assert not seen({"kinds": []})


def test_a_retraction_is_never_seen() -> None:
    for search in ({}, {"include_history": True}, {"as_of": NOW}):
        assert not seen(search, category=None, is_current=False)


def test_what_ended_is_found_while_it_stands_and_what_is_later_than_a_moment_besides() -> None:
    found = ended_since(NOW - DAY, now=NOW, scope=Scope.USER, context_id=None)

    assert matches(found, document(category=None, is_current=False))
    assert not matches(found, document(category=None, is_current=False, valid_until=NOW))
    assert matches(found, document(is_current=False, valid_until=NOW, timestamp=NOW))
    assert not matches(found, document(category=None, is_current=False, kind=Kind.MESSAGE))
    assert not matches(found, document(category=None, is_current=False, expires_at=NOW))
    assert not matches(found, document(timestamp=NOW))


def test_what_was_known_at_a_moment_is_what_was_true_then_and_what_is_current() -> None:
    known = known_at(NOW - 2 * DAY, now=NOW, scope=Scope.CONTEXT, context_id="here")
    here: dict[str, Any] = {"scope": Scope.CONTEXT, "context_id": "here"}

    assert matches(known, document(**here))
    assert matches(known, document(**here, is_current=False, valid_from=NOW - 3 * DAY, valid_until=NOW - DAY))
    assert not matches(known, document(**here, is_current=False, valid_until=NOW))
    assert not matches(known, document(**here, kind=Kind.MESSAGE))
    assert not matches(known, document())
