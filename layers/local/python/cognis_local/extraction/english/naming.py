"""Sentences that name somebody brought up before: "Her name is Mugi", "Name's Rex", "we named him Rex"."""

from __future__ import annotations

from typing import Final

from cognis_local.extraction.patterns import ignoring_case

_NAMES: Final = ignoring_case(
    r"^(?:(?:(?:his|her|its|their|the) )?names?(?:'s| is| are)|(?:he|she|it)(?:'s| is) (?:called|named)) "
)
_IMPERSONAL: Final = ignoring_case(r"^(?:(?:its|the) )?name(?:'s| is) (?=(?-i:[A-Z]))")
_IT: Final = ignoring_case(r"^it(?:'s| is) (?=(?:called|named) (?-i:[A-Z]))")
_GIVEN: Final = ignoring_case(r"\b(?P<verb>named|called) (?:her|him|it|them) (?=(?-i:[A-Z]))")


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
