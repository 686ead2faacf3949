"""What the rules of Japanese slots are made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from cognis_local.extraction.japanese.values import value_of
from cognis_local.extraction.model import Slot

Builder = Callable[[re.Match[str]], Slot]
"""Makes the slot of a match; one without a value fills nothing."""

Rule = tuple[re.Pattern[str], Builder]

STAYS: Final = r"(?:い)?(?:ます|る)"
"""〜ています, 〜てる: a state that lasts."""
NUMBER: Final = r"[\d０-９一二三四五六七八九十]+"
COUNTER: Final = r"(?:人|匹|頭|羽|名)"


def rule(builder: Builder, *parts: str) -> Rule:
    """The parts in a row as one pattern, and what it makes of a match."""
    return re.compile("".join(parts)), builder


def fills(name: str) -> Builder:
    """Fills the slot with what the group "v" matched."""
    return lambda match: Slot(name, value_of(match["v"]))
