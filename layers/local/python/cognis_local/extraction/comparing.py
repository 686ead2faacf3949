"""Compares what a statement says with what a memory says, by slots, stances and terms."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.model import Description, Statement

_SPECIFIC_SLOTS: Final = frozenset(
    {"home", "job", "employer", "origin", "birthplace", "school", "address", "relationship_status"}
)
"""Slots whose longer value only says more of the same: "Osaka" and "Osaka in Japan"."""

_AMOUNT: Final = re.compile(
    r"\d|^(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice)$|^[一二三四五六七八九十]+$"
)

_REFINES: Final = 0.6
"""The share of a statement's terms that a memory must have for the statement to be its fuller wording."""

_CORRECTS: Final = 0.5
"""Overlap (Jaccard) from which a correction is taken to mean a memory."""


def same_subject(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def turns_liking(new: Description) -> bool:
    """No longer liking something is a dislike to remember, not a gap."""
    return new.stance is not None and new.stance.kind == "liking"


def ends_with(new: Description, memory: Description) -> bool:
    if new.ends_bond and memory.bond:
        return memory.subject.startswith(new.subject)
    is_persons = "'s " in memory.subject or memory.slot == "name"
    return bool(new.death_of) and not is_persons and new.death_of <= memory.animals


def ends_the_same(new: Description, memory: Description) -> bool:
    if new.slot is not None or memory.slot is not None:
        return new.slot == memory.slot and new.value == memory.value
    return bool(new.core) and new.core == memory.core


def _opposed(new: Description, memory: Description) -> bool:
    """Whether one tells a like and the other a dislike, or one what can be had and the other what cannot."""
    one, other = new.stance, memory.stance
    if one is None or other is None:
        return False
    comparable = one.kind == other.kind or one.favourable
    return comparable and one.favourable != other.favourable


def _turns_stance(new: Description, memory: Description) -> bool:
    """Whether a liking or tolerance puts an end to the opposed one held, of the same thing or a narrower one.

    A general dislike covers each particular like; a general like leaves room for particular dislikes, unless
    its words tell of a change. What somebody can or cannot eat is replaced thing by thing.
    """
    one, other = new.stance, memory.stance
    if one is None or other is None:
        return False
    if one.kind != other.kind:
        return one.turned and memory.negated and one.thing == other.thing
    if one.kind == "bearing" and other.thing <= one.thing:
        return bool(other.thing)
    covers = one.kind == "bearing" or not one.favourable or one.turned
    return covers and one.covers(other)


def ended_by(new: Description, memory: Description) -> bool:
    """Whether a retraction is about a memory: the same attribute, or all its terms within the memory."""
    if new.slot is not None and new.slot == memory.slot:
        return not new.value - memory.value or new.slot in {"car", "job"}
    if memory.slot in {"job", "employer"} and _leaves_work(new, memory):
        return True
    if memory.negated and memory.slot is None and not new.negated:
        return False
    if _opposed(new, memory):
        return _turns_stance(new, memory)
    if new.parted_with:
        return (memory.possession or memory.planned) and new.parted_with <= memory.terms
    return bool(new.core) and new.core <= memory.terms


def are_different_appointments(one: Description, other: Description) -> bool:
    """Whether both tell when something takes place, and neither only tells more of what the other does."""
    if not one.dated or not other.dated:
        return False
    same = one.core <= other.core or other.core <= one.core
    return not same or one.terms - one.core != other.terms - other.core


def corrected_by(new: Description, said: Description) -> bool:
    """Whether a correction takes back what the same message said before: another value of the same slot."""
    if not same_subject(new.subject, said.subject):
        return False
    if new.slot is not None and new.slot == said.slot:
        return new.value != said.value
    return new.slot == said.slot and new.terms != said.terms and overlap(new, said) >= _CORRECTS


def denied_before(new: Description, said: Description) -> bool:
    """Whether the same message said before what is not so: "I don't live in Bern, I live in Basel"."""
    same = new.slot is not None and new.slot == said.slot and same_subject(new.subject, said.subject)
    return same and said.negated and not new.negated


def _leaves_work(new: Description, memory: Description) -> bool:
    """Whether it is this work that somebody leaves: any that they have, or the employer that is named."""
    if new.leaves_work:
        return True
    return new.slot == "job" and memory.slot == "employer" and not new.value - {"job"}


def repeats(statement: Statement, new: Description, memory: Description) -> bool:
    """Whether it tells what is known; a correction does not where the two are only written alike."""
    if statement.corrects and _spelled_otherwise(new, memory):
        return False
    if new.slot is not None and new.slot == memory.slot and new.value:
        return _same_value(new, memory)
    if (new.slot is not None and memory.slot is not None and new.replaces) or new.negated != memory.negated:
        return False
    if (memory.planned and not new.planned) or _opposed(new, memory):
        return False
    if not new.terms or new.terms == memory.terms:
        return bool(new.terms)
    return new.terms < memory.terms and len(new.terms) > 1 and not new.past and not memory.past


def _spelled_otherwise(new: Description, memory: Description) -> bool:
    """Whether both come down to the same stems, but not to the same words: "Alien", "Aliens"."""
    same = new.value == memory.value if new.slot is not None else new.terms == memory.terms
    return same and new.slot == memory.slot and bool(memory.written) and new.written != memory.written


def _same_value(new: Description, memory: Description) -> bool:
    """Whether both fill their slot alike; a stored slot without a value goes by its memory's words."""
    if not memory.value:
        return new.value <= memory.terms
    if new.value == memory.value:
        return new.negated == memory.negated or turns_liking(new)
    return new.slot in _SPECIFIC_SLOTS and new.value < memory.value


def replaces(statement: Statement, new: Description, memory: Description) -> bool:
    if new.slot is not None and new.slot == memory.slot:
        return new.replaces and not statement.additive
    if _opposed(new, memory):
        return _turns_stance(new, memory)
    if _takes_other_time(new, memory) or _carries_out(new, memory):
        return True
    if statement.corrects and overlap(new, memory) >= _CORRECTS:
        return True
    return _rewords(new, memory)


def _takes_other_time(new: Description, memory: Description) -> bool:
    """Whether it gives an appointment or a routine that is held another time, a measure another value."""
    if new.moved and memory.dated and new.moved <= memory.terms:
        return True
    if not new.at_present or memory.planned:
        return False
    if new.dated and memory.dated and new.routine:
        return new.routine == memory.routine
    return _counts_anew(new.core, memory.core)


def _counts_anew(new: frozenset[str], memory: frozenset[str]) -> bool:
    """Whether both tell the same but for the amounts: "wears size 10", "wears size 11 now"."""
    counted, counted_before = ({term for term in terms if _AMOUNT.search(term)} for terms in (new, memory))
    if not counted or not counted_before:
        return False
    return bool(new - counted) and new - counted == memory - counted_before


def _carries_out(new: Description, memory: Description) -> bool:
    """Whether it tells that a plan which is held was carried out."""
    done = memory.planned and not new.planned and not new.negated and new.past
    return done and len(new.core) > 1 and new.core <= memory.terms


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


def overlap(one: Description, other: Description) -> float:
    union = one.terms | other.terms
    return len(one.terms & other.terms) / len(union) if union else 0.0
