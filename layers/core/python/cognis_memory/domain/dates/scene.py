"""Where and when an expression was said: what its meaning depends on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import Enum

from cognis_memory.domain.dates.spans import Span


class Tense(Enum):
    PAST = -1
    FUTURE = 1


@dataclass(frozen=True, slots=True)
class Scene:
    """The scene of one expression.

    `reference`: the aware time of the message. `read_tense`: what the sentence shows; `default_tense`: what
    counts where it shows none. `mention`: the span that the text named before; `around`: the week, month or
    year of that mention, if it named one in the same sentence. `counts_today`: said on a Friday, "Friday"
    may be today, which it is not in speech, but is for the other side of "Friday from 3 to 5".
    """

    reference: datetime
    read_tense: Callable[[], Tense | None]
    default_tense: Tense
    mention: Span | None = None
    around: Span | None = None
    counts_today: bool = False

    @property
    def tense(self) -> Tense | None:
        return self.read_tense()

    @property
    def now(self) -> datetime:
        return self.reference.replace(tzinfo=None)

    @property
    def today(self) -> date:
        return self.reference.date()

    @property
    def step(self) -> int:
        """-1 where the past is meant, else 1."""
        return (self.tense or self.default_tense).value

    def in_tense(self, tense: Tense) -> Scene:
        return replace(self, read_tense=lambda: tense)

    def moved_to(self, moment: datetime, tense: Tense) -> Scene:
        """Seen from another date that the same expression names."""
        reference = moment.replace(tzinfo=self.reference.tzinfo)
        alone = replace(self, reference=reference, mention=None, around=None, counts_today=True)
        return alone.in_tense(tense)
