"""Whom a clause is about: the speaker, somebody related to the speaker, or a named third person."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from cognis_local.extraction.english import grammar, words
from cognis_local.extraction.english.clauses import find_verb
from cognis_local.extraction.english.grammar import bare
from cognis_local.extraction.model import Speaker
from cognis_local.extraction.patterns import ignoring_case, word_set, words_of

_NAME: Final = re.compile(r"^[A-ZÀ-Ý][\w'-]*$")
_TITLES: Final = word_set("dr dr. mr mr. mrs mrs. ms ms. prof prof. aunt uncle grandma grandpa")
_NOT_NAMES: Final = word_set(
    "The A An This That These Those There It He She They We You I My Our Your His Her Their And But So If"
    " When While Because After Before Since Then Now Today Yesterday Tomorrow Last Next Every"
    " Some Many Most"
    " All Both One Two For In On At To From With As By No Not Yes Just Also Still Even Only Thanks Thank"
    " Please Hi Hey Hello Dear Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February"
    " March April May June July August September October November December Everyone Everything Nothing"
    " Someone People Error Note Step Spring Summer Autumn Fall Winter Christmas Easter"
    " Halloween Thanksgiving"
    " Work School Life Music Weekends Mornings Evenings"
)
_PERSONAL_VERBS: Final = word_set(
    "live lives lived moved works worked hates loves likes dislikes enjoys prefers studies studied married"
    " speaks plays wants plans teaches dreams drives owns lost quit got broke bought adopted started turned"
    " knows thinks said feels felt has had is isn't was doesn't don't eats drinks runs visited"
    " grew graduated"
    " suffers dates joined"
)


_TIED: Final = ignoring_case(
    r"^(?:from|at|in) (?:(?:my|our) \w+|work|school|college|uni|church|the (?:office|gym|team"
    r"|club|choir|\w+ (?:team|club))"
    r"|accounting|hr|marketing|sales|finance|it|legal|engineering|support|reception|next door"
    r"|upstairs|downstairs)$"
)
"""How somebody who is named belongs to the speaker's life: "Julia from accounting"."""

_ARTICLES: Final = word_set("a an another one")
_SINGULAR: Final = word_set("i me my mine myself")


@dataclass(frozen=True, slots=True)
class Subject:
    """Who a clause is about (`label`, as memories name it) and the words that name it, up to `end`."""

    label: str
    text: str
    end: int
    is_speaker: bool = False

    @property
    def is_plural(self) -> bool:
        last = bare(self.text.split()[-1]) if self.text else ""
        return grammar.is_plural_noun(last) or last in {"parents", "family"}


def find_subject(clause: str, speaker: Speaker, last_person: Subject | None) -> Subject | None:
    """The subject of a clause; None where the clause is about nobody the conversation knows."""
    tokens = clause.split()
    lowered = [bare(token) for token in tokens]
    root = lowered[0].partition("'")[0]
    if root in words.SPEAKER_SUBJECTS:
        return Subject(speaker.name, speaker.name, 1, is_speaker=True)
    if root in words.THIRD_PERSON | words.THIRD_POSSESSIVES:
        return _pronoun(root, lowered, speaker, last_person)
    if root == "it" and _mentions_speaker(lowered):
        return Subject(speaker.name, "It", 1)
    verb = _verb_after_name(tokens, lowered) or find_verb(lowered, 1)
    if verb is None or root in words.EMPTY_SUBJECTS | words.SECOND_PERSON | grammar.ADVERBS:
        return None
    if root in words.POSSESSIVES:
        return _possessed(tokens, lowered, verb, speaker)
    return _named(tokens, lowered, verb, speaker) or _thing(tokens, lowered, verb, speaker)


def _verb_after_name(tokens: list[str], lowered: list[str]) -> int | None:
    """1 where a name is followed by its verb at once: "Ana lives in Leiden"."""
    named = _NAME.match(tokens[0]) and tokens[0] not in _NOT_NAMES and lowered[0] not in words.POSSESSIVES
    if named and len(lowered) > 1 and (grammar.is_third(lowered[1]) or grammar.is_past(lowered[1])):
        return 1
    return None


def _pronoun(root: str, lowered: list[str], speaker: Speaker, last_person: Subject | None) -> Subject | None:
    """The person named before; "they" may be people unknown who do something to the speaker."""
    anonymous = root == "they" and (last_person is None or not last_person.is_plural)
    if anonymous and _SINGULAR & set(lowered[2:]):
        return Subject(speaker.name, "They", 1)
    if last_person is None or (len(lowered) < 3 and "'" not in lowered[0]):
        return None
    if (root in {"they", "their"}) != last_person.is_plural:
        return None
    return Subject(last_person.label, last_person.text, 1)


def _possessed(tokens: list[str], lowered: list[str], verb: int, speaker: Speaker) -> Subject:
    """A relative or acquaintance by name or relation; the speaker for things, animals and "and I"."""
    text = " ".join(tokens[1:verb])
    if "i" in lowered[1:verb]:
        return Subject(speaker.name, speaker.name, verb, is_speaker=True)
    label, named = relation_label(tokens[1:verb], speaker.name)
    return Subject(label or speaker.name, named or f"{speaker.name}'s {text}", verb)


