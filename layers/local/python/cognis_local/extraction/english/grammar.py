"""English verbs: which words can be one, in which form, and how they agree with the third person.

The forms come from LemmInflect's dictionary; what it cannot know, which of its readings a sentence means,
is decided by the callers from the words around.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import lemminflect

from cognis_local.extraction.patterns import word_set

BE: Final = frozenset({"am", "is", "are", "was", "were", "'m", "'s", "'re"})
MODALS: Final = word_set(
    "can can't cannot could couldn't may might must mustn't shall should shouldn't will won't would wouldn't"
)
AUXILIARIES: Final = (
    BE
    | MODALS
    | word_set(
        "isn't aren't wasn't weren't has hasn't have haven't had hadn't do don't does doesn't did didn't"
    )
)
ADVERBS: Final = word_set(
    "also always already almost actually absolutely barely both currently even ever finally first generally"
    " hardly honestly just kinda last literally long longer mainly maybe mostly most much never no not now"
    " normally often once only originally probably quite rarely really recently regularly seriously sometimes"
    " soon sorta still then too totally truly typically usually very well all each kind"
)
SAME_IN_PAST: Final = word_set(
    "beat bet burst cast cost cut fit hit hurt let put quit read rid set shed shut split spread upset wed"
)
_IRREGULAR_THIRD: Final = {
    "am": "is", "are": "is", "were": "was", "have": "has", "do": "does", "don't": "doesn't",
    "haven't": "hasn't", "aren't": "isn't", "weren't": "wasn't", "go": "goes", "be": "is",
}  # fmt: skip
_PLURAL_BE: Final = {"am": "are", "is": "are", "was": "were", "isn't": "aren't", "wasn't": "weren't"}


@lru_cache(maxsize=16_384)
def _readings(word: str) -> dict[str, tuple[str, ...]]:
    readings: dict[str, tuple[str, ...]] = lemminflect.getAllLemmas(word)
    return readings


_NOT_ADVERBS: Final = word_set("apply comply family fly imply multiply only rely reply supply early")


def is_adverb(word: str) -> bool:
    """An adverb that stands between a subject and its verb."""
    return word in ADVERBS or (word.endswith("ly") and len(word) > 4 and word not in _NOT_ADVERBS)


def bare(word: str) -> str:
    """The word in lower case without the punctuation around it."""
    return word.strip('.,!?;:…"“”()[]*_~').lower()


def can_be_verb(word: str) -> bool:
    return word in AUXILIARIES or (word.isalpha() and "VERB" in _readings(word))


def only_verb(word: str) -> bool:
    """Whether the word has no reading as a noun or an adjective."""
    return word.isalpha() and set(_readings(word)) <= {"VERB", "AUX"} and can_be_verb(word)


def can_be_noun(word: str) -> bool:
    return "NOUN" in _readings(word) or not _readings(word)


def is_base(word: str) -> bool:
    """A plain form such as "live", which agrees with I, we and they."""
    return word.isalpha() and word in _readings(word).get("VERB", ())


def is_past(word: str) -> bool:
    """A past form or participle: "went", "adopted"; "put" and its like do not differ from the present."""
    if word in AUXILIARIES:
        return word in {"was", "were", "had", "did"}
    if not word.isalpha() or word.endswith(("ing", "ss")) or word in SAME_IN_PAST:
        return False
    verbs = _readings(word).get("VERB", ())
    return bool(verbs) and any(v != word for v in verbs) and not (word.endswith("s") and word[:-1] in verbs)


def is_third(word: str) -> bool:
    """A form such as "lives", which agrees with he, she and it."""
    verbs = _readings(word).get("VERB", ()) if word.isalpha() else ()
    return word.endswith("s") and bool(verbs) and word not in verbs


def is_gerund(word: str) -> bool:
    return len(word) > 4 and word.endswith("ing") and "VERB" in _readings(word)


def is_plural_noun(word: str) -> bool:
    nouns = _readings(word).get("NOUN", ())
    return bool(nouns) and all(n != word for n in nouns)


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A form under which inflections of a word compare equal: "hate" for "hates" and "hated"."""
    readings = _readings(word) if word.isalpha() else {}
    for part in ("VERB", "NOUN", "ADJ"):
        if part in readings:
            return min((lemma for lemma in readings[part]), key=lambda lemma: (lemma == word, len(lemma)))
    return (
        word[:-1]
        if len(word) > 4 and word.endswith("s") and not word.endswith("ss") and word.isalpha()
        else word
    )


def third_person(verb: str) -> str:
    """What follows a name where `verb` followed I or we: "live" gives "lives", "am" "is", "went" "went"."""
    low = verb.lower()
    if low in _IRREGULAR_THIRD:
        return _IRREGULAR_THIRD[low]
    if low in AUXILIARIES or low in SAME_IN_PAST or is_past(low) or not is_base(low):
        return verb
    if low.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def plural(verb: str) -> str:
    """What follows "they" where `verb` followed I: only the forms of "be" differ."""
    return _PLURAL_BE.get(verb.lower(), verb)
