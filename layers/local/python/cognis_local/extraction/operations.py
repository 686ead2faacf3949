"""Compares a statement with the similar memories and decides what it does to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cognis_local.extraction.model import Change, Description, Statement
from cognis_memory.models.extraction import ExtractedFact
from cognis_memory.models.values import Operation

_SPECIFIC_SLOTS: Final = frozenset(
    {"home", "job", "employer", "origin", "birthplace", "school", "address", "relationship_status"}
)
"""Slots whose longer value only says more of the same: "Osaka" and "Osaka in Japan"."""

_REFINES: Final = 0.6
"""The share of a statement's terms that a memory must have for the statement to be its fuller wording."""

_CORRECTS: Final = 0.5
"""Overlap (Jaccard) from which a correction is taken to mean a memory."""


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


@dataclass(frozen=True, slots=True)
class Decision:
    operation: Operation
    label: int | None = None


def decide(statement: Statement, new: Description, held: Sequence[Held]) -> list[Decision]:
    """What to do with a statement; no decision where it only says again what the same message said.

    A retraction may end several memories ("has a dog", "the dog is called Rex"); every other statement has
    one decision. Memories of other subjects are never touched.
    """
    same = [memory for memory in held if _same_subject(memory.description.subject, new.subject)]
    lasting = [memory for memory in same if not memory.ends]
    endings = [memory for memory in same if memory.ends]
    if retracts(statement, new):
        ended = [
            memory for memory in lasting if memory.label is not None and _ended_by(new, memory.description)
        ]
        if ended:
            ended = [memory for memory in ended if not memory.later] or ended
            decisions = [Decision(Operation.DELETE, memory.label) for memory in ended]
            return _with_what_follows(statement, new, lasting, decisions)
        return _of_end(statement, new, lasting, endings)
    return _of_statement(statement, new, lasting, endings)


def retracts(statement: Statement, new: Description) -> bool:
    """Whether it ends something; no longer liking something is a dislike to remember, not a gap."""
    return statement.change is not Change.STATES and not _turns_liking(new)


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
    known = _repeat_of([m for m in lasting if not m.later], lambda memory: _repeats(new, memory))
    if known is not None:
        return known
    ended = [m for m in endings if m.label is not None and _ended_by(m.description, new)]
    if ended_since := [memory for memory in ended if memory.later]:
        return [Decision(Operation.UPDATE, _nearest(new, ended_since).label)]
    known = _repeat_of(lasting, lambda memory: _repeats(new, memory))
    if known is not None:
        return known
    replaced = [m for m in lasting if m.label is not None and _replaces(statement, new, m.description)]
    if changed := replaced or ended:
        return [Decision(Operation.UPDATE, _nearest(new, changed).label)]
    return [Decision(Operation.ADD)]


def _nearest(new: Description, held: Sequence[Held]) -> Held:
    return max(
        held,
        key=lambda memory: (memory.description.slot == new.slot, _overlap(new, memory.description)),
    )


def _of_end(
    statement: Statement, new: Description, lasting: Sequence[Held], endings: Sequence[Held]
) -> list[Decision]:
    """An end of what is not known is remembered: as a fact where it tells something, else as a tombstone."""
    what_follows = _of_statement(statement, new, lasting, ()) if statement.goes_on else []
    if any(decision.operation is Operation.UPDATE for decision in what_follows):
        return what_follows
    known = _repeat_of(endings, lambda memory: _ends_the_same(new, memory))
    if known is not None and not statement.goes_on:
        return known
    if tells_of_end(statement, new):
        return [Decision(Operation.ADD)]
    tombstone = [Decision(Operation.DELETE)] if known is None and (new.slot or new.core) else []
    return [*tombstone, *what_follows]


def _ends_the_same(new: Description, memory: Description) -> bool:
    if new.slot is not None or memory.slot is not None:
        return new.slot == memory.slot and new.value == memory.value
    return bool(new.core) and new.core == memory.core


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


def _same_subject(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _turns_liking(new: Description) -> bool:
    """No longer liking something is a dislike to remember, not a gap."""
    return new.stance is not None and new.stance.kind == "liking"


def _opposed(new: Description, memory: Description) -> bool:
    """Whether one tells a like and the other a dislike, or one what can be had and the other what cannot."""
    one, other = new.stance, memory.stance
    return (
        one is not None
        and other is not None
        and one.kind == other.kind
        and one.favourable != other.favourable
    )


def _turns_stance(new: Description, memory: Description) -> bool:
    """Whether a liking or tolerance puts an end to the opposed one held, of the same thing or a narrower one.

    A general dislike covers each particular like; a general like leaves room for particular dislikes, unless
    its words tell of a change. What somebody can or cannot eat is replaced thing by thing.
    """
    one, other = new.stance, memory.stance
    if one is None or other is None:
        return False
    if one.kind == "bearing" and other.thing <= one.thing:
        return bool(other.thing)
    covers = one.kind == "bearing" or not one.favourable or one.turned
    return covers and one.covers(other)


def _ended_by(new: Description, memory: Description) -> bool:
    """Whether a retraction is about a memory: the same attribute, or all its terms within the memory."""
    if new.slot is not None and new.slot == memory.slot:
        return not new.value - memory.value or new.slot in {"car", "job"}
    if new.slot == "job" and memory.slot == "employer":
        return not new.value - {"job"} or (bool(new.core) and new.core <= memory.terms)
    if memory.negated and memory.slot is None and not new.negated:
        return False
    if _opposed(new, memory):
        return _turns_stance(new, memory)
    if new.parted_with:
        return memory.possession and new.parted_with <= memory.terms
    return bool(new.core) and new.core <= memory.terms


def _repeats(new: Description, memory: Description) -> bool:
    if new.slot is not None and new.slot == memory.slot and new.value:
        return _same_value(new, memory)
    if (new.slot is not None and memory.slot is not None and new.replaces) or new.negated != memory.negated:
        return False
    if not new.terms or new.terms == memory.terms:
        return bool(new.terms)
    return new.terms < memory.terms and len(new.terms) > 1 and not new.past and not memory.past


def _same_value(new: Description, memory: Description) -> bool:
    """Whether both fill their slot alike; a stored slot without a value goes by its memory's words."""
    if not memory.value:
        return new.value <= memory.terms
    if new.value == memory.value:
        return new.negated == memory.negated or _turns_liking(new)
    return new.slot in _SPECIFIC_SLOTS and new.value < memory.value


def _replaces(statement: Statement, new: Description, memory: Description) -> bool:
    if new.slot is not None and new.slot == memory.slot:
        return new.replaces and not statement.additive
    if _opposed(new, memory):
        return _turns_stance(new, memory)
    if statement.corrects and _overlap(new, memory) >= _CORRECTS:
        return True
    return _rewords(new, memory)


def _rewords(new: Description, memory: Description) -> bool:
    """Whether it denies a memory or is its fuller wording, as far as their terms tell."""
    if new.slot is not None and memory.slot is not None:
        return False
    if not new.terms or not memory.terms:
        return False
    if new.negated != memory.negated:
        return new.terms == memory.terms or (new.terms <= memory.terms and len(new.terms) > 1)
    refines = memory.terms < new.terms and len(memory.terms) >= _REFINES * len(new.terms)
    return refines and len(memory.terms) > 1 and not new.past and not memory.past


def _overlap(one: Description, other: Description) -> float:
    union = one.terms | other.terms
    return len(one.terms & other.terms) / len(union) if union else 0.0


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
