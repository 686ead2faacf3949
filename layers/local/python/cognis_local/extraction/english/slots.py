"""Which attribute an English content fills: "User lives in Osaka" fills "home" with "Osaka"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from cognis_local.extraction.english import words
from cognis_local.extraction.english.parting import LEFT_WORK
from cognis_local.extraction.english.terms import canonical
from cognis_local.extraction.english.values import value_of
from cognis_local.extraction.model import Slot
from cognis_local.extraction.patterns import any_of, ignoring_case, word_set, words_of

_Builder = Callable[[re.Match[str]], Slot]
_Rule = tuple[re.Pattern[str], _Builder]

_NOW: Final = (
    r"(?:(?:currently|now|still|just|recently|already|finally|also|really|actually|mostly|mainly|has|have)"
    r"\s+)*"
)
_NOT: Final = (
    r"(?:(?:no longer|not|never|doesn't|don't|does not|isn't|is not|didn't|hasn't|can't|any ?more)\s+)*"
)
_FUTURE: Final = ignoring_case(
    r"\b(?:will|is going to|is planning|plans? to|wants? to(?! be called)|is moving|is about to|hopes? to)\b"
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
_PROPER: Final = "(?-i:[A-Z])"
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


def _fills(name: str, *, replaces: bool = True) -> _Builder:
    return lambda match: Slot(name, value_of(match["v"]), replaces)


def _rule(builder: _Builder, *parts: str) -> _Rule:
    return ignoring_case(*parts), builder


def _noun(text: str) -> str:
    return " ".join(canonical(word) for word in text.lower().split())


def _naming(match: re.Match[str]) -> Slot:
    """The name of a relative is a slot of the relative's own."""
    what = match["what"].lower()
    return Slot("name" if what in words.PEOPLE else f"name:{_noun(what)}", value_of(match["v"]))


def _pet(match: re.Match[str]) -> Slot:
    return Slot(f"pet_name:{match['pet'].lower()}", value_of(match["v"]))


def _new_pet(match: re.Match[str]) -> Slot:
    """A pet that is acquired comes beside the others."""
    return Slot(f"pet_name:{match['pet'].lower()}", value_of(match["v"]), replaces=False)


def _attribute(match: re.Match[str]) -> Slot:
    what = match["what"].lower()
    return Slot(_SAME_ATTRIBUTE.get(what, what), match["v"])


_DWELLING: Final = r"(?: (?:a|an|the) [\w -]{1,30}? in)?"
_LOWER_CASE_PLACE: Final = (
    r"(?!(?:the|a|an|their|another|tears|marketing|sales|management|finance|engineering|production)\b)"
    r"\w+(?=$| \(| (?:last|this|in|yesterday|today|recently|for)\b)"
)
"""Who writes "i moved to osaka last month" writes places in lower case too."""

