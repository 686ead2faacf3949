"""Corrections that leave out what they correct: "No, I meant the 13th", "It's Catherine, not Katherine"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cognis_local.extraction.english import words
from cognis_local.extraction.english.clauses import find_verb
from cognis_local.extraction.english.grammar import bare
from cognis_local.extraction.jokes import Jokes
from cognis_local.extraction.patterns import any_of, ignoring_case

_MEANT: Final = ignoring_case(
    r"^(?:(?:oops|sorry|no|wait|actually|i mean|typo|my (?:mistake|bad)|i (?:misspoke"
    r"|misremembered|was wrong|got (?:that|it) wrong))[,;:.]? )*",
    r"(?P<lead>(?:what )?i (?:meant|mean)(?: to (?:say|write|type))?(?: was| is)?|make (?:that"
    r"|it)|(?:that|it) should (?:be|read|say)"
    r"|it(?:'s| is| was)(?: actually| really)?|should (?:be|read|say)|rather)?[,:]? ?",
    r"(?P<new>[^,;]{1,60}?)(?:,? (?:actually|really))?"
    r"(?:,? (?:and )?not (?P<old>[^,;]{1,40}?))?(?:,? (?:sorry|instead|actually))?[.!]*$",
)
_SPELLED: Final = ignoring_case(r"\s+(?:with an? \w+|spelled .+)$")
_MONTHS: Final = any_of(
    "january|february|march|april|may|june|july|august|september|october|november|december",
    "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec",
)
_KINDS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b\d{1,2}(?::\d\d)? ?(?:[ap]\.?m\b\.?|o'clock)|\b\d{1,2}:\d\d\b",
        rf"\b(?:{_MONTHS} \d{{1,2}}(?:st|nd|rd|th)?|(?:the )?\d{{1,2}}(?:st|nd|rd"
        rf"|th)?(?: of)? {_MONTHS})\b(?:,? \d{{4}})?",
        r"\bthe \d{1,2}(?:st|nd|rd|th)\b",
        r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b",
        rf"\b{_MONTHS}\b",
        r"[$€£¥]?\d[\d,.:/-]*\d|[$€£¥]?\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten"
        r"|eleven|twelve)\b",
        r"(?<!^)\b(?-i:[A-Z])[\w'-]*(?: (?-i:[A-Z])[\w'-]*)*",
    )
)
"""Clock times, dates, weekdays, months, numbers, names: one takes the place of another of its kind."""
_NAME: Final = _KINDS[-1]
_HOME: Final = ignoring_case(
    r"\b(?:lives?|living|lived|based|reside|moved|relocated)\b[\w' ]*? (?:in|to|near|at) (?P<v>(?-i:[A-Z]))"
)
_TAKEN_BACK: Final = ignoring_case(
    r"^.{3,}?(?:\s*[—–-]+\s*|[,;…]\s*|\.\.\.\s*)(?:oh |uh,? |er,? |ah,? |oops,? )*"
    r"(?:no,? wait|wait,? no|no,? sorry|sorry,? no|scratch that|i mean|correction|or rather"
    r"|no,? i mean)\b[,:.—–\s-]*"
    r"(?=(?:i|i'm|i've|my|we|we're|our)\b)"
)
JOKES: Final = Jokes(
    called=ignoring_case(
        r"^(?:haha+|lol|ok(?:ay)?|no|nah)?[,.! ]*(?:(?:i'm |i was )?(?:just |only "
        r"|totally )?(?:kidding|joking)|jk|(?:that was|it was|it's)",
        r" (?:just |only )?a joke)\b(?! (?:about|when|that|with|around)\b)[,.!:;—–\s-]*",
    ),
    negated=ignoring_case(r"n't\b|\b(?:not|never|no)\b"),
)


def without_what_was_taken_back(sentence: str) -> str:
    """ "I live in Bern — no wait, I live in Basel" without what the speaker takes back at once."""
    return _TAKEN_BACK.sub("", sentence)


def amended(sentence: str, said_before: Sequence[str]) -> str:
    """What a correction amounts to: the sentence before with the value that it names; else the correction.

    `said_before` holds what the speaker stated, oldest first.
    """
    match = _MEANT.match(sentence)
    if match is None or _states(match["new"]):
        return sentence
    new = _SPELLED.sub("", match["new"])
    for before in reversed(said_before):
        fixed = _with(new, match["old"] or "", before)
        if fixed:
            return fixed
    return sentence


def denied(sentence: str) -> tuple[str, str]:
    """Of "my cousin lives in Oslo, not my sister" what holds and what does not; both empty for others."""
    match = _MEANT.match(sentence)
    if match is None or not match["old"] or not _states(match["new"]):
        return "", ""
    tokens = match["new"].split()
    verb = find_verb([bare(token) for token in tokens], 1)
    old = match["old"].split()
    if verb is None or bare(old[0]) not in words.POSSESSIVES or bare(tokens[0]) not in words.POSSESSIVES:
        return "", ""
    return match["new"], " ".join([*old, *tokens[verb:]])


def _states(text: str) -> bool:
    """Whether it has a subject and a verb of its own."""
    lowered = [bare(token) for token in text.split()]
    if not lowered:
        return False
    root = lowered[0].partition("'")[0]
    return root in words.SPEAKER_SUBJECTS or (root in words.POSSESSIVES and find_verb(lowered, 1) is not None)


def _is_alone(value: str, new: str, before: str) -> bool:
    """Whether nothing is told but the value, in words of the sentence before: "two dogs" for "three dogs"."""
    known = {bare(word) for word in before.split()} | words.STOP
    return all(bare(word) in known for word in new.replace(value.strip(), " ").split())


def _with(new: str, old: str, before: str) -> str:
    """The sentence with the new value; empty where it holds nothing that the value can stand for."""
    if old and re.search(rf"\b{re.escape(old)}\b", before, re.IGNORECASE):
        return re.sub(rf"\b{re.escape(old)}\b", lambda _: new, before, flags=re.IGNORECASE)
    for kind in _KINDS:
        value = kind.search(f" {new}")
        places = _places(kind, before)
        if value and places and _is_alone(value[0], new, before):
            return f"{before[: places[-1].start()]}{value[0].strip()}{before[places[-1].end() :]}"
    return ""


def _places(kind: re.Pattern[str], before: str) -> list[re.Match[str]]:
    """Where values of a kind stand; of several names only the home, as no other is known to be meant."""
    found = list(kind.finditer(before))
    if kind is not _NAME or len(found) < 2:
        return found
    home = _HOME.search(before)
    return [place for place in found if home and place.start() == home.start("v")]
