"""How somebody takes to a thing, in English: "loves spicy curry", "can't eat nuts any more"."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.english import words
from cognis_local.extraction.english.terms import ordered_terms
from cognis_local.extraction.english.values import value_of
from cognis_local.extraction.model import Stance
from cognis_local.extraction.patterns import any_of, ignoring_case, word_set

_NEGATIONS: Final = "no longer|does not|doesn't|don't|do not|is not|isn't|never|can't|cannot|not|used to"
_EMPHASIS: Final = rf"(?:(?:really|absolutely|just|also|still|always|actually|{_NEGATIONS}) )*"
_NEGATED: Final = ignoring_case(r"no longer|not|n't|never|cannot|used to")
_LIKING: Final = ignoring_case(
    rf"^(?P<who>{_EMPHASIS}",
    r"(?:(?:is|are) (?:(?:\w+ly|now|not|also|still|a|big|huge|very|so|no longer) )*",
    r"(?=into|fan|fond|keen|crazy))?)",
    r"(?P<verb>likes|(?:(?<=n't )|(?<=not )|(?<=ly )|(?<=never )|(?<=used to ))like",
    r"|(?:love|enjoy|adore|hate|dislike|loathe|detest|despise)s?|stand|bear",
    r"|into|fans? of|fond of|keen on|crazy about) (?P<v>.+)",
)
_COMES_TO: Final = ignoring_case(
    r"^(?:(?:has|is|just|slowly|gradually|recently|finally|actually|even|also|really|now) )*(?:",
    r"(?:back|come|came|grown|grew|learn(?:ed|t)|started|starting|begun|began|beginning)(?: to)? ",
    r"(?:(?:really|truly|actually|quite|absolutely) )*",
    r"(?P<verb>(?:lov|lik|enjoy|ador|appreciat|hat|dislik|loath|detest|despis)(?:e|ing)?)",
    r"|(?P<turn>fallen in love with|fell in love with|warmed to|got(?:ten)? into|developed a taste for"
    r"|acquired a taste for|(?:gone|went) off|lost (?:interest in|(?:their|the) taste for)"
    r"|fallen out of love with|fell out of love with|grown tired of|got(?:ten)? tired of|(?:sick"
    r"|fed up) (?:of|with)))",
    r" (?P<v>.+)",
)
_TURNS_AWAY: Final = ignoring_case(
    r"hat|dislik|loath|detest|despis|gone|went|lost|out of love|tired|sick|fed up"
)
_LIGHT_VERB: Final = ignoring_case(
    r"^(?:the taste of|eating|drinking|playing|having|to eat|to drink|to play|doing|practising|practicing)\s+"
)
_DISLIKES: Final = tuple(words.DISLIKES)
_ADVERBS: Final = r"(?:(?:actually|really|also|now|still|finally|\w+ly) )*"
_REACTS: Final = ignoring_case(
    rf"^(?:is|was) (?P<who>(?:(?:actually|really) )?(?:not |no longer |never )?){_ADVERBS}",
    r"(?:(?:allergic|intolerant|sensitive) to (?P<v>.+)|(?P<what>[\w-]+?)[ -]intolerant\b)",
    r"|^(?P<has>(?:does not|doesn't|no longer) ha(?:s|ve)|ha[sd]|outgrew|has outgrown) ",
    r"(?:(?:an?|any|the|their|severe|mild|bad) )*(?P<thing>[\w ]+?) (?:allergy|intolerance)\b",
)
_CAN_HAVE: Final = ignoring_case(
    rf"^(?:is {_ADVERBS}(?P<is>(?:not )?){_ADVERBS}(?:fine|okay|ok|good) with",
    rf"|(?P<can>can(?: not|not|'t)?|could not|couldn't|is (?:not |no longer )?{_ADVERBS}(?:un)?able to"
    rf"|is (?:not |no longer )?{_ADVERBS}allowed to) {_ADVERBS}(?:eat|drink|have|tolerate|digest))",
    r" (?P<v>.+)",
)
_CURED: Final = ignoring_case(
    r"^(?P<v>[\w ]+?) (?:allergy|intolerance) (?:is|has|was|went|turned)\b.*",
    any_of("gone|away|cleared|disappeared|cured|false alarm|mistake"),
)
_TURNED: Final = ignoring_case(
    r"\b(?:now|any ?more|no longer|again|these days|nowadays|lately|used to|(?:grown|grew|come|came) to"
    r"|after all)\b"
)
_CONDITION: Final = ignoring_case(
    r"\b(?:after (?!all\b)|before |when|while |if |unless |during |except |too (?:late|early|often|much)\b"
    r"|(?:late )?at night|(?:early |late )?in the (?:morning|evening|afternoon)|on (?:\w+days?|weekends)\b"
    r"|for (?:breakfast|lunch|dinner)\b|with(?:out)? )"
)
"""Circumstances under which somebody dislikes what they may like otherwise: "coffee after 5pm"."""
_LISTED: Final = ignoring_case(r",|\b(?:and|or|nor)\b|&")
_PLACED: Final = ignoring_case(r"\s(?:of|in|on|from|at|by|to|made|as)\b.*$")
_ANY_THING: Final = word_set("food thing stuff dish")
_SAME_ALLERGEN: Final = {"milk": "dairy", "lactose": "dairy"}


def stance_of(predicate: str, possessed: str) -> Stance | None:
    """The stance that a content tells: `predicate` follows the subject, `possessed` follows "User's"."""
    if possessed:
        cured = _CURED.match(possessed)
        return _bearing(cured["v"], True, possessed) if cured else None
    return _liking(predicate) or _tolerance(predicate)


def _liking(text: str) -> Stance | None:
    comes = _COMES_TO.match(text)
    if comes:
        thing = _LIGHT_VERB.sub("", comes["v"])
        likes = not _TURNS_AWAY.match(comes["verb"] or comes["turn"]) and "out of" not in (
            comes["turn"] or ""
        )
        return Stance("liking", *_thing_and_head(thing), likes, True, value_of(thing))
    match = _LIKING.match(text)
    if match is None:
        return None
    verb = match["verb"].lower()
    likes = not verb.startswith(_DISLIKES)
    if _NEGATED.search(match["who"]):
        likes = not likes and verb not in {"stand", "bear"}
    if not likes and _CONDITION.search(match["v"]):
        return None
    thing = _LIGHT_VERB.sub("", match["v"])
    return Stance("liking", *_thing_and_head(thing), likes, bool(_TURNED.search(text)), value_of(thing))


def _tolerance(text: str) -> Stance | None:
    reacts = _REACTS.match(text)
    if reacts:
        ended = _NEGATED.search(reacts["who"] or reacts["has"] or "") or (reacts["has"] or "").startswith(
            "out"
        )
        return _bearing(reacts["v"] or reacts["what"] or reacts["thing"], bool(ended), text)
    can = _CAN_HAVE.match(text)
    if can is None:
        return None
    cannot = re.search("unable", can["can"] or "") or _NEGATED.search(can["is"] or can["can"] or "")
    return _bearing(can["v"], not cannot, text)


def _bearing(thing: str, favourable: bool, text: str) -> Stance:
    terms, head = _thing_and_head(thing)
    same = frozenset(_SAME_ALLERGEN.get(term, term) for term in terms)
    head = _SAME_ALLERGEN.get(head, head) if head else head
    return Stance("bearing", same, head, favourable, bool(_TURNED.search(text)), value_of(thing))


def _thing_and_head(text: str) -> tuple[frozenset[str], str | None]:
    """The terms of a thing and the noun that the others narrow, as in `Stance`."""
    name = value_of(text)
    if _LISTED.search(name) or _LISTED.match(text[len(name) :].lstrip()):
        return frozenset(ordered_terms(text, "")), None
    nouns = ordered_terms(_PLACED.sub("", name), "")
    terms = frozenset(ordered_terms(name, "")) - _ANY_THING
    return terms, "" if nouns and nouns[-1] in _ANY_THING else (nouns[-1] if nouns else None)
