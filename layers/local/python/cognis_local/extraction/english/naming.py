"""Sentences that name somebody brought up before: "Her name is Mugi", "Name's Rex", "we named him Rex"."""

from __future__ import annotations

from typing import Final

from cognis_local.extraction.english.subjects import Subject
from cognis_local.extraction.model import USER, Speaker
from cognis_local.extraction.patterns import ignoring_case

_NAMES: Final = ignoring_case(
    r"^(?:(?:(?:his|her|its|their|the) )?names?(?:'s| is| are)|(?:he|she|it)(?:'s| is) (?:called|named)) "
)
_IMPERSONAL: Final = ignoring_case(r"^(?:(?:its|the) )?name(?:'s| is) (?=(?-i:[A-Z]))")
_IT: Final = ignoring_case(r"^it(?:'s| is) (?=(?:called|named) (?-i:[A-Z]))")
_GIVEN: Final = ignoring_case(r"\b(?P<verb>named|called) (?:her|him|it|them) (?=(?-i:[A-Z]))")


_MET: Final = ignoring_case(
    r"^we(?:'d|'ve| had| have)? (?P<adverbs>(?:first |actually |originally |only |just )*)met(?P<rest>$|",
    r" (?:at|in|on|through|during|while|when|over|via|back|as|online|by|last|this|\d|years|there"
    r"|yesterday|for"
    r"|(?:an?|two|three|four|five|six|seven|eight|nine|ten|some|many|a few|a couple of) [\w ]*ago)\b.*)",
)


def with_whom_met(clause: str, person: Subject | None, speaker: Speaker) -> str:
    """ "We met in Rome" with whom the speaker met: the person before, the listener or somebody."""
    match = _MET.match(clause)
    if match is None:
        return clause
    other = speaker.addressee if speaker.addressee not in {"the assistant", USER} else "somebody"
    if person is not None and not person.is_speaker:
        other = person.text.replace(f"{speaker.name}'s ", "my ", 1)
    return f"I {match['adverbs']}met {other}{match['rest']}"


def names_somebody(sentence: str) -> bool:
    """Whether a sentence tells the name of somebody whom it does not introduce."""
    return bool(_NAMES.match(sentence) or _GIVEN.search(sentence))


def with_pronoun(clause: str) -> str:
    """ "Its name is Mugi", "Name's Mugi" with a pronoun of somebody, which the sentences before explain."""
    return _IT.sub("she is ", _IMPERSONAL.sub("her name is ", clause))


def with_named(content: str, who: str, speaker: str) -> str:
    """ "User named her Mugi" with the one who is named: "User named their cat Mugi"."""
    own = who.replace(f"{speaker}'s ", "their ", 1)
    return _GIVEN.sub(lambda match: f"{match['verb']} {own} ", content)