_HOME: Final = (
    _rule(
        _fills("home"),
        rf"^{_NOW}{_NOT}",
        any_of(
            "lives?|is living|resides?|is based|(?:been living|lived|been based)(?= in .+ (?:since|for) )"
        ),
        rf"(?: here)? (?:in|at|near|on){_DWELLING} (?P<v>.+)",
    ),
    _rule(
        _fills("home"),
        rf"^{_NOW}{_NOT}(?:moved(?: back| over| house)?|relocated|emigrated|settled(?: down)?)",
        rf"(?: here)?(?: from [\w ]+?)? (?:to|in|into|near){_DWELLING} ",
        rf"(?P<v>(?:[a-z]+ )?{_PROPER}.*|{_LOWER_CASE_PLACE})",
    ),
    _rule(_fills("home"), rf"^is {_NOW}in (?P<v>{_PROPER}\w+)$"),
    _rule(_fills("birthplace"), r"^was born in (?P<v>.+)"),
    _rule(_fills("origin"), r"^(?:comes? from|is (?:originally )?from) (?P<v>.+)"),
)
_WORK: Final = (
    _rule(
        _fills("job"),
        rf"^{_NOW}{_NOT}",
        any_of(
            "works?|is working|(?:started|began)(?: working| out| over| a (?:new )?(?:job|career))?",
            r"(?:got|landed|took|found|accepted) (?:a|the) (?:[\w-]+ )?(?:job|position|role|post)",
            r"(?:was|got|been|is) (?:(?:just|recently|finally) )?(?:hired|employed|recruited|appointed"
            r"|taken on|promoted)"
            "(?: to(?: be)?)?|retrained|has a (?:new )?job|was promoted to(?: be)?",
        ),
        " as (?:a|an|the) (?P<v>.+)",
    ),
    _rule(
        _fills("job"),
        rf"^(?:is|became|has become|was promoted to) {_NOW}{_NOT}(?:a |an |the )?",
        rf"(?P<v>(?:[\w-]+ ){{0,3}}?{_OCCUPATION})\b",
    ),
    _rule(
        _fills("employer"),
        rf"^{_NOW}{_NOT}(?:works?|is working|is employed|started(?: working| a (?:new )?job)?)",
        r" (?:for|at|by|with) (?P<v>(?!home\b|night)\w.*)",
    ),
    _rule(_fills("employer"), rf"^joined (?P<v>{_PROPER}.*)"),
    _rule(_fills("employer", replaces=False), rf"^(?:left|quit|resigned from) (?P<v>{_PROPER}.*)"),
    _rule(
        _fills("job"),
        r"^(?:quit|lost|left|resigned from|doesn't have|no longer has) (?:their|the) (?:\w+ )?(?P<v>job)\b",
    ),
    _rule(lambda _: Slot("job", "job"), rf"^{_NOW}{LEFT_WORK}\b"),
)
_PERSON: Final = (
    _rule(
        lambda match: Slot("age", match["v"]),
        r"^(?:is|turned|is turning|just turned|recently turned|is now) (?P<v>\d{1,3})",
        r"(?: years? old| yo|$|[,.(]| \(| (?:yesterday|today|last|this|on|now)\b)",
    ),
    _rule(
        _fills("name"),
        rf"^{_NOW}(?:legally )?changed their (?:full |legal )?name to (?P<v>{_PROPER}.*)",
    ),
    _rule(_fills("name"), rf"^is {_NOW}(?P<v>{_PROPER}[\w'-]+ {_PROPER}[\w'-]+) now$"),
    _rule(
        _attribute,
        rf"^{_NOW}changed their (?:old |work |personal )*(?P<what>{_ATTRIBUTE}) to (?P<v>.+)",
    ),
    _rule(_fills("nickname"), r"^(?:wants to be called|goes by|is called|is known as) (?P<v>.+)"),
    _rule(
        _fills("diet"),
        rf"^is {_NOW}{_NOT}(?:a |an |strictly |strict |off |done with |through with )*(?P<v>{_DIET})\b",
    ),
    _rule(_fills("diet"), rf"^(?:has gone|went|turned|became|has become) (?P<v>{_DIET})\b"),
    _rule(
        _fills("diet"),
        r"^(?:also )?(?:eats|started eating|has started eating|is eating) ",
        r"(?P<v>meat|fish|dairy|eggs|gluten)\b.*\b(?:again|now)\b",
    ),
    _rule(
        _fills("relationship_status"),
        rf"^(?:(?:is|are|has been|have been) {_NOW}{_NOT}|(?:just |recently |finally )?(?:got|gotten) )",
        rf"(?P<v>{_STATUS}(?: (?:(?:to|with|from) )?{_PROPER}[\w'-]+)?)\b",
    ),
    _rule(
        lambda _: Slot("relationship_status", "single"),
        r"^(?:just |recently )?(?:broke up|split up|separated)\b",
    ),
)
_OWNED: Final = (
    _rule(
        lambda match: Slot("car", value_of(match["v"]), replaces=bool(re.match("drives?", match[0]))),
        rf"^{_NOW}{_NOT}(?:drives?|owns?|bought|has|got|sold|leases?|traded in) (?:their|a|an|the|any)?\s*",
        rf"(?P<v>(?:[\w'-]+ ){{0,4}}?{words_of(words.VEHICLES)})\b",
    ),
    _rule(
        _fills("car", replaces=False),
        rf"^{_NOW}(?:owns?|bought|has|got|leases?) (?:their|a|an|the) ",
        rf"(?P<v>(?:[\w'-]+ ){{0,4}}?(?-i:{_MAKE})\b.*)",
    ),
    _rule(_fills("car"), r"^drives (?:a|an|the) (?P<v>.+)"),
    _rule(
        lambda match: Slot(f"count:{_noun(match['what'])}", match["v"]),
        rf"^{_NOW}has (?P<v>{_NUMBER}) (?P<what>(?:[\w-]+ )?{_COUNTED})\b(?! (?:called|named))",
    ),
    _rule(
        _new_pet,
        rf"^{_NOW}{_NOT}(?:has|owns|got|adopted|bought|keeps|rescued) (?:a|an|one|any)?\s*",
        rf"(?:[\w-]+ ){{0,3}}?(?P<pet>{_PET}) (?:is )?(?:called|named) (?P<v>.+)",
    ),
    _rule(_pet, rf"^{_NOW}(?:named|called) their (?P<pet>{_PET}) (?P<v>{_PROPER}.*)"),
)
_PREDICATES: Final[tuple[_Rule, ...]] = (*_HOME, *_WORK, *_PERSON, *_OWNED)
"""Rules over what follows the subject; the first that matches counts."""

