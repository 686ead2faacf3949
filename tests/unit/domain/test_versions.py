"""Chains are a function of the set of their versions: arrival order, batches and repeats change nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from cognis_memory.domain.versions import changed, place
from cognis_memory.models.memory import Memory
from cognis_memory.models.values import Category, Operation

START = datetime(2026, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 12, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def stated(day: int, event: str = "evt_a", position: int = 0, **fields: Any) -> Memory:
    """What was said on that day; `since` is the day that it speaks of."""
    since = fields.pop("since", None)
    identity = f"mem_{day}_{event}_{position}"
    defaults: dict[str, Any] = {
        "id": identity,
        "tenant_id": "t",
        "user_id": "u",
        "event_id": event,
        "position": position,
        "chain_id": identity,
        "content": f"said on day {day}",
        "category": Category.PERSONAL_DETAILS,
        "timestamp": START + day * DAY,
        "event_time": None if since is None else START + since * DAY,
        "valid_from": START + day * DAY,
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Memory(**(defaults | fields))


def grow(*arrivals: Memory) -> tuple[Memory, ...]:
    chain: tuple[Memory, ...] = ()
    for arrival in arrivals:
        chain = place(chain, arrival, now=NOW)
    return chain


def validity(chain: tuple[Memory, ...]) -> list[tuple[int, int | None]]:
    """First and last day of each version."""
    return [
        (
            (version.valid_from - START) // DAY,
            None if version.valid_until is None else (version.valid_until - START) // DAY,
        )
        for version in chain
    ]


def test_the_first_version_begins_the_chain() -> None:
    (only,) = grow(stated(3))

    assert (only.version, only.operation, only.replaces_id) == (1, Operation.ADD, None)
    assert only.chain_id == only.id
    assert only.is_current
    assert validity((only,)) == [(3, None)]


def test_a_later_statement_replaces_an_earlier_one() -> None:
    tokyo, osaka = grow(stated(3), stated(5))

    assert (osaka.version, osaka.operation, osaka.replaces_id) == (2, Operation.UPDATE, tokyo.id)
    assert osaka.chain_id == tokyo.id
    assert (tokyo.is_current, osaka.is_current) == (False, True)
    assert validity((tokyo, osaka)) == [(3, 5), (5, None)]


def test_an_earlier_statement_that_arrives_late_goes_into_the_history() -> None:
    osaka = stated(5)
    chain = grow(osaka, stated(3))

    assert [version.id for version in chain] == ["mem_3_evt_a_0", osaka.id]
    assert [version.chain_id for version in chain] == [osaka.id, osaka.id]
    assert [version.replaces_id for version in chain] == [None, "mem_3_evt_a_0"]
    assert [version.operation for version in chain] == [Operation.ADD, Operation.UPDATE]
    assert [version.is_current for version in chain] == [False, True]


def test_statements_of_one_time_are_in_order_of_event_and_position() -> None:
    chain = grow(stated(3, "evt_b"), stated(3, "evt_a", 1), stated(3, "evt_a", 0))

    assert [version.id for version in chain] == ["mem_3_evt_a_0", "mem_3_evt_a_1", "mem_3_evt_b_0"]
    assert validity(chain) == [(3, 3), (3, 3), (3, None)]


def test_a_retraction_leaves_nothing_current() -> None:
    liked, retracted = grow(stated(3), stated(5, operation=Operation.DELETE))

    assert not liked.is_current
    assert not retracted.is_current
    assert retracted.operation is Operation.DELETE
    assert retracted.replaces_id == liked.id
    assert validity((liked, retracted)) == [(3, 5), (5, None)]


def test_what_is_stated_after_a_retraction_is_added_anew() -> None:
    chain = grow(stated(7), stated(5, operation=Operation.DELETE), stated(3))

    assert [version.operation for version in chain] == [Operation.ADD, Operation.DELETE, Operation.ADD]
    assert [version.is_current for version in chain] == [False, False, True]


@pytest.mark.parametrize(
    ("since", "expected"),
    [
        (None, [(3, 10), (10, None)]),
        (6, [(3, 6), (6, None)]),  # "I moved last week"
        (10, [(3, 10), (10, None)]),
        (3, [(3, 10), (10, None)]),  # no earlier than what it replaces
        (1, [(3, 10), (10, None)]),
        (20, [(3, 10), (10, None)]),  # a plan
    ],
)
def test_a_version_holds_since_its_event_where_that_is_known(since: int | None, expected: list[Any]) -> None:
    assert validity(grow(stated(3), stated(10, since=since))) == expected


def test_the_first_version_holds_since_its_event() -> None:
    assert validity(grow(stated(3, since=-30))) == [(-30, None)]


def test_revisions_count_the_changes_of_each_version() -> None:
    first = place((), stated(3), now=NOW)
    second = place(first, stated(5), now=NOW + DAY)
    third = place(second, stated(7), now=NOW + 2 * DAY)

    assert [version.revision for version in third] == [2, 2, 1]
    assert [version.updated_at for version in third] == [NOW + DAY, NOW + 2 * DAY, NOW + 2 * DAY]
    assert changed(second, third) == third[1:]


def test_versions_of_one_commit_raise_each_revision_once() -> None:
    before = place((), stated(3), now=NOW)
    after = place(before, stated(5), stated(7), now=NOW + DAY)

    assert [version.revision for version in after] == [2, 1, 1]
    assert changed(before, after) == after


def test_a_repeat_changes_nothing() -> None:
    chain = grow(stated(3), stated(5))

    again = place(chain, stated(3), stated(5), now=NOW + DAY)

    assert again == chain
    assert changed(chain, again) == ()


def test_the_first_of_a_repeat_within_one_call_counts() -> None:
    assert place((), stated(3), stated(3, content="said otherwise"), now=NOW) == grow(stated(3))


def test_versions_of_two_owners_or_chains_are_refused() -> None:
    chain = grow(stated(3))
    with pytest.raises(ValueError, match="owners"):
        place(chain, stated(5, user_id="v"), now=NOW)
    with pytest.raises(ValueError, match="chains"):
        place((*chain, *grow(stated(4))), stated(5), now=NOW)


STATEMENTS = st.builds(
    stated,
    st.integers(0, 4),
    st.sampled_from(["evt_a", "evt_b"]),
    st.integers(0, 1),
    since=st.none() | st.integers(-3, 6),
    operation=st.sampled_from([Operation.ADD, Operation.UPDATE, Operation.DELETE]),
)
UNIQUE_STATEMENTS = st.lists(STATEMENTS, min_size=1, max_size=7, unique_by=lambda memory: memory.id)


def without_bookkeeping(chain: tuple[Memory, ...]) -> list[dict[str, Any]]:
    return [version.model_dump(exclude={"chain_id", "revision", "updated_at"}) for version in chain]


def check_chain(chain: tuple[Memory, ...]) -> None:
    assert [version.version for version in chain] == list(range(1, len(chain) + 1))
    assert [version.order for version in chain] == sorted(version.order for version in chain)
    assert len({version.chain_id for version in chain}) == 1
    assert chain[0].replaces_id is None
    for earlier, later in pairwise(chain):
        assert later.replaces_id == earlier.id
        assert later.valid_from == earlier.valid_until
        assert earlier.valid_from <= later.valid_from
        assert not earlier.is_current
    assert all(version.valid_from <= version.timestamp for version in chain)
    assert chain[-1].valid_until is None
    assert chain[-1].is_current is (chain[-1].operation is not Operation.DELETE)


@given(UNIQUE_STATEMENTS, st.data())
def test_any_arrival_with_repeats_gives_the_same_chain(statements: list[Memory], data: st.DataObject) -> None:
    arrivals = data.draw(st.permutations(statements + data.draw(st.lists(st.sampled_from(statements)))))
    chain = grow(*arrivals)

    check_chain(chain)
    assert without_bookkeeping(chain) == without_bookkeeping(grow(*statements))
    assert without_bookkeeping(chain) == without_bookkeeping(place((), *arrivals, now=NOW))
    assert {version.chain_id for version in chain} == {arrivals[0].id}


class Chains(RuleBasedStateMachine):
    """A writer that keeps only what `changed` gave it ends with the whole chain, at the right revisions."""

    def __init__(self) -> None:
        super().__init__()
        self.stored: dict[str, Memory] = {}

    @property
    def chain(self) -> tuple[Memory, ...]:
        return tuple(sorted(self.stored.values(), key=lambda version: version.order))

    @rule(arrivals=st.lists(STATEMENTS, min_size=1, max_size=3))
    def write(self, arrivals: list[Memory]) -> None:
        before = self.chain
        after = place(before, *arrivals, now=NOW)
        for version in changed(before, after):
            stored = self.stored.get(version.id)
            assert version.revision == (stored.revision + 1 if stored else 1)
            self.stored[version.id] = version
        assert self.chain == after

    @invariant()
    def is_one_chain(self) -> None:
        if self.stored:
            check_chain(self.chain)


Chains.TestCase.settings = settings(max_examples=50, stateful_step_count=10, deadline=None)
TestChains = Chains.TestCase
