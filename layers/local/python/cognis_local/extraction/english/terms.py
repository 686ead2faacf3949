"""The words and numbers that tell one English content from another."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.english import grammar, words
from cognis_local.extraction.patterns import by_word, word_set

_SYNONYMS: Final = by_word(
    {
        "love": "adore enjoy like",
        "hate": "dislike detest loathe",
        "favourite": "favorite",
        "colour": "color",
        "mother": "mom mum",
        "father": "dad",
        "child": "kid",
        "film": "movie",
        "have": "own",
        "live": "reside",
        "start": "begin",
        "quit": "stop",
        "dog": "puppy",
        "cat": "kitten",
        "speak": "talk",
        "allergic": "allergy",
        "subscribe": "subscription",
        "member": "membership",
        "fly": "flight",
    }
)
_CHANGE: Final = word_set("no not never longer anymore any more stop quit cancel drop give sell rid")
"""What only says that something ended: "quit smoking" is about smoking."""

_NO_TERMS: Final = re.compile(r"\bafter all\b|\b(?:a lot|very much|so much|a (?:little )?bit)\b(?! of\b)")
"""How much and how it turned out, of whatever it is."""

_ORDINAL: Final = re.compile(r"(?<=\d)(?:st|nd|rd|th)$")
_WORD: Final = re.compile(r"\w+(?:[-'.@/:]\w+)*")


def canonical(word: str) -> str:
    """The stem of a word, the same for synonyms and spellings."""
    stem = grammar.stem(word)
    return _SYNONYMS.get(stem, stem)


def terms(text: str, subject: str) -> frozenset[str]:
    """The distinguishing words and numbers of a text as stems, without those that name its subject."""
    return frozenset(ordered_terms(text, subject))


def ordered_terms(text: str, subject: str) -> list[str]:
    """The same in the order of the text."""
    left_out = {part.lower().removesuffix("'s") for part in subject.split()} | {"user", "assistant"}
    found = []
    for match in _WORD.finditer(_NO_TERMS.sub("", text.lower())):
        word = match.group().removesuffix("'s")
        if word in left_out or word in words.STOP or "n't" in word or grammar.is_adverb(word):
            continue
        found.append(canonical(_ORDINAL.sub("", word)))
    return [term for term in found if term not in words.STOP | _CHANGE]
