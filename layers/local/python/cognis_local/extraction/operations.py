"""Compares a statement with the similar memories and decides what it does to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from cognis_local.extraction.comparing import (
    are_different_appointments,
    ended_by,
    ends_the_same,
    ends_with,
    overlap,
    repeats,
    replaces,
    same_subject,
    turns_liking,
)
from cognis_local.extraction.model import Change, Description, Statement
from cognis_memory.models.extraction import ExtractedFact
from cognis_memory.models.values import Operation


@dataclass(frozen=True, slots=True)
class Held:
    """A similar memory described; `label` is None for what the same message stated before.

    `ends` is set where it tells that something is no longer so, or is what retracted that; `later` where it
    was stated after the message, which came late.
    """

    label: int | None
    description: Description
    ends: bool = False
    later: bool = False
    without_item: Callable[[frozenset[str]], str] = lambda _: ""
    """Its content without the one item of a list that has these terms; empty where it lists no such item."""
    lists_others: Callable[[frozenset[str]], bool] = lambda _: False
    """Whether its content lists something else beside what has these terms."""


@dataclass(frozen=True, slots=True)
class Decision:
    """`content` is set where the memory goes on without a part of it, else the statement's counts."""

    operation: Operation
    label: int | None = None
    content: str = ""


def decide(statement: Statement, new: Description, held: Sequence[Held]) -> list[Decision]:
    """What to do with a statement; no decision where it only says again what the same message said.

    A retraction may end several memories ("has a dog", "the dog is called Rex"), as may the end of a bond and
    a death; every other statement has one decision. Only those two touch memories of other subjects.
    """
    same = [memory for memory in held if same_subject(memory.description.subject, new.subject)]
    lasting = [memory for memory in same if not memory.ends]
    endings = [memory for memory in same if memory.ends]
    return [*_about_subject(statement, new, lasting, endings), *_ended_besides(new, held)]


def _ended_besides(new: Description, held: Sequence[Held]) -> list[Decision]:
    """What else ends with a bond or a life, whoever it is about: "User's girlfriend is Mei"."""
    ended = [
        memory
        for memory in held
        if memory.label is not None and not memory.ends and not memory.later
        if ends_with(new, memory.description)
    ]
    return [decision for memory in ended if (decision := _end_of(memory, new))]


def _about_subject(
    statement: Statement, new: Description, lasting: Sequence[Held], endings: Sequence[Held]
) -> list[Decision]:
    if retracts(statement, new):
        ended = [
            memory for memory in lasting if memory.label is not None and ended_by(new, memory.description)
        ]
        if new.cancels:
            ended = _unless_ambiguous(new, ended)
        if ended:
            ended = [memory for memory in ended if not memory.later] or ended
            decisions = [decision for memory in ended if (decision := _end_of(memory, new))]
            if decisions:
                return _with_what_follows(statement, new, lasting, decisions)
        return _of_end(statement, new, lasting, endings)
    return _of_statement(statement, new, lasting, endings)


def _unless_ambiguous(new: Description, fitting: list[Held]) -> list[Held]:
    """What a statement changes; nothing where several appointments fit and it fills the slot of none.

    "The meeting is cancelled" does not tell which of two meetings.
    """
    of_slot = [m for m in fitting if new.slot is not None and m.description.slot == new.slot]
    if of_slot:
        return fitting
    differ = any(
        are_different_appointments(one.description, other.description)
        for one, other in combinations(fitting, 2)
    )
    return [] if differ else fitting


def _end_of(memory: Held, new: Description) -> Decision | None:
    """The memory is retracted, or where only one thing of several ends, goes on without that.

    No decision where it tells of other things that are had and cannot go on without the one that is gone.
    """
    gone = new.death_of or new.parted_with
    rest = memory.without_item(gone or new.core) if gone or new.slot is None else ""
    if not rest and gone and new.slot is None and memory.lists_others(gone):
        return None
    return Decision(Operation.UPDATE if rest else Operation.DELETE, memory.label, rest)


def retracts(statement: Statement, new: Description) -> bool:
    """Whether it ends something; no longer liking something is a dislike to remember, not a gap."""
    return statement.change is not Change.STATES and not turns_liking(new)


