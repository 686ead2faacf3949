"""Days that share a month: "the 24th and 25th of December", "July 3, 4 and 6"."""

from __future__ import annotations

from typing import NamedTuple

from cognis_memory.domain.dates.details import DayOfMonth, Month
from cognis_memory.domain.dates.english.context import ends_clause, is_day_number
from cognis_memory.domain.dates.english.lexicon import MONTHS, VERB_MONTHS
from cognis_memory.domain.dates.english.named import after_month_name, with_year
from cognis_memory.domain.dates.english.numbers import ordinal
from cognis_memory.domain.dates.english.tokens import Words
from cognis_memory.domain.dates.terms import Body, Chain, chain_of_days

_LAST_JOINTS = ("and", "or", "&")


class Listed(NamedTuple):
    """A body, and the tokens `[first, stop)` that name it."""

    body: Body
    first: int
    stop: int


class _Day(NamedTuple):
    number: int
    first: int
    stop: int
    joined: bool
    """Whether "and" or "or" stands before it: a list of two or more has one before its last day."""


def day_list(words: Words, index: int) -> list[Listed]:
    """The days of a list that starts at `index`: one range where they follow each other, else one each."""
    if words.text(index) in MONTHS:
        days, month_at = _days(words, after_month_name(words, index)), index
        days = [day for i, day in enumerate(days) if i == 0 or _stands_alone(words, day)]
        after = days[-1].stop if days else index
    else:
        days = _days(words, index)
        month_at = words.skip(days[-1].stop, "of") if days else index
        after = after_month_name(words, month_at)
    if len(days) < 2 or not days[-1].joined or not _is_month(words, month_at):
        return []
    dated = with_year(words, after, (Month(MONTHS[words.text(month_at)]), DayOfMonth(days[-1].number)))
    chains = [Chain((*dated.chain.terms[:-1], DayOfMonth(day.number))) for day in days]
    row = chain_of_days(chains)
    if row is not None:
        return [Listed(row, index, dated.stop)]
    starts = [index, *(day.first for day in days[1:])]
    stops = [*(day.stop for day in days[:-1]), dated.stop]
    return [Listed(*one) for one in zip(chains, starts, stops, strict=True)]


def _days(words: Words, index: int) -> list[_Day]:
    found: list[_Day] = []
    at, joined = index, False
    while (number := _number(words, at := words.skip(at, "the"))) is not None:
        found.append(_Day(number[0], at, number[1], joined))
        comma = words.skip(number[1], ",")
        at = words.skip(comma, *_LAST_JOINTS)
        joined = at > comma
        if at == number[1]:
            break
    return found


def _number(words: Words, index: int) -> tuple[int, int] | None:
    if is_day_number(words, index):
        return int(words.text(index)), index + 1
    found = ordinal(words, index)
    return found if found and 1 <= found[0] <= 31 else None


def _stands_alone(words: Words, day: _Day) -> bool:
    """Not so in "March 5 and 10 people came", "May 3 and 5 of us went"."""
    is_ordinal = words.at(day.stop - 1).kind != "number"
    return is_ordinal or (ends_clause(words, day.stop) and words.text(day.stop) != "of")


def _is_month(words: Words, index: int) -> bool:
    token = words.at(index)
    return token.text in MONTHS and (
        token.is_capital or token.text not in VERB_MONTHS or words.text(index - 1) == "of"
    )
