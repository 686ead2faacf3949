"""What ends with a bond or a life, in English: "Mei and I broke up", "our hamster died"."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.english import words
from cognis_local.extraction.english.terms import terms
from cognis_local.extraction.patterns import any_of, ignoring_case, words_of
from cognis_local.extraction.relations import PARTNERS, relation_in

_ADVERBS: Final = r"(?:(?:just|sadly|recently|has|have|had|suddenly|unexpectedly|finally|both|we|they|all) )*"
_PARTNER: Final = (
    rf"(?:(?:their|his|her) (?:[\w-]+ ){{0,2}}?{words_of(PARTNERS)}|each other|one another|him|her|them"
    r"|(?-i:[A-Z])[\w-]*)\b(?!')"
)
_AND_THAT_IS_ALL: Final = (
    r"(?=\s*(?:$|[^\w\s])| (?:\w+ly|again|yesterday|today|last|this|in|on|for|after|before|because|as|since"
    r"|when|while|but|and|so|due|over|via|by|earlier|now|too|already|at|\d+|(?:an?|the|one|two|three|some|many)"
    r" (?:\w+ )?(?:days?|weeks?|months?|years?|while))\b"
    rf"| (?:with|from) {_PARTNER})"
)
"""What may follow the end of a bond: "broke up the fight" and "split up to search the house" are none."""
BREAKUP: Final = rf"(?:and (?:their )?[\w' -]{{1,40}}? )?{_ADVERBS}" + any_of(
    rf"(?:broke up|broken up|split up|separated|got divorced|parted ways){_AND_THAT_IS_ALL}",
    rf"ended (?:things|it|the relationship) with {_PARTNER}",
    r"(?:is|are)(?:n't| not| no longer) (?:together|dating|seeing each other|a couple)\b",
    "broke off (?:the|their) engagement|called off (?:the|their) (?:engagement|wedding)",
    rf"dumped {_PARTNER}",
    "(?:was|got) dumped",
)
"""A pattern of a bond's end, after the subject: "and Mei broke up"."""
_BREAKUP: Final = ignoring_case(rf"^{BREAKUP}")
_HAS_PARTNER: Final = ignoring_case(
    rf"^{_ADVERBS}(?:has|got) an? (?:[\w-]+ )?{words_of(PARTNERS)}(?: (?:called|named) \w+| now)?$"
)
_WEDS: Final = ignoring_case(
    r"^(?:is|are) (?:getting|going to get|planning to get|about to get) married\b"
    r"|^(?:plans|is planning|is going) to marry\b"
)
_DIED: Final = any_of(
    "died|passed away|passed on|was put (?:to sleep|down)|crossed the rainbow bridge|is dead"
    "|is no longer (?:with us|alive)"
)
_NAMED_DIED: Final = ignoring_case(rf"^{_ADVERBS}{_DIED}\b")
_PET_DIED: Final = ignoring_case(
    rf"^(?P<pet>(?:[\w-]+ )*?{words_of(words.PETS)}(?: (?-i:[A-Z])\w+)?) {_ADVERBS}{_DIED}\b"
)
_HAS_ANIMALS: Final = ignoring_case(
    rf"^{_ADVERBS}(?:also )?(?:has|got|owns|keeps|adopted|bought|rescued) (?P<v>.+)"
)
_ANIMAL: Final = ignoring_case(
    rf"^(?:(?!of\b)[\w-]+ ){{0,3}}?(?P<pet>{words_of(words.PETS)})\b",
    r"(?:(?:'s name| is| called| named|,)* (?P<name>(?-i:[A-Z])[\w-]+))?",
)
_JOINT: Final = re.compile(r",? and |, (?=an? )")


def ends_bond(predicate: str) -> bool:
    """Whether it tells that the subject is no longer with a partner."""
    return bool(_BREAKUP.match(predicate))


def tells_of_bond(subject: str, slot: str | None, predicate: str) -> bool:
    """Whether it tells that there is a partner or who that is: what a breakup ends."""
    named = relation_in(subject) in PARTNERS and slot == "name"
    return named or bool(_HAS_PARTNER.match(predicate) or _WEDS.match(predicate))


def animals(predicate: str, possessed: str) -> frozenset[str]:
    """The terms of the animals that it tells of having, their names included."""
    has = None if possessed else _HAS_ANIMALS.match(predicate)
    parts = _JOINT.split(possessed or (has["v"] if has else ""))
    found = [animal for part in parts if (animal := _ANIMAL.match(part))]
    return frozenset[str]().union(*(terms(f"{each['pet']} {each['name'] or ''}", "") for each in found))


def death_of(subject: str, predicate: str, possessed: str) -> frozenset[str]:
    """The terms of the named one or the animal who died; empty for relatives and where nobody did."""
    pet = _PET_DIED.match(possessed)
    if pet:
        return terms(pet["pet"], "")
    named = "'s " not in subject and _NAMED_DIED.match(predicate)
    return terms(subject, "") if named else frozenset()
