"""Sentences that call what was said just before a joke."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar


class _Told(Protocol):
    @property
    def text(self) -> str: ...


_ToldT = TypeVar("_ToldT", bound=_Told)


@dataclass(frozen=True, slots=True)
class Jokes:
    """How a language says so: `called` is what a sentence begins with then, "just kidding".

    `negated` marks a sentence that takes something back itself.
    """

    called: re.Pattern[str]
    negated: re.Pattern[str]

    def taken_back(self, text: str, before: Sequence[_ToldT]) -> tuple[str, list[_ToldT]]:
        """What else a sentence says, and what is left of those before it; both as they are without a joke.

        The joke is the last of those before. Where there is none, nothing that follows counts, unless it
        takes something back itself.
        """
        match = self.called.match(text)
        if match is None:
            return text, list(before)
        rest = text[match.end() :]
        said = rest if before or self.negated.search(rest) else ""
        return said, [told for told in before if told is not before[-1] or self.negated.search(told.text)]
