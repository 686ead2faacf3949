"""The value the resolver answers with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Granularity = Literal[
    "minute",
    "hour",
    "part_of_day",
    "day",
    "weekend",
    "week",
    "month",
    "season",
    "quarter",
    "half_year",
    "year",
    "decade",
    "range",
]


@dataclass(frozen=True, slots=True)
class DateMention:
    """A stretch of time that words of a text mean.

    `text` is `source[start_index:end_index]`. `start` and `end` are aware, in the zone of the reference;
    `end` is exclusive. A clock time on a day ("tomorrow at 08:30") and a distance in hours or minutes
    ("two hours ago") are instants: `end == start`.
    """

    text: str
    start_index: int
    end_index: int
    start: datetime
    end: datetime
    granularity: Granularity
