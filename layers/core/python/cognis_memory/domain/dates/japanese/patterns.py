"""Small parts of patterns that several elements share."""

from __future__ import annotations

import re
from collections.abc import Iterable


def words(of: Iterable[str]) -> str:
    """Any of the words, the longest first."""
    return "|".join(map(re.escape, sorted(of, key=len, reverse=True)))


NO_DIGIT_BEFORE = r"(?<![\d〇一二三四五六七八九十百千.,:/-])"

# 教えることになった, 行くことにしました, 通うことが決まって: decided before, done afterwards.
DECIDED = r"(?:[うくぐすつぬぶむる]|ない)(?:こと|よう)(?:に(?:な|し(?=[たてま])|決|き[まめ])|が決|で決)"
