"""Clauses that leave the speaker out: "Just adopted a kitten", "Can't stand mushrooms", "Fan of K-pop"."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from cognis_local.extraction.english import grammar, words
from cognis_local.extraction.english.clauses import find_verb
from cognis_local.extraction.english.grammar import bare
from cognis_local.extraction.patterns import any_of, ignoring_case, word_set

_OPENERS: Final = word_set("just finally recently already also still always never currently now only even")
_NEGATED: Final = word_set("can't cannot couldn't didn't don't haven't won't")
_SHORT_REPLIES: Final = word_set("said agreed noted")
_AFTER_GOT: Final = word_set("a an my the to back into some married engaged")
_ADJECTIVES: Final = word_set(
    "exciting challenging amazing interesting inspiring rewarding exhausting tiring boring fascinating"
    " shocking heartwarming heartbreaking stunning surprising disappointing refreshing relaxing charming"
    " touching moving amusing annoying confusing frustrating satisfying thrilling terrifying overwhelming"
    " encouraging nothing"
)
_SUPERLATIVES: Final = word_set("best worst most highlight hardest greatest")
_OBJECTS: Final = word_set(
    "a an the my our his her their some two three to in on at for with from by into out off"
)
_MOODS: Final = word_set(
    "excited thrilled nervous worried happy proud tired exhausted stressed grateful thankful busy swamped"
)
_JUDGES: Final = word_set(
    "makes made feels felt helps helped means brings boosts keeps gives sounds looks takes"
)
_EXPLAINS: Final = word_set("because so when if since how what why where")
_OWN_FINITE_VERB: Final = word_set("that which who it i we they he she you to")
_DESCRIBES: Final = ignoring_case(
    r"^(?:not )?(?:a |an )?(?:(?:big|huge|massive|lifelong) )?fan of (?!yours?\b|that\b|this\b|it\b)\w",
    r"|^(?:also )?",
    any_of(
        r"allergic to|based in|born and raised in|born in|married (?:to|with)",
        r"originally from|lactose intolerant|recently divorced",
    ),
    r"\b|^(?:vegetarian|vegan|nurse|teacher|student|engineer|developer|[\w ]{3,20} supporter) here$",
)
_NEEDS_ARTICLE: Final = ignoring_case(
    r"^(?:big|huge|massive|lifelong|nurse|teacher|student|developer)\b|^.* supporter here$"
)


def elided_predicate(text: str) -> str:
    """The predicate as it stands after a name; empty where it is not the speaker who is left out."""
    if _DESCRIBES.match(text):
        article = "a " if _NEEDS_ARTICLE.match(text) else ""
        return f"is {article}" + re.sub(r"\s+here$", "", text if article else text[:1].lower() + text[1:])
    tokens = text.split()
    lowered = [bare(token) for token in tokens]
    i = 0
    while i < len(tokens) - 2 and lowered[i] in _OPENERS:
        i += 1
    head = _finite_head(lowered[i:]) if i + 1 < len(tokens) else ""
    if not head:
        return ""
    first, _, second = head.partition(" ")
    words_in_order = (
        [first, *tokens[:i], second, *tokens[i + 1 :]] if second else [*tokens[:i], first, *tokens[i + 1 :]]
    )
    opening = [word.lower() if j <= i else word for j, word in enumerate(words_in_order) if word]
    return " ".join(opening)


def _finite_head(lowered: list[str]) -> str:
    """The first word as it stands after a name: "is painting", "adopted", "loves"; empty for no verb."""
    head, following = lowered[0], lowered[1]
    if head in {"been", "got", "had"}:
        return _finite_perfect(head, following)
    if grammar.is_gerund(head):
        describes = head in _ADJECTIVES and following not in _OBJECTS
        return "" if len(lowered) < 3 or describes or _is_gerund_subject(lowered) else f"is {head}"
    if grammar.is_past(head) and (grammar.only_verb(head) or following in _OBJECTS):
        return "" if head in _SHORT_REPLIES else head
    taste = head in (words.LIKES | words.DISLIKES) - {"like"} and following not in words.FIRST_PERSON
    if taste or (head in _NEGATED and grammar.is_base(following)):
        return grammar.third_person(head)
    own = following == "to" or bool({"my", "our", "me"} & set(lowered))
    return f"is {head}" if head in _MOODS and own and len(lowered) > 3 else ""


def _finite_perfect(head: str, following: str) -> str:
    if head == "been":
        fits = grammar.is_gerund(following) or following in words.DIETS | words.MARITAL | {"to", "in", "at"}
        return "has been" if fits else ""
    return head if following in _AFTER_GOT or grammar.is_past(following) else ""


def _is_gerund_subject(lowered: list[str]) -> bool:
    """ "Painting helps me relax" speaks of painting; "Painting the nursery these days" of the speaker."""
    verb = find_verb(lowered, 1, limit=14)
    if verb is not None and (
        lowered[verb] in grammar.AUXILIARIES | _JUDGES or grammar.only_verb(lowered[verb])
    ):
        return True
    if any(pair[0] == "the" and pair[1] in _SUPERLATIVES for pair in pairwise(lowered)) and (
        {"is", "was", "were"} & set(lowered[2:])
    ):
        return True
    for previous, word in pairwise(lowered):
        if previous in _EXPLAINS:
            return False
        if word in grammar.AUXILIARIES | _JUDGES and previous.partition("'")[0] not in _OWN_FINITE_VERB:
            return True
    return False
