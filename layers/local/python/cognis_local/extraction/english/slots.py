"""Which attribute an English content fills: "User lives in Osaka" fills "home" with "Osaka"."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.english import words
from cognis_local.extraction.english.circumstances import CIRCUMSTANCES
from cognis_local.extraction.english.endings import BREAKUP
from cognis_local.extraction.english.parting import LEFT_WORK
from cognis_local.extraction.english.slot_rules import BY_NOW, NOT, NOW, PROPER, Rule, fills, noun, rule
from cognis_local.extraction.english.values import value_of
from cognis_local.extraction.model import Slot
from cognis_local.extraction.patterns import any_of, ignoring_case, word_set, words_of
from cognis_local.extraction.relations import ONE_OF_A_KIND

_FUTURE: Final = ignoring_case(
    r"\b(?:will|is going to|is planning|plans? to|wants? to(?! be called)|is moving|is about to"
    r"|hopes? to)\b"
)
_PAST: Final = ignoring_case(
    r"\b(?:used to|once|formerly|previously|lived(?! in .+ (?:since|for) )|had been|was living",
    r"|back (?:then|when)|as a (?:child|kid|teen)|before that)\b",
)
_OCCUPATION: Final = words_of(words.OCCUPATIONS)
_PET: Final = words_of(words.PETS)
_MAKE: Final = words_of({make.capitalize() for make in words.CAR_MAKES} | {"BMW", "VW"})
_DIET: Final = words_of(words.DIETS)
_COUNTED: Final = words_of((words.PETS | words.RELATIVES) - {"ex", "family"}) + "s?"
_NUMBER: Final = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)"
_FIGURES: Final = dict(
    zip(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        map(str, range(1, 13)),
        strict=True,
    )
)
_STATUS: Final = any_of(
    "single|married|engaged|divorced|widowed|separated|dating|in a relationship|seeing someone"
)
_SAME_ATTRIBUTE: Final = {
    "email address": "email", "e-mail": "email", "occupation": "job", "home address": "address",
    "phone number": "phone", "hometown": "origin",
}  # fmt: skip
_ATTRIBUTE: Final = words_of(
    word_set("email e-mail address birthday name age job occupation employer hometown salary nickname")
    | {"email address", "home address", "phone number"}
)


def name_slot(predicate: str, relation: str) -> Slot | None:
    """The name that a predicate gives to a relation ("boss"): "is Ms. Ito now"; None where it gives none."""
    match = _IS_NAMED.match(predicate)
    if match is None or match["v"].split()[0].lower() in words.ADJECTIVES_OF_PEOPLE:
        return None
    return Slot("name", match["v"], replaces=relation in ONE_OF_A_KIND or "replaced" in match[0])


def slot_of(predicate: str, possessed: str) -> Slot | None:
    """The slot that a content fills: `predicate` follows the subject, `possessed` follows "User's"."""
    text, rules = (possessed, _ATTRIBUTES) if possessed else (predicate, _PREDICATES)
    if _FUTURE.search(text) or _PAST.search(text):
        return None
    for pattern, build in rules:
        match = pattern.match(text)
        if match:
            slot = build(match)
            return slot if slot.value else None
    return None


def _naming(match: re.Match[str]) -> Slot:
    """The name of a relative is a slot of the relative's own."""
    what = match["what"].lower()
    return Slot("name" if what in words.PEOPLE else f"name:{noun(what)}", value_of(match["v"]))


def _pet(match: re.Match[str]) -> Slot:
    return Slot(f"pet_name:{match['pet'].lower()}", value_of(match["v"]))


def _new_pet(match: re.Match[str]) -> Slot:
    """A pet that is acquired comes beside the others."""
    return Slot(f"pet_name:{match['pet'].lower()}", value_of(match["v"]), replaces=False)


def _attribute(match: re.Match[str]) -> Slot:
    what = match["what"].lower()
    return Slot(_SAME_ATTRIBUTE.get(what, what), match["v"])


_DWELLING: Final = (
    rf"(?! (?:an?|the|our|their) (?:[\w-]+ ){{0,3}}?(?:office|headquarters|premises|table|seat|desk|hotel"
    rf"|{words_of(words.WORKPLACES)})\b)(?: (?:a|an|the) [\w -]{{1,30}}? in)?"
)
_LOWER_CASE_PLACE: Final = (
    r"(?!(?:the|a|an|their|another|tears|marketing|sales|management|finance|engineering|production)\b)"
    r"\w+(?=$| \(| (?:last|this|in|yesterday|today|recently|for)\b)"
)
"""Who writes "i moved to osaka last month" writes places in lower case too."""

