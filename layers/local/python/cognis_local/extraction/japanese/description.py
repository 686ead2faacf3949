"""Describes a Japanese content so that it can be compared with others."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from cognis_local.extraction.japanese import appointments, endings, parting, slots, stances, words
from cognis_local.extraction.japanese.morphology import tokenize
from cognis_local.extraction.japanese.subjects import relation_of
from cognis_local.extraction.japanese.terms import terms
from cognis_local.extraction.model import ASSISTANT, USER, Description, Slot
from cognis_local.extraction.relations import relation_in

_SUBJECT: Final = re.compile(
    r"^(?P<who>ユーザー|アシスタント|[A-Za-z][A-Za-zÀ-ÿ0-9_-]*"
    r"|[^\sはがのも、]{1,8}?)(?:さん)?(?P<particle>は|が|も|の)"
)
_DATES: Final = re.compile(r"（[^（）]*年[^（）]*）、?")
_NEGATED: Final = re.compile(
    r"ません|ない(?:です)?$|なかった|なくなり|やめ|辞め|嫌い|苦手|ではない|じゃない|いません"
    r"|ありません"
)
_PAST: Final = re.compile(r"(?:ました|た|だった|でした)$")
_CANONICAL: Final = {"ユーザー": USER, "アシスタント": ASSISTANT}


@lru_cache(maxsize=4096)
def describe(content: str, subject: str) -> Description:
    """The subject, slot and distinguishing terms of a content; `subject` as stored, empty where unknown."""
    found, predicate, possessed = _parse_subject(content, subject)
    undated, undated_possessed = _DATES.sub("", predicate), _DATES.sub("", possessed)
    stance = None if possessed else stances.stance_of(undated)
    told, undated_told = predicate or possessed, undated or undated_possessed
    called_off = appointments.called_off(undated_told)
    slot = (
        None if called_off else _slot(found, undated, undated_possessed) or (stance.slot if stance else None)
    )
    distinguishing = terms(told, found)
    undated_terms = distinguishing if undated_told == told else terms(undated_told, found)
    dated = appointments.names_a_time(content)
    return Description(
        subject=found,
        terms=distinguishing,
        core=called_off or parting.given_up(undated) or undated_terms,
        negated=bool(_NEGATED.search(content)),
        slot=slot.name if slot else None,
        value=_value(slot.value) if slot else frozenset(),
        replaces=slot is not None and slot.replaces,
        past=bool(_PAST.search(_DATES.sub("", content))),
        stance=stance,
        parted_with=parting.parted_with(undated),
        possession=parting.tells_of_possession(undated, undated_possessed),
        bond=endings.tells_of_bond(found, slot.name if slot else None, undated),
        ends_bond=endings.ends_bond(undated),
        death_of=endings.death_of(found, undated, undated_possessed),
        animals=endings.animals(undated, undated_possessed),
        written=slot.value if slot else _DATES.sub("", content),
        cancels=bool(called_off),
        moved=appointments.moved_to_other_time(undated_possessed),
        dated=dated,
        routine=appointments.routine(undated) if dated else frozenset(),
        leaves_work=slots.leaves_work(undated),
        planned=appointments.is_planned(undated),
        at_present=appointments.is_at_present(undated),
    )


def _slot(subject: str, predicate: str, possessed: str) -> Slot | None:
    relation = relation_in(subject)
    named = slots.name_slot(predicate, relation) if relation != subject and not possessed else None
    return named or slots.slot_of(predicate, possessed)


def _value(text: str) -> frozenset[str]:
    return terms(text, "") or frozenset({text})


def _parse_subject(content: str, subject: str) -> tuple[str, str, str]:
    """Subject, predicate and, after 「ユーザーの」, what is owned (its predicate included)."""
    match = _SUBJECT.match(content)
    if not match:
        return subject or USER, content, ""
    who = _CANONICAL.get(match["who"], match["who"])
    rest = content[match.end() :]
    if match["particle"] != "の":
        relation = words.RELATIONS.get(match["who"])
        return subject or (f"{USER}'s {relation}" if relation else who), rest, ""
    head, separator, predicate = _head(rest)
    tokens = tokenize(head)
    label = relation_of([token.surface for token in tokens], tokens, who) if separator else None
    if label is None:
        return subject or who, rest, rest
    attribute = head.rpartition("の")[2]
    if attribute in words.ATTRIBUTES:
        return subject or label, predicate, f"{attribute}は{predicate}"
    return subject or label, predicate, ""


def _head(rest: str) -> tuple[str, str, str]:
    match = re.match(r"(.+?)(は|が|も)(.*)$", rest)
    return (match[1], match[2], match[3]) if match else (rest, "", "")