def tells_of_end(statement: Statement, new: Description) -> bool:
    """Whether its content is worth knowing for the end alone, and tells of nothing else."""
    return statement.change is Change.RETRACTS and retracts(statement, new) and not statement.goes_on


def _repeat_of(held: Sequence[Held], says_it: Callable[[Description], bool]) -> list[Decision] | None:
    """NONE of the first that says it, no decision where the same message does; None where nothing does."""
    for memory in held:
        if says_it(memory.description):
            return [] if memory.label is None else [Decision(Operation.NONE, memory.label)]
    return None


def _of_statement(
    statement: Statement, new: Description, lasting: Sequence[Held], endings: Sequence[Held]
) -> list[Decision]:
    """In the order of time: what was so when it was said, what ended it since, what is so by now.

    What replaces nothing may be so again: it belongs to what ended it before.
    """
    known = _repeat_of([m for m in lasting if not m.later], lambda memory: repeats(statement, new, memory))
    if known is not None:
        return known
    ended = [m for m in endings if m.label is not None and ended_by(m.description, new)]
    if ended_since := [memory for memory in ended if memory.later]:
        return [Decision(Operation.UPDATE, _nearest(new, ended_since).label)]
    known = _repeat_of(lasting, lambda memory: repeats(statement, new, memory))
    if known is not None:
        return known
    replaced = [m for m in lasting if m.label is not None and replaces(statement, new, m.description)]
    if new.moved:
        replaced = _unless_ambiguous(new, replaced)
    if changed := replaced or ended:
        return [Decision(Operation.UPDATE, _nearest(new, changed).label)]
    return [Decision(Operation.ADD)]


def _nearest(new: Description, held: Sequence[Held]) -> Held:
    return max(
        held,
        key=lambda memory: (memory.description.slot == new.slot, overlap(new, memory.description)),
    )


def _of_end(
    statement: Statement, new: Description, lasting: Sequence[Held], endings: Sequence[Held]
) -> list[Decision]:
    """An end of what is not known is remembered: as a fact where it tells something, else as a tombstone."""
    what_follows = _of_statement(statement, new, lasting, ()) if statement.goes_on else []
    if any(decision.operation is Operation.UPDATE for decision in what_follows):
        return what_follows
    known = _repeat_of(endings, lambda memory: ends_the_same(new, memory))
    if known is not None and not statement.goes_on:
        return known
    if tells_of_end(statement, new):
        return [Decision(Operation.ADD)]
    tombstone = [Decision(Operation.DELETE)] if known is None and (new.slot or new.core) else []
    return [*tombstone, *what_follows]


def _with_what_follows(
    statement: Statement, new: Description, same: Sequence[Held], ended: list[Decision]
) -> list[Decision]:
    """The retractions and, where the statement goes on, what takes the place of one or is new beside them."""
    if not statement.goes_on or not ended:
        return ended
    labels = {decision.label for decision in ended}
    replaced = next(
        (m.label for m in same if m.label in labels and new.replaces and m.description.slot == new.slot), None
    )
    if new.slot is None or replaced is None:
        return [*ended, Decision(Operation.ADD)]
    others = [decision for decision in ended if decision.label != replaced]
    return [Decision(Operation.UPDATE, replaced), *others]


def without_conflicts(facts: Sequence[ExtractedFact]) -> list[ExtractedFact]:
    """One message changes one memory once: a replacement stands before a retraction, the first before others.

    "I left Perth, I live in Hobart now" replaces; a second replacement of a memory is a fact of its own.
    """
    replaced = {fact.label for fact in facts if fact.operation is Operation.UPDATE}
    changed: set[int | None] = set()
    kept: list[ExtractedFact] = []
    for fact in facts:
        if fact.label is None:
            kept.append(fact)
            continue
        if fact.operation is Operation.DELETE and (fact.label in replaced or fact.label in changed):
            continue
        if fact.operation is Operation.UPDATE and fact.label in changed:
            kept.append(replace(fact, operation=Operation.ADD, label=None))
            continue
        if fact.operation in (Operation.UPDATE, Operation.DELETE):
            changed.add(fact.label)
        kept.append(fact)
    return kept