def relation_label(noun_phrase: list[str], owner: str) -> tuple[str | None, str | None]:
    """Label and name of the person whom "friend Ken", "older sister" or "mother's name" is about.

    Of "sister's husband" and "friend Ken's wife" that is the last: "User's sister's husband", "Ken's wife".
    """
    for i, token in enumerate(noun_phrase):
        word = bare(token)
        root = word.removesuffix("'s").removesuffix("'")
        if root not in words.PEOPLE or _is_of_appointment(noun_phrase, i):
            continue
        label = f"{owner}'s {words.SAME_RELATION.get(root, root)}"
        name = "" if word != root else _leading_name(noun_phrase[i + 1 :])
        last = i + len(name.split())
        if bare(noun_phrase[last]).endswith(("'s", "s'")):
            theirs = relation_label(noun_phrase[last + 1 :], name or label)
            if theirs[0] is not None:
                return theirs
        return (name, name) if name else (label, None)
    return None, None


def _is_of_appointment(noun_phrase: list[str], i: int) -> bool:
    """Whether "dentist" only says which appointment: "dentist appointment"."""
    return i + 1 < len(noun_phrase) and bare(noun_phrase[i + 1]).removesuffix("s") in words.APPOINTMENTS


def _leading_name(tokens: list[str]) -> str:
    name: list[str] = []
    for token in tokens:
        plain = token.strip(",.!:;").removesuffix("'s")
        if not _NAME.match(plain) or plain in _NOT_NAMES:
            break
        name.append(plain)
        if plain != token and token.lower() not in _TITLES:
            break
    return " ".join(name)


def _named(tokens: list[str], lowered: list[str], verb: int, speaker: Speaker) -> Subject | None:
    """A person named at the start: known already, tied to the speaker, or doing what persons do."""
    name = _leading_name(tokens[:verb])
    if tokens[0].endswith("'s") and name and verb > 1:
        label, relative = relation_label(tokens[1:verb], name)
        return Subject(label, relative or label, verb) if label else None
    if not name or len(name.split()) > 3:
        return None
    if "i" in lowered[1:verb]:
        return Subject(speaker.name, "", verb, is_speaker=True)
    known = name in speaker.people or name.split()[0] in speaker.people or lowered[0] in _TITLES
    personal = lowered[verb] in _PERSONAL_VERBS - {"is", "was", "has", "had", "started", "isn't", "lost"}
    alone = len(name.split()) == verb
    if len(name.split()) + 1 < verb and _TIED.match(" ".join(lowered[len(name.split()) : verb])):
        return Subject(name, " ".join(tokens[:verb]), verb)
    if known or (alone and (personal or _mentions_speaker(lowered))):
        return Subject(name, name, verb)
    return None


def _thing(tokens: list[str], lowered: list[str], verb: int, speaker: Speaker) -> Subject | None:
    """Something that does something to the speaker: "The doctor told me to rest".

    What is said of "us" in the present is mostly meant of people in general.
    """
    if lowered[0] in {
        "in",
        "on",
        "at",
        "for",
        "from",
        "to",
        "by",
        "of",
        "with",
        "about",
        "after",
        "before",
        "since",
        "like",
        "as",
    }:
        return None
    told = lowered[verb] in {"told", "said", "asked", "tells", "says"} and lowered[0] not in {"the", "a"}
    roots = {word.partition("'")[0] for word in lowered}
    by_person = bool((words.PEOPLE | words.OCCUPATIONS) & set(lowered[:verb]))
    personal = roots & _SINGULAR or (
        roots & words.FIRST_PERSON and (by_person or grammar.is_past(lowered[verb]))
    )
    inner = any(word.partition("'")[0] in words.SPEAKER_SUBJECTS for word in lowered[: verb + 1])
    inner = inner or (grammar.only_verb(lowered[0]) and not grammar.is_gerund(lowered[0]))
    if told or not personal or inner or roots & words.SECOND_PERSON:
        return None
    return Subject(speaker.name, " ".join(tokens[:verb]), verb)


def _mentions_speaker(lowered: list[str]) -> bool:
    return any(word.partition("'")[0] in words.FIRST_PERSON for word in lowered)


def introduced_person(clause: str, subject: Subject, speaker: Speaker) -> Subject | None:
    """Whom a later "he", "she" or "they" means: the subject, or somebody or an animal mentioned."""
    if subject.label != speaker.name:
        return subject
    tokens = clause.split()
    for i, token in enumerate(tokens):
        following = {bare(word) for word in tokens[i + 1 : i + 3]}
        brings_up = bare(token) in _ARTICLES and bool(words.RELATIVES & following)
        if brings_up or bare(token) in words.POSSESSIVES:
            label, name = relation_label(tokens[i + 1 : i + 4], speaker.name)
            if label is not None:
                return Subject(label, name or label, 1)
    return introduced_pet(clause, speaker)


_PET: Final = re.compile(
    rf"\b(?:a|an|my|our|one|new)\s+(?:[\w-]+\s+){{0,3}}?(?P<pet>{words_of(words.PETS)})\b",
    re.IGNORECASE,
)


def introduced_pet(clause: str, speaker: Speaker) -> Subject | None:
    """The animal that a clause brings up, for "he's called Dash" after "we adopted a greyhound"."""
    match = _PET.search(clause)
    return Subject(speaker.name, f"{speaker.name}'s {match['pet'].lower()}", 1) if match else None
