"""The category of a content, by its slot first and then by the words of both languages."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.topics import TOPICS, Topic
from cognis_memory.models.values import Category

_BY_SLOT: Final = {
    **dict.fromkeys(
        ("home", "name", "age", "birthday", "birthplace", "origin", "phone", "email", "address", "car"),
        Category.PERSONAL_DETAILS,
    ),
    **dict.fromkeys(("job", "employer"), Category.PROFESSIONAL),
    **dict.fromkeys(("favourite", "likes"), Category.PREFERENCES),
    **dict.fromkeys(("relationship_status", "pet_name", "count"), Category.RELATIONSHIPS),
    "nickname": Category.COMMUNICATION_STYLE,
    "salary": Category.FINANCIAL,
    "diet": Category.DIETARY,
}


def _pattern(topic: Topic) -> re.Pattern[str]:
    english = (re.escape(word.strip()).replace(r"\*", r"\w*") for word in topic.english.split(","))
    return re.compile(
        rf"(?<!\w)(?:{'|'.join(english)})(?!\w)|{'|'.join(map(re.escape, topic.japanese.split()))}",
        re.IGNORECASE | re.ASCII,
    )


_PATTERNS: Final = tuple((topic.category, topic.weight, _pattern(topic)) for topic in TOPICS)


def categorise(content: str, slot: str | None) -> Category:
    """The category whose words tell most of the content; a personal detail where nothing tells."""
    by_slot = _BY_SLOT.get(slot.partition(":")[0]) if slot is not None else None
    if by_slot is not None:
        return by_slot
    scores = {
        category: weight * len({word.lower() for word in pattern.findall(content)})
        for category, weight, pattern in _PATTERNS
    }
    best = max(scores.values())
    if best == 0:
        return Category.PERSONAL_DETAILS
    return next(category for category, score in scores.items() if score == best)
