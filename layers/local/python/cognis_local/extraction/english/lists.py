"""One item less of what an English content lists: "plays chess and tennis" without the chess."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cognis_local.extraction.english.terms import terms
from cognis_local.extraction.patterns import ignoring_case

_JOINT: Final = re.compile(r",? (?:and|or|&) |, ")
_DATES: Final = re.compile(r"\s*\([^()]*\d{4}[^()]*\)")
_LONGEST_ITEM: Final = 3
"""Words; what is longer is a clause, not an item."""
_LONGEST_NAMED: Final = 6
"""Words of an item with an article: "a small dog named Rex"."""
_WITH_ARTICLE: Final = ignoring_case(r"^(?P<head>.+?) (?P<opening>(?:an?|the|one) .+)$")
_ARTICLE: Final = ignoring_case(r"^(?:an?|the|one) ")
_NAMED: Final = re.compile(r"\b(?:named|called) (?P<name>[A-Z].*)$")
_COUNTS: Final = ignoring_case(r"\b(?:two|three|four|five|six|several|both|many|\d+)\b")
_BRAND: Final = re.compile(r"^(?:(?:an?|the) )?[A-Z][\w+-]*$")
_BRANDS_NOUN: Final = re.compile(r"^(?:(?:an?|the) )?[A-Z][\w+-]* (?P<noun>[a-z]+)$")


def without_item(content: str, item: frozenset[str]) -> str:
    """The content without the item of its list that has these terms; empty where it lists no such item."""
    head, items = _listed(content)
    kept = [each for each in items if not _is_of(each, item)]
    if len(items) < 2 or len(kept) != len(items) - 1:
        return ""
    kept = _with_shared_noun(kept, items[-1])
    listed = kept[0] if len(kept) == 1 else f"{', '.join(kept[:-1])} and {kept[-1]}"
    return f"{head} {listed}"


def lists_others(content: str, item: frozenset[str]) -> bool:
    """Whether it lists something else beside what has these terms."""
    parts = _JOINT.split(_DATES.sub("", content))
    return len(parts) > 1 and any(not terms(part, "") & item for part in parts)


def _listed(content: str) -> tuple[str, list[str]]:
    """What stands before a list, and its items; no items where it lists none that could stand alone."""
    first, *others = _JOINT.split(content)
    if _COUNTS.search(first):
        return content, []
    phrase = _WITH_ARTICLE.match(first)
    if phrase and all(_ARTICLE.match(other) and len(other.split()) <= _LONGEST_NAMED for other in others):
        return phrase["head"], [phrase["opening"], *others]
    if any(len(other.split()) > _LONGEST_ITEM for other in others):
        return content, []
    head, _, opening = first.rpartition(" ")
    return head, [opening, *others]


def _is_of(listed: str, item: frozenset[str]) -> bool:
    """Whether an item has no other terms, or is called by these."""
    found, named = terms(listed, ""), _NAMED.search(listed)
    return bool(found) and (found <= item or (named is not None and terms(named["name"], "") == item))


def _with_shared_noun(kept: Sequence[str], last: str) -> list[str]:
    """Brands with the noun that only the last of the list had: "a Hulu and a Netflix subscription"."""
    shared = _BRANDS_NOUN.match(last)
    if last in kept or shared is None or not all(_BRAND.match(each) for each in kept):
        return list(kept)
    return [*kept[:-1], f"{kept[-1]} {shared['noun']}"]
