"""Results that share evidence are put in another order; none is lost or doubled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from cognis_memory.models.memory import Memory
from cognis_memory.models.message import Message
from cognis_memory.models.values import Category, Role
from cognis_memory.services.retrieval.evidence import demote_covered, lift_neighbours
from cognis_memory.services.retrieval.ranking import Ranked, by_strength

NOW = datetime(2026, 7, 15, tzinfo=UTC)


def _message(number: int, strength: float, preceding: Sequence[int] = ()) -> Ranked:
    message = Message(
        id=f"msg_{number}",
        tenant_id="acme",
        user_id="ana",
        event_id="evt_1",
        position=number,
        role=Role.USER,
        speaker="Ana",
        content=f"Turn {number}.",
        timestamp=NOW,
        preceding=tuple(f"msg_{before}" for before in preceding),
        created_at=NOW,
    )
    return Ranked(message, {}, strength, strength, probability=strength)


def _memory(number: int, strength: float, sources: Sequence[int] = ()) -> Ranked:
    memory = Memory(
        id=f"mem_{number}",
        tenant_id="acme",
        user_id="ana",
        event_id="evt_1",
        position=number,
        chain_id=f"mem_{number}",
        content=f"Fact {number}",
        category=Category.TRAVEL,
        timestamp=NOW,
        valid_from=NOW,
        source_messages=tuple(f"msg_{source}" for source in sources),
        created_at=NOW,
        updated_at=NOW,
    )
    return Ranked(memory, {}, strength, strength, probability=strength)


NUMBERS = st.integers(0, 5)
STRENGTHS = st.floats(0, 1)
RANKED = st.lists(
    st.builds(_message, NUMBERS, STRENGTHS, st.lists(NUMBERS, max_size=2))
    | st.builds(_memory, NUMBERS, STRENGTHS, st.lists(NUMBERS, max_size=3)),
    unique_by=lambda candidate: candidate.id,
).map(by_strength)


def _ids(ranked: Sequence[Ranked]) -> list[str]:
    return [candidate.id for candidate in ranked]


@given(RANKED, STRENGTHS)
def test_repeats_step_back_and_nothing_is_lost_or_doubled(ranked: list[Ranked], least: float) -> None:
    assert sorted(_ids(demote_covered(ranked, least))) == sorted(_ids(ranked))


@given(RANKED, STRENGTHS)
def test_without_shared_evidence_the_order_stays(ranked: list[Ranked], least: float) -> None:
    alone = [candidate for candidate in ranked if candidate.id.startswith("msg_")]
    assert demote_covered(alone, least) == alone


@given(RANKED, STRENGTHS)
def test_nothing_irrelevant_stands_before_a_relevant_repeat(ranked: list[Ranked], least: float) -> None:
    """Strength and probability are the same here, so the irrelevant ones were all behind."""
    relevant = [candidate.probability >= least for candidate in demote_covered(ranked, least)]
    assert relevant == sorted(relevant, reverse=True)


def test_a_message_steps_back_behind_what_is_new_when_its_memory_is_shown() -> None:
    ranked = [_memory(1, 0.9, [1]), _message(1, 0.8), _message(2, 0.7)]
    assert _ids(demote_covered(ranked, 0.5)) == ["mem_1", "msg_2", "msg_1"]


def test_but_not_behind_what_is_new_and_beside_the_point() -> None:
    ranked = [_memory(1, 0.9, [1]), _message(1, 0.8), _message(2, 0.7), _message(3, 0.1)]
    assert _ids(demote_covered(ranked, 0.5)) == ["mem_1", "msg_2", "msg_1", "msg_3"]


def test_nor_behind_what_only_asks() -> None:
    asked = replace(_message(3, 0.1), probability=0.6, asks=True)
    ranked = [_memory(1, 0.9, [1]), _message(1, 0.8), _message(2, 0.2), asked]
    assert _ids(demote_covered(ranked, 0.5)) == ["mem_1", "msg_1", "msg_2", "msg_3"]


def test_a_memory_steps_back_when_all_its_messages_are_shown() -> None:
    ranked = [_message(1, 0.9), _message(2, 0.8), _memory(1, 0.2, [1, 2]), _message(3, 0.1)]
    assert _ids(demote_covered(ranked, 0.5)) == ["msg_1", "msg_2", "msg_3", "mem_1"]


@given(RANKED, st.floats(0, 1))
def test_neighbours_are_lifted_and_nothing_is_lost(ranked: list[Ranked], gain: float) -> None:
    lifted = {candidate.id: candidate.strength for candidate in lift_neighbours(ranked, gain)}

    assert lifted.keys() == set(_ids(ranked))
    greatest = max((candidate.strength for candidate in ranked), default=0.0)
    for candidate in ranked:
        assert candidate.strength <= lifted[candidate.id] <= candidate.strength + gain * greatest


def test_an_answer_rises_with_its_question_and_the_question_with_its_answer() -> None:
    ranked = [_message(1, 0.9), _message(9, 0.5), _message(2, 0.45, [1])]
    lifted = lift_neighbours(ranked, 0.1)

    assert _ids(lifted) == ["msg_1", "msg_2", "msg_9"]
    assert [round(candidate.strength, 3) for candidate in lifted] == [0.945, 0.54, 0.5]
