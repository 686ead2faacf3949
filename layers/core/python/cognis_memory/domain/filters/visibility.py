"""Which of a user's documents a search may see, before anything the caller filters on."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from cognis_memory.domain.filters.syntax import EVERYTHING, And, Comparator, Comparison, Filter, Or
from cognis_memory.errors import FieldError, InvalidInput
from cognis_memory.models.values import Kind, Scope


def visible(
    *,
    now: datetime,
    context_id: str | None = None,
    scope: Scope | None = None,
    kinds: Collection[Kind] = tuple(Kind),
    as_of: datetime | None = None,
    include_history: bool = False,
) -> Filter:
    """The filter that every search starts with.

    Seen is what has not expired at `now`, is of one of the `kinds`, and is in scope: `scope` None is USER and
    the CONTEXT of `context_id`, USER all of that scope, CONTEXT that of `context_id` alone. Of the memories,
    only current ones; with `include_history` every version; with `as_of` the version that was valid then,
    whatever `include_history` says. Of the messages, all; with `as_of` those written by then. Never a
    retraction: an index holds these without a category.

    Raises InvalidInput for scope CONTEXT without a context.
    """
    conditions = {
        Kind.MEMORY: _memory_valid(as_of, include_history),
        Kind.MESSAGE: EVERYTHING if as_of is None else Comparison("timestamp", Comparator.LTE, as_of),
    }
    return And((_in_scope(scope, context_id), _lasts_beyond("expires_at", now), _of_kinds(conditions, kinds)))


def known_at(moment: datetime, *, now: datetime, scope: Scope, context_id: str | None) -> Filter:
    """The filter that finds, in one scope, the memories that are current or were true at that moment."""
    true_then = _memory_valid(moment, include_history=False)
    current = _memory_valid(None, include_history=False)
    return _memories(Or((current, true_then)), now=now, scope=scope, context_id=context_id)


def ended_since(moment: datetime, *, now: datetime, scope: Scope, context_id: str | None) -> Filter:
    """The filter that finds, in one scope, the retractions that are the last words of their chains.

    And whatever else is not current and was stated after that moment: there may be retractions among it.
    """
    standing = And(
        (
            Comparison("category", Comparator.EXISTS, False),
            Comparison("valid_until", Comparator.EXISTS, False),
        )
    )
    later = And(
        (
            Comparison("is_current", Comparator.EQ, False),
            Comparison("timestamp", Comparator.GT, moment),
        )
    )
    return _memories(Or((standing, later)), now=now, scope=scope, context_id=context_id)


def _memories(condition: Filter, *, now: datetime, scope: Scope, context_id: str | None) -> Filter:
    among = {Kind.MEMORY: condition}
    return And(
        (_in_scope(scope, context_id), _lasts_beyond("expires_at", now), _of_kinds(among, [Kind.MEMORY]))
    )


def _in_scope(scope: Scope | None, context_id: str | None) -> Filter:
    user = Comparison("scope", Comparator.EQ, Scope.USER.value)
    if scope is Scope.USER or (scope is None and context_id is None):
        return user
    if context_id is None:
        raise InvalidInput(
            "scope CONTEXT requires context_id",
            [FieldError("context_id", "name the context to search, or leave out the scope")],
        )
    context = And(
        (
            Comparison("scope", Comparator.EQ, Scope.CONTEXT.value),
            Comparison("context_id", Comparator.EQ, context_id),
        )
    )
    return context if scope is Scope.CONTEXT else Or((user, context))


def _lasts_beyond(field: str, moment: datetime) -> Filter:
    """Whether the exclusive end in that field is open or later than the moment."""
    return Or((Comparison(field, Comparator.EXISTS, False), Comparison(field, Comparator.GT, moment)))


def _memory_valid(as_of: datetime | None, include_history: bool) -> Filter:
    if as_of is None and not include_history:
        return Comparison("is_current", Comparator.EQ, True)
    stated = Comparison("category", Comparator.EXISTS, True)
    if as_of is None:
        return stated
    begun = Comparison("valid_from", Comparator.LTE, as_of)
    return And((stated, begun, _lasts_beyond("valid_until", as_of)))


def _of_kinds(conditions: dict[Kind, Filter], kinds: Collection[Kind]) -> Filter:
    return Or(
        tuple(
            And((Comparison("kind", Comparator.EQ, kind.value), condition))
            for kind, condition in conditions.items()
            if kind in kinds
        )
    )
