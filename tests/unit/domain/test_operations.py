"""What each operation does to a chain, and that a chain ends as the order of time would have it end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from cognis_memory.domain.operations import Outcome, carry_out
from cognis_memory.domain.versions import MAX_REPEATS, changed
from cognis_memory.models.memory import Memory
from cognis_memory.models.values import Category, Operation

START = datetime(2026, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 12, 1, tzinfo=UTC)
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Said:
    """One statement about the thing: a value, or None for its end; `told` ends are facts of their own.

    `since` is the day that it speaks of, where it names one.
    """

    day: int
    event: str
    position: int
    value: str | None
    told: bool = False
    since: int | None = None

    @property
    def order(self) -> tuple[int, str, int]:
        return (self.day, self.event, self.position)

    @property
    def told_end(self) -> bool:
        return self.value is None and self.told


def statement(said: Said, chain: tuple[Memory, ...] = ()) -> Memory:
    identity = f"mem_{said.day}_{said.event}_{said.position}"
    return Memory(
        id=identity,
        tenant_id="t",
        user_id="u",
        event_id=said.event,
        position=said.position,
        chain_id=chain[0].chain_id if chain else identity,
        content=said.value or "ended",
        category=Category.PERSONAL_DETAILS,
        timestamp=START + said.day * DAY,
        event_time=None if said.since is None else START + said.since * DAY,
        retracts=said.told_end,
        valid_from=START + said.day * DAY,
        source_messages=(f"msg_{said.day}_{said.event}_{said.position}",),
        created_at=NOW,
        updated_at=NOW,
    )


def carried_out(
    operation: Operation, said: Said, chain: tuple[Memory, ...] = (), target: str | None = None
) -> Outcome:
    return carry_out(operation, statement(said, chain), chain, target, now=NOW)


def stated(day: int, value: str) -> Said:
    return Said(day, "evt_a", 0, value)


def ended(day: int, *, told: bool = True) -> Said:
    return Said(day, "evt_a", 0, None, told)


def began(said: Said, operation: Operation = Operation.ADD) -> tuple[Memory, ...]:
    return carried_out(operation, said).chain


def shown(chain: tuple[Memory, ...]) -> list[tuple[str, Operation, bool]]:
    return [(version.content, version.operation, version.is_current) for version in chain]


def test_an_add_begins_a_chain() -> None:
    outcome = carried_out(Operation.ADD, stated(3, "Tokyo"))

    assert shown(outcome.chain) == [("Tokyo", Operation.ADD, True)]
    assert (outcome.operation, outcome.memory_id) == (Operation.ADD, outcome.chain[0].id)


def test_an_update_of_what_is_gone_is_an_add() -> None:
    outcome = carried_out(Operation.UPDATE, stated(3, "Tokyo"), target="mem_erased")

    assert (shown(outcome.chain), outcome.operation) == ([("Tokyo", Operation.ADD, True)], Operation.ADD)


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (Operation.DELETE, ended(3)),
        (Operation.DELETE, ended(3, told=False)),
        (Operation.NONE, stated(3, "x")),
    ],
)
def test_nothing_comes_of_ending_or_repeating_what_is_gone(operation: Operation, said: Said) -> None:
    outcome = carried_out(operation, said, target="mem_erased")

    assert outcome == Outcome((), Operation.NONE, "mem_erased")


def test_a_deletion_without_a_target_is_a_tombstone() -> None:
    outcome = carried_out(Operation.DELETE, ended(3, told=False))

    assert shown(outcome.chain) == [("ended", Operation.DELETE, False)]
    assert (outcome.operation, outcome.memory_id) == (Operation.DELETE, outcome.chain[0].id)
    assert outcome.chain[0].valid_from == START + 3 * DAY


def test_what_was_so_before_a_tombstone_is_history() -> None:
    tombstone = began(ended(5, told=False), Operation.DELETE)
    outcome = carried_out(Operation.UPDATE, stated(3, "Tokyo"), tombstone, tombstone[0].id)

    assert shown(outcome.chain) == [("Tokyo", Operation.ADD, False), ("ended", Operation.DELETE, False)]
    assert outcome.operation is Operation.ADD


def test_what_is_so_after_a_tombstone_is_current() -> None:
    tombstone = began(ended(5, told=False), Operation.DELETE)
    outcome = carried_out(Operation.UPDATE, stated(7, "Tokyo"), tombstone, tombstone[0].id)

    assert shown(outcome.chain) == [("ended", Operation.DELETE, False), ("Tokyo", Operation.ADD, True)]
    assert (outcome.operation, outcome.replaces_id) == (Operation.ADD, tombstone[0].id)


def test_an_end_is_told_as_a_fact_until_what_it_ended_is_known() -> None:
    end = began(ended(5))
    assert shown(end) == [("ended", Operation.ADD, True)]

    outcome = carried_out(Operation.UPDATE, stated(3, "Tokyo"), end, end[0].id)
    assert shown(outcome.chain) == [("Tokyo", Operation.ADD, False), ("ended", Operation.DELETE, False)]


def test_a_retraction_names_what_it_retracts() -> None:
    chain = began(stated(3, "Tokyo"))
    outcome = carried_out(Operation.DELETE, ended(5), chain, chain[0].id)

    assert shown(outcome.chain) == [("Tokyo", Operation.ADD, False), ("ended", Operation.DELETE, False)]
    assert (outcome.operation, outcome.memory_id) == (Operation.DELETE, chain[0].id)


def test_a_repeat_is_no_version() -> None:
    chain = began(stated(3, "Tokyo"))
    outcome = carried_out(Operation.NONE, stated(5, "Tokyo"), chain, chain[0].id)

    assert (outcome.operation, outcome.memory_id) == (Operation.NONE, chain[0].id)
    (version,) = outcome.chain
    assert version.source_messages == ("msg_3_evt_a_0", "msg_5_evt_a_0")
    assert version.revision == 2


@pytest.mark.parametrize("days", [(3, 5), (5, 3)])
@pytest.mark.parametrize(
    ("ends", "expected"), [((9, None), None), ((None, 9), None), ((9, 12), 12), ((12, 9), 12)]
)
def test_a_version_lasts_as_long_as_the_last_of_its_statements(
    days: tuple[int, int], ends: tuple[int | None, int | None], expected: int | None
) -> None:
    chain: tuple[Memory, ...] = ()
    for day, end in zip(days, ends, strict=True):
        expires_at = None if end is None else START + end * DAY
        said = statement(stated(day, "Tokyo"), chain).model_copy(update={"expires_at": expires_at})
        operation, target = (Operation.NONE, chain[0].id) if chain else (Operation.ADD, None)
        chain = carry_out(operation, said, chain, target, now=NOW).chain

    assert [version.expires_at for version in chain] == [None if expected is None else START + expected * DAY]


def test_a_repeat_outlives_what_is_told_late_of_the_time_before_it() -> None:
    osaka = began(stated(3, "Osaka"))
    again = carried_out(Operation.NONE, stated(7, "Osaka"), osaka, osaka[0].id).chain
    outcome = carried_out(Operation.UPDATE, stated(5, "Kyoto"), again, osaka[0].id)

    assert shown(outcome.chain) == [
        ("Osaka", Operation.ADD, False),
        ("Kyoto", Operation.UPDATE, False),
        ("Osaka", Operation.UPDATE, True),
    ]
    assert outcome.chain[2].id == "mem_7_evt_a_0"
    assert outcome.chain[2].source_messages == ("msg_7_evt_a_0",)


def test_a_repeat_told_late_says_since_when_it_was_so() -> None:
    osaka = began(stated(7, "Osaka"))
    outcome = carried_out(Operation.NONE, stated(3, "Osaka"), osaka, osaka[0].id)

    (version,) = outcome.chain
    assert (outcome.operation, outcome.memory_id) == (Operation.NONE, version.id)
    assert (version.valid_from, version.timestamp) == (START + 3 * DAY, START + 7 * DAY)
    assert (version.first_stated, version.last_stated) == (START + 3 * DAY, START + 7 * DAY)


def test_a_repeat_told_late_is_a_version_before_what_was_said_in_between() -> None:
    chain = began(stated(7, "Osaka"))
    chain = carried_out(Operation.UPDATE, stated(5, "Kyoto"), chain, chain[0].id).chain
    said = statement(stated(3, "Osaka"), chain).model_copy(update={"content": "still Osaka"})
    outcome = carry_out(Operation.NONE, said, chain, "mem_7_evt_a_0", now=NOW)

    assert shown(outcome.chain) == [
        ("still Osaka", Operation.ADD, False),
        ("Kyoto", Operation.UPDATE, False),
        ("Osaka", Operation.UPDATE, True),
    ]


def test_of_many_repeats_the_first_and_the_latest_are_kept() -> None:
    chain = began(stated(20, "Osaka"))
    days = [day for day in range(MAX_REPEATS + 30) if day != 20]
    for day in days[::-1]:
        chain = carried_out(Operation.NONE, stated(day, "Osaka"), chain, chain[0].id).chain

    (version,) = chain
    kept = [(repeat.timestamp - START) // DAY for repeat in version.repeats]
    assert kept == [0, *days[1 - MAX_REPEATS :]]
    assert version.valid_from == START


def test_versions_made_by_hand_stay_versions() -> None:
    chain: tuple[Memory, ...] = ()
    for day in (5, 9):
        by_hand = statement(stated(day, "Nara"), chain).model_copy(update={"source_messages": ()})
        chain = carry_out(Operation.UPDATE, by_hand, chain, by_hand.chain_id, now=NOW).chain
    for day in (3, 7, 11):
        chain = carried_out(Operation.UPDATE, stated(day, "Nara"), chain, chain[0].id).chain

    assert [version.id for version in chain] == ["mem_5_evt_a_0", "mem_9_evt_a_0"]
    assert [[repeat.id for repeat in version.repeats] for version in chain] == [
        ["mem_3_evt_a_0", "mem_7_evt_a_0"],
        ["mem_11_evt_a_0"],
    ]


def test_what_lapsed_holds_no_longer_than_it_says() -> None:
    lapsed = statement(stated(9, "Acme")).model_copy(
        update={"event_time": START - 400 * DAY, "event_end": START - 100 * DAY, "lapses": True}
    )
    (version,) = carry_out(Operation.ADD, lapsed, (), None, now=NOW).chain

    assert (version.valid_from, version.valid_until) == (START - 400 * DAY, START - 100 * DAY)
    assert version.is_current


# Any order of arrival


SAID = st.builds(
    Said,
    st.integers(0, 6),
    st.sampled_from(["evt_a", "evt_b", "evt_c"]),
    st.integers(0, 1),
    st.sampled_from(["Tokyo", "Osaka", "Kyoto", None]),
    st.booleans(),
    st.none() | st.integers(-2, 8),
)


def replay(said: list[Said]) -> list[tuple[int, str | None]]:
    """From which day on what is shown, None for nothing: all that was said, taken in the order of time."""
    heard: list[tuple[int, str]] = []
    shown: list[tuple[int, str | None]] = []
    for one in sorted(said, key=lambda each: each.order):
        meaning = one.value or ("told" if one.told else "hidden")
        if heard and heard[-1][1] == meaning:
            continue
        earliest = heard[-1][0] + 1 if heard else -100
        since = one.since if one.since is not None and earliest <= one.since <= one.day else one.day
        ends_nothing = all(before == "told" for _, before in heard)
        shown.append((since, one.value or ("ended" if one.told and ends_nothing else None)))
        heard.append((since, meaning))
    return shown


def held(chain: tuple[Memory, ...]) -> list[tuple[int, str | None]]:
    return [
        (
            (version.valid_from - START) // DAY,
            None if version.operation is Operation.DELETE else version.content,
        )
        for version in chain
    ]


class Arrivals(RuleBasedStateMachine):
    """Statements about one thing arrive in any order, some of them again.

    Each comes with an operation and a target that an extractor may answer, seeing the chain as it is by then;
    the writer keeps what `changed` tells it to.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stored: dict[str, Memory] = {}
        self.arrived: dict[tuple[int, str, int], tuple[Said, Operation, str | None]] = {}

    @property
    def chain(self) -> tuple[Memory, ...]:
        return tuple(sorted(self.stored.values(), key=lambda version: version.order))

    @rule(said=SAID, data=st.data())
    def arrive(self, said: Said, data: st.DataObject) -> None:
        if said.order in self.arrived:
            return
        if not self.chain:
            hidden = said.value is None and not said.told
            operation, target = (Operation.DELETE if hidden else Operation.ADD), None
        else:
            operation, target = data.draw(st.sampled_from(self._answers(said)))
        self.arrived[said.order] = (said, operation, target)
        self._write(said, operation, target)

    def _answers(self, said: Said) -> list[tuple[Operation, str]]:
        changes = Operation.UPDATE if said.value else Operation.DELETE
        alike = (said.value or "ended", said.told_end)
        same = [version.id for version in self.chain if (version.content, version.retracts) == alike]
        return [(changes, v.id) for v in self.chain] + [(Operation.NONE, target) for target in same]

    @rule(data=st.data())
    def arrive_again(self, data: st.DataObject) -> None:
        if not self.arrived:
            return
        said, operation, target = data.draw(st.sampled_from(sorted(self.arrived.values(), key=repr)))
        if target is None:
            return  # a chain is begun once: what begins it again finds its version and is refused
        before = self.chain
        self._write(said, operation, target)
        assert self.chain == before

    def _write(self, said: Said, operation: Operation, target: str | None) -> None:
        before = self.chain
        outcome = carry_out(operation, statement(said, before), before, target, now=NOW)
        for version in changed(before, outcome.chain):
            known = self.stored.get(version.id)
            assert version.revision == (known.revision + 1 if known else 1)
            self.stored[version.id] = version
        assert self.chain == outcome.chain

    @invariant()
    def is_one_chain_in_the_order_of_time(self) -> None:
        chain = self.chain
        assert sum(version.is_current for version in chain) <= 1
        assert len({version.chain_id for version in chain}) <= 1
        assert [version.version for version in chain] == list(range(1, len(chain) + 1))
        assert [version.replaces_id for version in chain] == [None, *(v.id for v in chain)][: len(chain)]
        for earlier, later in pairwise(chain):
            assert earlier.valid_until == later.valid_from
            assert (earlier.content, earlier.retracts) != (later.content, later.retracts)
        statements = [version.id for version in chain] + [r.id for v in chain for r in v.repeats]
        assert len(statements) == len(set(statements)) == len(self.arrived)

    @invariant()
    def ends_as_the_order_of_time_would(self) -> None:
        said = [each for each, _, _ in self.arrived.values()]
        assert held(self.chain) == replay(said)
        if self.chain:
            last = self.chain[-1]
            assert last.valid_until is None
            assert last.is_current is (last.operation is not Operation.DELETE)


Arrivals.TestCase.settings = settings(max_examples=100, stateful_step_count=12, deadline=None)
TestArrivals = Arrivals.TestCase
