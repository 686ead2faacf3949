"""Where the value of an attribute ends in an English content."""

from __future__ import annotations

from typing import Final

from cognis_local.extraction.patterns import any_of, ignoring_case

MONTH: Final = any_of(
    "january|february|march|april|may|june|july|august|september|october|november|december",
    r"\d{4}|the (?:summer|spring|autumn|fall|winter)",
)
_VALUE_END: Final = ignoring_case(
    r"\s*(?:[,;(]|\s?[-–—]\s|\b",
    any_of(
        "with|and|but|for|since|now|these days|any ?more|again|because|where|which|who|last|next|this",
        rf"in {MONTH}|from|until|at the moment|so|when|while|after|before|ago|a (?:week|month|year)",
        "two|three|about|like|yesterday|today|right now|currently|instead",
    ),
    r"\b)",
)


def value_of(text: str) -> str:
    """The value without what follows it: "Osaka" of "Osaka with my cats"."""
    end = _VALUE_END.search(text, 1)
    return (text[: end.start()] if end else text).strip(" .,!'\"“”")
