"""Time expressions of English and Japanese text, made absolute against the time of the message.

Pure rules without a model: a grammar per language turns words into terms (`terms`), one resolution shared by
all languages turns terms into spans (`resolution`). The conventions:

- Weeks start on Monday; a weekend is Saturday and Sunday; seasons are the astronomical ones of the north.
- "Last Friday" is the latest before today, "this Friday" that of the running week, "next Friday" that of the
  next week, "the coming Friday" the nearest ahead.
- "Two weeks ago" and "in two months" mean a day, "two weeks ago on Friday" the Friday of that week.
- "The last 3 days" end yesterday, "the next 3 weeks" begin tomorrow, while "last week" is the calendar week.
- A clock time on a day is an instant; a bare hour from 1 to 6 is taken for the afternoon.
- What comes round again ("on Friday", "in March", "the 5th") means the latest turn in a sentence about the
  past and the next in one about the future.
"""

from cognis_memory.domain.dates.finding import Preference, find_dates, main_date
from cognis_memory.domain.dates.mention import DateMention, Granularity
from cognis_memory.domain.dates.queries import asks_when, query_window

__all__ = [
    "DateMention",
    "Granularity",
    "Preference",
    "asks_when",
    "find_dates",
    "main_date",
    "query_window",
]