_CHANGED: Final = "(?:has |was )?(?:just |recently )?changed to"
_THING: Final = r"^(?:new )?(?P<what>[\w'. -]+?) (?:is|are) (?:now )?"
_ATTRIBUTES: Final[tuple[_Rule, ...]] = (
    _rule(
        _pet,
        rf"^(?P<pet>(?:[\w-]+ )*?{_PET})(?:(?:'s name)? is (?:now )?(?:called |named )|'s name is )(?P<v>.+)",
    ),
    _rule(_pet, rf"^(?P<pet>(?:[\w-]+ )*?{_PET}) is (?P<v>{_PROPER}[\w'-]*)$"),
    _rule(
        _fills("phone"),
        rf"^(?:new |mobile |cell |home )*(?:phone )?(?:number|phone)(?: number)? (?:is|{_CHANGED}) (?:now )?",
        r"(?P<v>[\d+][\d() -]+)",
    ),
    _rule(
        _attribute,
        rf"^(?:[\w-]+'s )?(?:new |work |personal )*(?P<what>{_ATTRIBUTE}) (?:is|{_CHANGED}) ",
        r"(?:now |on |called )?(?P<v>.+)",
    ),
    _rule(
        lambda match: Slot(f"favourite:{_noun(match['what'])}", value_of(match["v"])),
        r"^(?:all-time |current |absolute )*favou?rite (?P<what>[\w' -]+?) (?:is|are) ",
        r"(?:now |still )?(?P<v>.+)",
    ),
    _rule(_naming, rf"{_THING}(?:called|named) (?P<v>.+)"),
    _rule(_naming, r"^(?P<what>[\w'-]+)'s name is (?P<v>.+)"),
    _rule(
        lambda match: Slot(f"place:{_noun(match['what'])}", match["v"]),
        rf"{_THING}(?:stored |kept |located |parked |hidden )?",
        r"(?:in|at|on|under|behind|near|next to) (?P<v>.+)",
    ),
    _rule(
        lambda match: Slot(f"attribute:{_noun(match['what'])}", match["v"]),
        rf"{_THING}(?P<v>(?:(?:a|an|the|their)\b|\d|{_PROPER}).*)",
    ),
)
"""Rules over what follows "User's"; the first that matches counts."""
