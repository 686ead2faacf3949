"""What the rules of English slots are made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from cognis_local.extraction.english.terms import canonical
from cognis_local.extraction.english.values import value_of
from cognis_local.extraction.model import Slot
from cognis_local.extraction.patterns import ignoring_case

Builder = Callable[[re.Match[str]], Slot]
"""Makes the slot of a match; one without a value fills nothing."""

Rule = tuple[re.Pattern[str], Builder]

NOW: Final = (
    r"(?:(?:currently|now|still|just|recently|already|finally|also|really|actually|mostly|mainly|has|have"
    r"|usually|normally|typically|generally|always)"
    r"\s+)*"
)
NOT: Final = (
    r"(?:(?:no longer|not|never|doesn't|don't|does not|isn't|is not|didn't|hasn't|can't|any ?more)\s+)*"
)
BY_NOW: Final = (
    r"(?:(?:now|actually|currently|really|still|finally|already|these days|nowadays|at the moment"
    r"|right now) )*"
)
PROPER: Final = "(?-i:[A-Z])"
"""A capital letter, where the rest of a pattern ignores case."""


def fills(name: str, *, replaces: bool = True) -> Builder:
    """Fills the slot with what the group "v" matched."""
    return lambda match: Slot(name, value_of(match["v"]), replaces)


def rule(builder: Builder, *parts: str) -> Rule:
    """The parts in a row as one pattern, and what it makes of a match."""
    return ignoring_case(*parts), builder


def noun(text: str) -> str:
    """A noun phrase in stems, as part of a slot's name."""
    return " ".join(canonical(word) for word in text.lower().split())
