"""Appointments that get another time or do not take place: "the interview was postponed to Thursday"."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.english import words
from cognis_local.extraction.english.terms import terms
from cognis_local.extraction.patterns import any_of, ignoring_case, word_set, words_of

_HAPPENED: Final = (
    r"(?:(?:has|have|was|were|is|are|got|been|just|now|already|also|unfortunately|sadly|finally) )+"
)
MOVED: Final = any_of(
    rf"{_HAPPENED}(?:(?:re)?scheduled|moved|postponed|pushed(?: back| out)?|shifted|delayed"
    r"|put off|brought forward"
    r"|bumped|changed)(?: (?:back|forward|up))?(?: from [\w .,:]{1,40}?)?",
    r"(?:moved|changed|shifted)(?: from [\w .,:]{1,40}?)?",
)
_CANCELLED: Final = rf"{_HAPPENED}(?:cancell?ed|called off|off|scrapped|not happening)\b"
_AN_APPOINTMENT: Final = (
    rf"(?:[\w'-]+ ){{0,3}}?{words_of(words.APPOINTMENTS)}(?: (?:with|to|at|in|for|on) [\w'. -]{{1,40}}?)?"
)
_TIMES: Final = any_of(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|today\b|tonight\b|tomorrow\b|next (?:week"
    r"|month|\w+day)\b",
    r"\d{1,2}(?:(?::\d\d)? ?(?:[ap]\.?m\b|o'clock)|:\d\d|(?:st|nd|rd|th)\b)",
)
_NOBODYS: Final = ignoring_case(
    rf"^(?:the |our |that |this )?(?=(?!my\b|i\b){_AN_APPOINTMENT} (?:{MOVED} (?:to|until|by)\b"
    rf"|{_CANCELLED}",
    r"|(?:is|are|starts|begins|takes place|will be) (?:now |still )?(?:(?:on|at"
    rf"|from) (?:the )?)?{_TIMES}))",
)
_MOVED_TO: Final = ignoring_case(rf"^(?P<v>.+?) {MOVED} (?:to|until|by)\b")
_NOT_HELD: Final = ignoring_case(rf"^(?P<v>.+?) {_CANCELLED}")
_CANCELS: Final = ignoring_case(r"^(?:\w+ ){0,3}?(?:cancel(?:l?ed)?|call(?:ed)? off)\b")
_OWN_MOVED: Final = re.compile(rf"^(?P<who>[\w' -]+?'s )(?P<v>[\w' -]+?) {MOVED} (?:to|until|by)\b")
_WITH: Final = (
    r"(?: (?:with|about|for|from|to|at)(?: (?:an?|the|their))? (?-i:[A-Z])[\w'.-]*"
    r"(?: (?:and )?(?-i:[A-Z])[\w'.-]*)*)?"
)
"""Whom or what an appointment is with, by name."""
_GENERAL: Final = word_set("trip visit plan appointment booking reservation holiday vacation thing new")
_TIME: Final = ignoring_case(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|\d{1,2}(?::\d\d)? ?(?:[ap]\.?m|o'clock)"
    r"|at (?:\d+|noon|midnight)",
    r"|today|tonight|tomorrow|next \w+|(?:january|february|march|april|may|june|july|august"
    r"|september|october",
    r"|november|december)\b|\d{1,2}(?:st|nd|rd|th))\b|\([^()]*\d{4}[^()]*\)",
)


_PARTS_OF_DAY: Final = word_set("morning evening afternoon night noon week weekend")
_PLANNED: Final = ignoring_case(
    r"^(?:(?:is|are) (?:still |also |currently |now )*(?:planning|going|hoping|intending|about) to"
    r"|(?:is|are) (?:thinking|thinking of|planning on|saving(?: up)? (?:for|to))|plans? to"
    r"|intends? to|will)\b"
)
_AT_PRESENT: Final = ignoring_case(r"\b(?:now|these days|nowadays|lately|instead|at the moment|currently)\b")


def with_owner(clause: str) -> str:
    """ "The interview was postponed to Thursday" as the speaker's: "my interview was ..."."""
    match = _NOBODYS.match(clause)
    if match is None:
        return clause
    rest = clause[match.end() :]
    return f"my {rest if rest[:2].isupper() or match.end() else rest[:1].lower() + rest[1:]}"


def moved_to_other_time(possessed: str) -> frozenset[str]:
    """The terms of the appointment that gets another time; empty where none does."""
    return _telling(_MOVED_TO.match(possessed))


def called_off(possessed: str) -> frozenset[str]:
    """The terms of the appointment that does not take place; empty where none is called off."""
    return _telling(_NOT_HELD.match(possessed))


def cancels(predicate: str, possessed: str) -> bool:
    """Whether something is called off that was to take place."""
    return bool(_NOT_HELD.match(possessed) or _CANCELS.match(predicate))


def with_fuller_name(content: str, held: str) -> str:
    """What tells of another time, with the appointment as a memory names it: "User's meeting with Ken"."""
    moved = _OWN_MOVED.match(content)
    if moved is None:
        return content
    named = re.search(
        r"(?:\b(?:an?|the|their|ha[sd]|having)|'s) "
        rf"(?P<v>(?:(?!(?:an?|the|their)\b)[\w-]+ ){{0,3}}?{re.escape(moved['v'])}\b{_WITH})",
        held,
        re.IGNORECASE,
    )
    if named is None or _TIME.search(named["v"]):
        return content
    return f"{moved['who']}{named['v']}{content[moved.end('v') :]}"


def names_a_time(content: str) -> bool:
    """Whether it tells when something takes place."""
    return bool(_TIME.search(content))


def routine(predicate: str) -> frozenset[str]:
    """The terms of what is done, without when."""
    return terms(_TIME.sub(" ", predicate), "") - _PARTS_OF_DAY - {"instead"}


def is_planned(predicate: str) -> bool:
    """Whether it is a plan of the subject."""
    return bool(_PLANNED.match(predicate))


def is_at_present(predicate: str) -> bool:
    """Whether its words tell that it is so by now."""
    return bool(_AT_PRESENT.search(predicate))


def _telling(match: re.Match[str] | None) -> frozenset[str]:
    found = terms(match["v"], "") if match else frozenset()
    return found - _GENERAL or found
