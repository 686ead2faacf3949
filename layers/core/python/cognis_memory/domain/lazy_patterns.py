"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache


def lazy_pattern(pattern: str, flags: int = 0) -> Callable[[], re.Pattern[str]]:
    """The compiled expression, as `re.compile` makes it, from the first call on.

    Compiling takes milliseconds for wide classes of characters and long alternatives, and a process rarely
    meets every language and every route: a new one does not wait for what it may never read.
    """
    return cache(lambda: re.compile(pattern, flags))
