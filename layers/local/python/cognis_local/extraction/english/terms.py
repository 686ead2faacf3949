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
    }
)
_CHANGE: Final = word_set("no not never longer anymore any more stop quit cancel drop give sell rid")
"""What only says that something ended: "quit smoking" is about smoking."""

_WORD: Final = re.compile(r"\w+(?:[-'.@/:]\w+)*")


def canonical(word: str) -> str:
    """The stem of a word, the same for synonyms and spellings."""
    stem = grammar.stem(word)
    return _SYNONYMS.get(stem, stem)


def terms(text: str, subject: str) -> frozenset[str]:
    """The distinguishing words and numbers of a text as stems, without those that name its subject."""
    left_out = {part.lower().removesuffix("'s") for part in subject.split()} | {"user", "assistant"}
    found = set()
    for match in _WORD.finditer(text.lower()):
        word = match.group().removesuffix("'s")
        if word in left_out or word in words.STOP or "n't" in word or grammar.is_adverb(word):
            continue
        found.add(canonical(word))
    return frozenset(found - words.STOP - _CHANGE)
