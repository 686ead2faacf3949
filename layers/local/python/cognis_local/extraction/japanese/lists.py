"""One item less of what a Japanese content lists: 「ギターとドラムをやっています」 without the drums."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.japanese.terms import terms

_LISTED: Final = re.compile(
    r"(?P<before>^|^.*?[はの])(?P<items>[^はがをに]+?[とや・、][^はがをに]+?)(?P<after>[がをに].+)$"
)
_JOINT: Final = re.compile(r"[とや・、]")


def without_item(content: str, item: frozenset[str]) -> str:
    """The content without the item of its list that has these terms; empty where it lists no such item."""
    match = _LISTED.match(content)
    if match is None:
        return ""
    items = _JOINT.split(match["items"])
    kept = [each for each in items if not (terms(each, "") and terms(each, "") <= item)]
    if len(kept) != len(items) - 1 or not kept:
        return ""
    return f"{match['before']}{'と'.join(kept)}{match['after']}"
