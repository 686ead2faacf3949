"""One item less of what a Japanese content lists: 「ギターとドラムをやっています」 without the drums."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.japanese import words
from cognis_local.extraction.japanese.terms import terms
from cognis_local.extraction.patterns import words_of

_LISTED: Final = re.compile(
    r"(?P<before>^|^.*?[はの])(?P<items>[^はがをに]+?[とや・、][^はがをに]+?)(?P<after>[がをに].+)$"
)
_DATES: Final = re.compile(r"（[^（）]*年[^（）]*）、?")
_JOINT: Final = re.compile(r"[とや・、]")
_NAMED_PET: Final = re.compile(rf"^(?:{words_of(words.PETS)})の(?P<name>.+)$")


def without_item(content: str, item: frozenset[str]) -> str:
    """The content without the item of its list that has these terms; empty where it lists no such item."""
    match = _LISTED.match(content)
    if match is None:
        return ""
    items = _JOINT.split(match["items"])
    kept = [each for each in items if not _is_of(each, item)]
    if len(kept) != len(items) - 1 or not kept:
        return ""
    return f"{match['before']}{'と'.join(kept)}{match['after']}"


def lists_others(content: str, item: frozenset[str]) -> bool:
    """Whether it lists something else beside what has these terms."""
    match = _LISTED.match(_DATES.sub("", content))
    return match is not None and any(not terms(each, "") & item for each in _JOINT.split(match["items"]))


def _is_of(listed: str, item: frozenset[str]) -> bool:
    """Whether an item has no other terms, or is an animal of that name."""
    named = _NAMED_PET.match(listed)
    found = terms(listed, "")
    return bool(found) and (found <= item or (named is not None and terms(named["name"], "") == item))
