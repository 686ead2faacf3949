"""What a judge says of an answer, read strictly."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import Final

_OBJECT: Final = re.compile(r"\{[^{}]*\}")
_WORD: Final = re.compile(r"\b(yes|no)\b", re.IGNORECASE)
_LEADING_WORD: Final = re.compile(r"\W*(?:yes|no)\b", re.IGNORECASE)


class Verdict(StrEnum):
    CORRECT = "correct"
    WRONG = "wrong"
    UNPARSABLE = "unparsable"
    """The judge did not answer in its form: never counted as correct."""


_LABELS: Final = {"CORRECT": Verdict.CORRECT, "WRONG": Verdict.WRONG}
_WORDS: Final = {"yes": Verdict.CORRECT, "no": Verdict.WRONG}


def read_label(said: str) -> Verdict:
    """Of a JSON object with the label CORRECT or WRONG, whatever stands around it, unless two differ."""
    labels = {_label(found) for found in _OBJECT.findall(said)}
    return labels.pop() if len(labels) == 1 else Verdict.UNPARSABLE


def read_yes_no(said: str) -> Verdict:
    """Of an answer that begins with yes or no and does not have the other word as well."""
    words = {word.lower() for word in _WORD.findall(said)}
    if _LEADING_WORD.match(said) and len(words) == 1:
        return _WORDS[words.pop()]
    return Verdict.UNPARSABLE


def _label(text: str) -> Verdict:
    try:
        label = json.loads(text).get("label")
    except ValueError:
        return Verdict.UNPARSABLE
    return _LABELS.get(label, Verdict.UNPARSABLE) if isinstance(label, str) else Verdict.UNPARSABLE
