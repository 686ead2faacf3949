"""Brings a clause into the plain order of subject and predicate, in whole words, before it is rewritten."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.english import grammar, words
from cognis_local.extraction.english.appointments import with_owner
from cognis_local.extraction.english.grammar import bare
from cognis_local.extraction.english.subjects import Subject
from cognis_local.extraction.patterns import any_of, ignoring_case, word_set, words_of
from cognis_local.extraction.relations import ONE_OF_A_KIND

_PARTICIPLE: Final = any_of(
    "been|got|gotten|made|shown|helped|given|become|had|gone|taken|brought|done|lived|worked|taught|moved|started"
)
_HAS: Final = ignoring_case(rf"^((?:\w+ ){{0,4}}?\w+)'s (?={_PARTICIPLE}\b)")
_IS: Final = ignoring_case(
    r"^(?!i |we )((?:my |our |the )?(?:\w+ ){0,3}?\w+)'s ",
    r"(?=(?:a|an|the|in|at|on|not|very|so|really|called|getting|always|just|now|\w{3,}ing)\b)",
)
_OWN_HOUSEHOLD: Final = ignoring_case(r"^the (?=(?:kids|twins|baby|wife|husband|hubby|family|in-laws)\b)")
_OWN_LIFE: Final = ignoring_case(r"^(?=(?:work|school|uni|business) (?:has|is|was|got|gets|keeps)\b)")
_PRESENTS: Final = re.compile(
    r"^(?:this is|that is|that's|here is|here's|meet) (?P<own>my|our) (?P<what>[\w' -]{2,30}?)"
    r"(?:\s*(?:[:,]|is)\s+(?P<value>.+)|\s+(?P<name>[A-Z]\w+))$"
)
_PARENT: Final = re.compile(r"^(?:[Mm]um|[Mm]om|[Dd]ad|[Gg]randma|[Gg]randpa|[Gg]ranny|[Nn]ana)(?=\s+\w|'s )")
_IS_MY: Final = re.compile(
    rf"^(?P<name>[A-Z][a-z]+) is (?:now )?(?:my|our) (?P<who>{words_of(ONE_OF_A_KIND)})(?: now)?$"
)
_CONTACT: Final = ignoring_case(r"^you can (?:reach|call|contact|text) me (?=(?:at|on|under|via|by) \S*\d)")
_TRAILING: Final = ignoring_case(
    r"(?:[\s,]+(?:lol|haha+|though|you know|i know|i guess|i think|of course|btw|by the way|actually",
    r"|honestly|too|as well|right now|which is [\w ]{1,30}|if that helps|just so you know|fyi))+$",
    r"|,?\s+(?:but|and|so)(?: overall)?$|\s+[-–—]\s+when (?:i|we) do$"
    r"|\s+[-–—]\s+(?:that's|it's|it was|that was|what|such|so)\b.*$",
)
_LEADING: Final = ignoring_case(r"^(?:then|now|also) (?=(?:i|my|we|our)\b)")
_OPENING_WORDS: Final = word_set(
    "in on at for during after before since last next this yesterday today tomorrow tonight every each once"
    " now these those to by with from until over between first then back earlier later two three four five"
    " six several some one sometimes often ever growing as normally nowadays most within around when"
)
_SUBORDINATE: Final = word_set("when whenever since after before while although though as once until because")
_JOINS_TO_SUBJECT: Final = word_set(
    "and or that than when while as before after since because if until where what how"
)


def plain(text: str) -> str:
    """The clause with "'s" written out, the speaker as owner of the household, and facts instead of gestures.

    "This is my daughter Ella" becomes "my daughter is called Ella", "the kids" "my kids".
    """
    presented = _PRESENTS.match(text[:1].lower() + text[1:])
    if presented:
        value = presented["value"] or f"called {presented['name']}"
        text = f"{presented['own']} {presented['what']} is {value}"
    text = _PARENT.sub(lambda match: f"my {match[0].lower()}", text)
    text = with_owner(text)
    text = _IS_MY.sub(r"my \g<who> is called \g<name>", text)
    text = _CONTACT.sub("I can be reached ", text)
    if _OWN_LIFE.match(text):
        text = f"my {text[0].lower()}{text[1:]}"
    text = _OWN_HOUSEHOLD.sub("my ", text)
    return _IS.sub(r"\1 is ", _HAS.sub(r"\1 has ", text))


def without_ends(text: str, listener: str) -> str:
    """The clause without the listener's name (or its short form) at either end, and without tags after it."""
    text = text.strip(" .,!;:–—-…")
    first, comma, rest = text.partition(",")
    if comma and _is_short_for(first, listener):
        text = rest.strip()
    head, comma, last = text.rpartition(",")
    if comma and _is_short_for(last.strip(), listener):
        text = head
    return _LEADING.sub("", _TRAILING.sub("", text))


def _is_short_for(word: str, name: str) -> bool:
    return len(word) > 1 and word[0].isupper() and name.startswith(word)


def without_opening(text: str) -> tuple[str, str]:
    """A clause and the adverbial before it: "I ran" and "last weekend" of "Last weekend I ran"."""
    tokens = text.split()
    first = bare(tokens[0])
    subordinate = "," in text and (first in _SUBORDINATE or grammar.is_gerund(first))
    if not (subordinate or first in _OPENING_WORDS or first.endswith("ly") or first[:1].isdigit()):
        return text, ""
    for i in range(1, min(len(tokens) - 1, 16 if subordinate else 9)):
        if _main_clause_begins(tokens, i, subordinate):
            opening = " ".join(tokens[:i]).rstrip(",")
            return " ".join(tokens[i:]), opening[0].lower() + opening[1:]
    return text, ""


def _main_clause_begins(tokens: list[str], i: int, subordinate: bool) -> bool:
    root = bare(tokens[i]).partition("'")[0]
    if tokens[i - 1].endswith(","):
        return root in words.SPEAKER_SUBJECTS | words.POSSESSIVES
    joined = subordinate or bare(tokens[i - 1]) in _JOINS_TO_SUBJECT
    return root in words.SPEAKER_SUBJECTS and not joined


def with_named_subject(text: str, subject: Subject) -> str:
    """The clause with the person that its first word, "he", "they" or "her", stands for."""
    first, _, rest = text.partition(" ")
    word = bare(first)
    if word in words.THIRD_POSSESSIVES:
        return f"{subject.text}'s {rest}"
    suffix = word.partition("'")[2]
    if suffix == "s":
        verb = "has" if re.match(rf"{_PARTICIPLE}\b", rest) else "is"
    else:
        verb = {"re": "are", "ve": "have", "ll": "will", "d": "would"}.get(suffix, "")
    return " ".join(part for part in (subject.text, verb, rest) if part)
