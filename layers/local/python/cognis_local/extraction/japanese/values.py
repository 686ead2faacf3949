"""The value of an attribute in a Japanese content, without the words of time before it."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.patterns import any_of

_TIME_WORDS: Final = re.compile(
    r"^(?:"
    + any_of(
        r"今|現在|最近|先月|先週|去年|昨年|今年|今月|来月|昨日|今日|ずっと|もう|また|今は|今も",
        r"[0-9０-９]+(?:年|月|日|歳)?(?:前)?(?:に|から|の)?|[^、]{0,8}から",
    )
    + r"(?:は|に|の|、)*)+"
)


def value_of(text: str) -> str:
    """The value alone: 「大阪」 of 「先月、大阪」."""
    return _TIME_WORDS.sub("", text).strip("、「」『』 ")
