"""Describes an English content so that it can be compared with others."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from cognis_local.extraction.english import appointments, endings, grammar, parting, slots, stances, words
from cognis_local.extraction.english.subjects import relation_label
from cognis_local.extraction.english.terms import terms
from cognis_local.extraction.model import USER, Description, Slot
from cognis_local.extraction.relations import relation_in

_OPENING_SUBJECT: Final = re.compile(
    r"^(?:[Tt]he )?(?P<who>[Uu]ser|[Aa]ssistant|[A-ZÀ-Ý぀-ヿ一-鿿][\w-]*(?: [A-ZÀ-Ý][\w-]*)?)(?P<own>'s|')?\s+"
)
_DATES: Final = re.compile(r"\s*\([^()]*\d{4}[^()]*\)")
_NEGATED: Final = re.compile(
    r"\b(?:not|no|never|no longer|cannot|any ?more|without)\b|n't\b|\b(?:stopped|quit|gave up|sold|cancell?ed"
    r"|dropped|got rid|gave away|hates?|dislikes?)\b",
    re.IGNORECASE,
)
_PAST: Final = re.compile(
    r"^\W*\w*\s*(?:\w+ly )?(?:was|were|went|had|did|got|[a-z]{3,}ed)\b|\bago\b|\byesterday\b"
    r"|\blast\b",
    re.IGNORECASE,
)
_ADDITIVE: Final = re.compile(r"\b(?:also|another|too|as well|second|additional|other)\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def describe(content: str, subject: str) -> Description:
    """The subject, slot and distinguishing terms of a content; `subject` as stored, empty where unknown."""
    found, predicate, possessed = _parse_subject(content, subject)
    undated, undated_possessed = _DATES.sub("", predicate), _DATES.sub("", possessed)
    stance = stances.stance_of(undated, undated_possessed)
    slot = _slot(found, undated, undated_possessed) or (stance.slot if stance else None)
    distinguishing = terms(content, subject or found)
    called_off = appointments.called_off(undated_possessed)
    dated = appointments.names_a_time(content)
    return Description(
        subject=found,
        terms=distinguishing,
        core=called_off or parting.given_up(undated) or terms(_DATES.sub("", content), subject or found),
        negated=bool(_NEGATED.search(predicate or possessed)),
        slot=slot.name if slot else None,
        value=terms(slot.value, "") if slot else frozenset(),
        replaces=bool(slot and slot.replaces) and not _ADDITIVE.search(content),
        past=bool(_PAST.search(predicate)) or grammar.is_past(predicate.partition(" ")[0].lower()),
        stance=stance,
        parted_with=parting.parted_with(undated),
        possession=parting.tells_of_possession(undated, undated_possessed),
        bond=endings.tells_of_bond(found, slot.name if slot else None, undated),
        ends_bond=endings.ends_bond(undated),
        death_of=endings.death_of(found, undated, undated_possessed),
        animals=endings.animals(undated, undated_possessed),
        written=(slot.value if slot else _DATES.sub("", content)).casefold().strip(" .!"),
        cancels=appointments.cancels(undated, undated_possessed),
        moved=appointments.moved_to_other_time(undated_possessed),
        dated=dated,
        routine=appointments.routine(undated) if dated else frozenset(),
        planned=appointments.is_planned(undated),
        at_present=appointments.is_at_present(undated),
    )


def _slot(subject: str, predicate: str, possessed: str) -> Slot | None:
    relation = relation_in(subject)
    named = slots.name_slot(predicate, relation) if relation in words.PEOPLE and not possessed else None
    return named or slots.slot_of(predicate, possessed)


def _parse_subject(content: str, subject: str) -> tuple[str, str, str]:
    """Subject, predicate and, after "User's", what is owned (its predicate included)."""
    match = _OPENING_SUBJECT.match(content)
    if not match:
        return subject or USER, content, ""
    who = USER if match["who"].lower() == "user" else match["who"]
    rest = content[match.end() :]
    if not match["own"]:
        return subject or who, rest, ""
    tokens = rest.split()
    label, name = relation_label(tokens, who)
    if label is None:
        return subject or who, rest, rest
    position = _relation_position(tokens)
    named = len(name.split()) if name else 0
    predicate = " ".join(tokens[position + 1 + named :])
    if re.match(r"(?:is|are) (?:called|named)\b", predicate) or tokens[position].endswith("'s"):
        return subject or label, predicate, rest
    return subject or label, predicate, ""


def _relation_position(tokens: list[str]) -> int:
    """Where the word of the relation stands, the one that `relation_label` went by."""
    for i, token in enumerate(tokens):
        if grammar.bare(token).removesuffix("'s").removesuffix("'") in words.PEOPLE:
            return i
    return 0
