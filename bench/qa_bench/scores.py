"""LoCoMo's scores of answers.

Source: Maharana et al., 2024 (arXiv 2402.17753), as `task_eval/evaluation.py` of snap-research/locomo
computes them. Its Porter stemmer is NLTK's with NLTK's own extensions, which stems about 3 % of LoCoMo's
words differently than Porter's algorithm as such.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from functools import cache
from typing import Final

from nltk.stem.porter import PorterStemmer

MULTI_HOP: Final = "multi-hop"
TEMPORAL: Final = "temporal"
OPEN_DOMAIN: Final = "open-domain"
SINGLE_HOP: Final = "single-hop"
ADVERSARIAL: Final = "adversarial"

NO_INFORMATION: Final = "No information available"
"""How an answer says that there is none; LoCoMo looks for these words."""

_ABSTAINING: Final = ("no information available", "not mentioned")
_ARTICLES: Final = re.compile(r"\b(?:a|an|the|and)\b")
_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)


def answer_score(category: str, answer: str, gold: str) -> float:
    """0 to 1 for an answer to a question of one of LoCoMo's categories; ADVERSARIAL takes no `gold`.

    The answers of a multi-hop question stand between commas; of open-domain's, what follows the first
    semicolon is an explanation.
    """
    if category == ADVERSARIAL:
        return float(abstains(answer))
    if category == MULTI_HOP:
        return multi_answer_f1(answer, gold)
    return token_f1(answer, gold.partition(";")[0].strip() if category == OPEN_DOMAIN else gold)


def token_f1(answer: str, gold: str) -> float:
    """The harmonic mean of precision and recall over stems, each counted as often as it occurs."""
    found, wanted = stems(answer), stems(gold)
    shared = sum((Counter(found) & Counter(wanted)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(found), shared / len(wanted)
    return 2 * precision * recall / (precision + recall)


def multi_answer_f1(answer: str, gold: str) -> float:
    """The mean, over the parts of `gold` between commas, of the best F1 of any such part of the answer."""
    parts = [part.strip() for part in answer.split(",")]
    wanted = [part.strip() for part in gold.split(",")]
    return sum(max(token_f1(part, one) for part in parts) for one in wanted) / len(wanted)


def abstains(answer: str) -> bool:
    """Whether the answer says, in LoCoMo's words, that there is none."""
    return any(phrase in answer.lower() for phrase in _ABSTAINING)


def coverage(answer: str, gold: str) -> float:
    """The share of the gold answer's stems that occur in the answer, 0 to 1; not one of LoCoMo's scores."""
    found, wanted = Counter(stems(answer)), Counter(stems(gold))
    return (found & wanted).total() / wanted.total() if wanted else 0.0


def stems(text: str) -> list[str]:
    return [_stem(word) for word in normalise(text).split()]


def normalise(text: str) -> str:
    """Lower case, without ASCII punctuation, articles and "and", words parted by one space."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


@cache
def _stemmer() -> PorterStemmer:
    return PorterStemmer()


@cache
def _stem(word: str) -> str:
    stem: str = _stemmer().stem(word)
    return stem
