"""One item less of what an English content lists: "plays chess and tennis" without the chess."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.english.terms import terms

_JOINT: Final = re.compile(r",? (?:and|or|&) |, ")
_LONGEST_ITEM: Final = 3
"""Words; what is longer is a clause, not an item."""


def without_item(content: str, item: frozenset[str]) -> str:
    """The content without the item of its list that has these terms; empty where it lists no such item."""
    first, *others = _JOINT.split(content)
    head, _, opening = first.rpartition(" ")
    items = [opening, *others]
    if not others or any(len(other.split()) > _LONGEST_ITEM for other in others):
        return ""
    kept = [each for each in items if not (terms(each, "") and terms(each, "") <= item)]
    if len(kept) != len(items) - 1:
        return ""
    listed = kept[0] if len(kept) == 1 else f"{', '.join(kept[:-1])} and {kept[-1]}"
    return f"{head} {listed}"
