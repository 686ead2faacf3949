"""Whether a text is a prompt injection, in any of its kinds."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from cognis_memory.domain.lazy_patterns import lazy_pattern
from cognis_memory.domain.prompt_injection.english import instructs_in_english
from cognis_memory.domain.prompt_injection.japanese import instructs_in_japanese
from cognis_memory.domain.prompt_injection.markup import imitates_machinery

_INVISIBLE: Final = lazy_pattern("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
"""Characters without a width, and tags, with which words are hidden or cut in pieces."""

_BLANKS: Final = re.compile(r"[^\S\n]+")


def is_injection(text: str) -> bool:
    """Whether the text gives orders to the assistant or its memory that go beyond its own user's wishes.

    That is: to drop or break its instructions, to hold something true or say something to everybody, to write
    or wipe the memory as such, or it imitates system prompts and tool calls. What somebody wants to be
    reminded of, how they want to be talked to and what they tell about instructions are none. Written in
    full width or with invisible characters is the same. Takes time in proportion to the length.
    """
    plain = _BLANKS.sub(" ", unicodedata.normalize("NFKC", _INVISIBLE().sub("", text)))
    return imitates_machinery(plain) or instructs_in_english(plain) or instructs_in_japanese(plain)