_IS_NAMED: Final = ignoring_case(
    rf"^(?:is|was replaced by|has been replaced by) {BY_NOW}(?P<v>(?:(?:Dr|Mr|Mrs|Ms"
    rf"|Prof)\.? )?{PROPER}[\w'-]*",
    rf"(?: {PROPER}[\w'-]*){{0,2}})(?:,? (?:now|these days|instead))*$",
)
_HOME: Final = (
    rule(
        fills("home"),
        rf"^{NOW}{NOT}",
        any_of(
            "lives?|is living|resides?|is based|(?:been living|lived|been based)(?= in .+ (?:since|for) )"
        ),
        rf"(?: here| alone| with [\w ]+?)? (?:in|at|near|on){_DWELLING} (?P<v>.+)",
    ),
    rule(
        fills("home"),
        rf"^{NOW}{NOT}(?:moved(?: back| over| house)?|relocated|emigrated|settled(?: down)?)",
        rf"(?: here)?(?: from [\w ]+?)? (?:to|in|into|near){_DWELLING} ",
        rf"(?!(?:last|next|this|on|early|late|mid)\b)(?P<v>(?:[a-z]+ )?{PROPER}.*|{_LOWER_CASE_PLACE})",
    ),
    rule(
        fills("home"),
        rf"^is {NOW}in (?P<v>{PROPER}\w+(?: {PROPER}\w+)?)(?:,? (?:for good|permanently|now"
        r"|these days|as of [\w ]+))*$",
    ),
    rule(fills("birthplace"), r"^was born in (?P<v>.+)"),
    rule(fills("origin"), r"^(?:comes? from|is (?:originally )?from) (?P<v>.+)"),
)
_WORK: Final = (
    rule(
        fills("job"),
        rf"^{NOW}(?:runs|opened|manages) (?:an?|their own) ",
        rf"(?P<v>(?:[\w-]+ ){{0,2}}?{words_of(words.WORKPLACES)})\b",
    ),
    rule(
        fills("job"),
        rf"^{NOW}(?P<v>(?:teaches|does|handles|manages) [\w' -]+? (?:at|for|in) (?:a|an"
        rf"|the) (?:[\w-]+ ){{0,3}}?{words_of(words.WORKPLACES)})\b",
    ),
    rule(
        fills("job"),
        rf"^{NOW}{NOT}",
        any_of(
            "works?|is working|(?:started|began)(?: working| out| over| a (?:new )?(?:job|career))?",
            r"(?:got|landed|took|found|accepted) (?:a|the) (?:[\w-]+ )?(?:job|position|role|post)",
            r"(?:was|got|been|is) (?:(?:just|recently|finally) )?(?:hired|employed|recruited|appointed"
            r"|taken on|promoted)"
            "(?: to(?: be)?)?|retrained|has a (?:new )?job|was promoted to(?: be)?",
        ),
        " as (?:a|an|the) (?P<v>.+)",
    ),
    rule(
        fills("job"),
        rf"^(?:is|became|has become|(?:was|got|has been) promoted to) {NOW}{NOT}(?:a |an |the )?",
        rf"(?P<v>(?:[\w-]+ ){{0,3}}?{_OCCUPATION})\b",
    ),
    rule(
        fills("employer"),
        rf"^{NOW}{NOT}(?:works?|is working|is employed|started(?: working| a (?:new )?job)?)",
        r" (?:for|at|by|with) (?P<v>(?!home\b|night)\w.*)",
    ),
    rule(fills("employer"), rf"^joined (?P<v>{PROPER}.*)"),
    rule(fills("employer", replaces=False), rf"^(?:left|quit|resigned from) (?P<v>{PROPER}.*)"),
    rule(
        fills("job"),
        r"^(?:quit|lost|left|resigned from|doesn't have|no longer has) (?:their|the) (?:\w+ )?(?P<v>job)\b",
    ),
    rule(lambda _: Slot("job", "job"), rf"^{NOW}{LEFT_WORK}\b"),
)
_PERSON: Final = (
    rule(
        lambda match: Slot("age", _FIGURES.get(match["v"].lower(), match["v"])),
        rf"^(?:is|turned|is turning|just turned|recently turned|is now) {BY_NOW}(?P<v>\d{{1,3}}"
        rf"|{words_of(_FIGURES)})",
        r"(?: years? old| yo|$|[,.(]| \(| (?:yesterday|today|last|this|on|now)\b)",
    ),
    rule(
        fills("name"),
        rf"^{NOW}(?:legally )?changed their (?:full |legal )?name to (?P<v>{PROPER}.*)",
    ),
    rule(fills("name"), rf"^is {NOW}(?P<v>{PROPER}[\w'-]+ {PROPER}[\w'-]+) now$"),
    rule(
        _attribute,
        rf"^{NOW}changed their (?:old |work |personal )*(?P<what>{_ATTRIBUTE}) to (?P<v>.+)",
    ),
    rule(fills("nickname"), r"^(?:wants to be called|goes by|is called|is known as) (?P<v>.+)"),
    rule(
        fills("diet"),
        rf"^is {NOW}{NOT}(?:a |an |strictly |strict |off |done with |through with )*(?P<v>{_DIET})\b",
    ),
    rule(
        fills("diet"),
        rf"^{NOW}(?:follows?|keeps?|eats?|is on|has|switched to|went on) (?:a |an )?(?:strictly "
        rf"|strict )*(?P<v>{_DIET})(?: diet)?$",
    ),
    rule(fills("diet"), rf"^(?:has gone|went|turned|became|has become) (?P<v>{_DIET})\b"),
    rule(
        fills("diet"),
        r"^(?:also )?(?:eats|started eating|has started eating|is eating) ",
        r"(?P<v>meat|fish|dairy|eggs|gluten)\b.*\b(?:again|now)\b",
    ),
    rule(
        fills("relationship_status"),
        rf"^(?:(?:is|are|has been|have been) {NOW}{NOT}|(?:just |recently |finally )?(?:got|gotten) )",
        rf"(?P<v>{_STATUS}(?! from (?!(?:their|his|her|him|them|each|one)\b)(?-i:[a-z]))"
        rf"(?: (?:(?:to|with|from) )?{PROPER}[\w'-]+)?)\b",
    ),
    rule(
        lambda _: Slot("relationship_status", "single"),
        rf"^{BREAKUP}\b",
    ),
)
_OWNED: Final = (
    rule(
        lambda match: Slot("car", value_of(match["v"]), replaces=bool(re.match("drives?", match[0]))),
        rf"^{NOW}{NOT}(?:drives?|owns?|bought|has|got|sold|leases?|traded in) (?:their|a|an|the|any)?\s*",
        rf"(?P<v>(?:[\w'-]+ ){{0,4}}?{words_of(words.VEHICLES)})\b",
    ),
    rule(
        fills("car", replaces=False),
        rf"^{NOW}(?:owns?|bought|has|got|leases?) (?:their|a|an|the) ",
        rf"(?P<v>(?:[\w'-]+ ){{0,4}}?(?-i:{_MAKE})\b.*)",
    ),
    rule(fills("car"), r"^drives (?:a|an|the) (?P<v>.+)"),
    rule(
        fills("car"),
        r"^(?:has |just |recently )*(?:traded in|traded|swapped|exchanged|replaced) (?:their|the|a|an) ",
        rf"(?=.*\b(?:{words_of(words.VEHICLES)}|(?-i:{_MAKE}))\b).+? (?:for|with|by) (?:their|the"
        r"|an?) (?P<v>.+)",
    ),
    rule(
        fills("rises"),
        rf"^{NOW}(?:gets?|wakes?|is getting|is waking)(?: up)? (?:every (?:morning|day) )?(?:at"
        r"|around|by) (?P<v>[\w:]+)",
    ),
    rule(
        fills("bedtime"),
        rf"^{NOW}(?:goes|is going) to (?:bed|sleep) (?:every (?:night|day) )?(?:at|around"
        r"|by) (?P<v>[\w:]+)",
    ),
    rule(
        lambda match: Slot(f"count:{noun(match['what'])}", match["v"]),
        rf"^{NOW}has (?P<v>{_NUMBER}) (?P<what>(?:[\w-]+ )?{_COUNTED})\b(?! (?:called|named))",
    ),
    rule(
        _new_pet,
        rf"^{NOW}{NOT}(?:has|owns|got|adopted|bought|keeps|rescued) (?:a|an|one|any)?\s*",
        rf"(?:[\w-]+ ){{0,3}}?(?P<pet>{_PET}) (?:is )?(?:called|named) (?P<v>.+)",
    ),
    rule(
        _pet,
        rf"^{NOW}(?:(?:named|called) their|renamed (?:their|the)) (?P<pet>{_PET}) (?:to "
        rf"|as )?(?P<v>{PROPER}.*)",
    ),
)
_PREDICATES: Final[tuple[Rule, ...]] = (
    *CIRCUMSTANCES,
    *_HOME,
    *_WORK,
    *_PERSON,
    *_OWNED,
)
"""Rules over what follows the subject; the first that matches counts."""

_CHANGED: Final = (
    r"(?:(?:has|have|was|were|is|got|been|gone|just|recently|now|finally) )*"
    + any_of(
        r"changed|moved|went(?: up| down)?|(?<=gone )(?:up|down)|(?:(?<=is )|(?<=now ))(?:up|down)|raised",
        "increased|reduced|lowered|rose|risen|dropped|fell|switched|updated|postponed|rescheduled",
        "pushed(?: back)?|brought forward|delayed|put off|shifted",
    )
    + r"(?: from [\w .,:]{1,30}?)? to"
)
_THING: Final = rf"^(?:new )?(?P<what>[\w'. -]+?) {BY_NOW}(?:is|are) {BY_NOW}"
_ATTRIBUTES: Final[tuple[Rule, ...]] = (
    rule(
        _pet,
        rf"^(?P<pet>(?:[\w-]+ )*?{_PET})(?:(?:'s name)? is {BY_NOW}(?:called |named )"
        rf"|'s name is {BY_NOW})(?P<v>.+)",
    ),
    rule(_pet, rf"^(?P<pet>(?:[\w-]+ )*?{_PET}) is (?P<v>{PROPER}[\w'-]*)$"),
    rule(
        fills("phone"),
        r"^(?:new |mobile |cell |home )*(?:phone )?(?:number|phone)(?: number)? (?:is"
        rf"|{_CHANGED}) {BY_NOW}",
        r"(?P<v>[\d+][\d() -]+)",
    ),
    rule(
        _attribute,
        rf"^(?:[\w-]+'s )?(?:new |work |personal )*(?P<what>{_ATTRIBUTE}) {BY_NOW}(?:is"
        rf"|{_CHANGED}) {BY_NOW}",
        r"(?:on |called )?(?P<v>.+)",
    ),
    rule(
        lambda match: Slot(f"favourite:{noun(match['what'])}", value_of(match["v"])),
        r"^(?:new |all-time |current |absolute )*favou?rite (?P<what>[\w' -]+?) ",
        rf"{BY_NOW}(?:is|are|{_CHANGED}) {BY_NOW}(?P<v>.+)",
    ),
    rule(_naming, rf"{_THING}(?:called|named) (?P<v>.+)"),
    rule(_naming, r"^(?P<what>[\w'-]+)'s name is (?P<v>.+)"),
    rule(
        fills("home"),
        rf"^(?:new |current )*(?:home|house|flat|apartment|place) {BY_NOW}is {BY_NOW}(?:in|at|near) ",
        rf"(?P<v>{PROPER}.+)",
    ),
    rule(
        lambda match: Slot(f"attribute:{noun(match['what'])}", match["v"]),
        rf"{_THING}(?:at|on) (?:an? |the )?(?P<v>[\w+-]+(?: [\w-]+)?) level\b",
    ),
    rule(
        lambda match: Slot(f"place:{noun(match['what'])}", match["v"]),
        rf"{_THING}(?:stored |kept |located |parked |hidden )?",
        r"(?:in|at|on|under|behind|near|next to) (?P<v>.+)",
    ),
    rule(
        lambda match: Slot(f"attribute:{noun(match['what'])}", match["v"]),
        rf"{_THING}(?P<v>(?:(?:a|an|the|their|to)\b|[$€£¥]?\d|{PROPER}).*)",
    ),
    rule(
        lambda match: Slot(f"attribute:{noun(match['what'])}", match["v"]),
        rf"^(?:new )?(?P<what>[\w'. -]+?) {_CHANGED} {BY_NOW}(?P<v>.+)",
    ),
)
"""Rules over what follows "User's"; the first that matches counts."""
