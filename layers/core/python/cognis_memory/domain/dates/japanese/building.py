"""What the match of an element means: the chain before it and its terms, or None where they clash."""

from __future__ import annotations

import re
from collections.abc import Callable

from cognis_memory.domain.dates.details import (
    Clock,
    DayOfMonth,
    Holiday,
    Month,
    Nth,
    PartOfYear,
    Rank,
    Season,
    Weekday,
    Weekend,
)
from cognis_memory.domain.dates.japanese.amounts import amount_of, count_of, unit_of
from cognis_memory.domain.dates.japanese.lexicon import (
    EDGES_OF_YEAR,
    ERAS,
    FRACTIONS,
    HOLIDAYS,
    PARTS_OF_DAY,
    SEASONS,
    WEEKDAYS,
)
from cognis_memory.domain.dates.japanese.numbers import value
from cognis_memory.domain.dates.japanese.relative import NEIGHBOURS, RELATIVE, WHICH, WINDOWS
from cognis_memory.domain.dates.lengths import length
from cognis_memory.domain.dates.spans import CalendarUnitName
from cognis_memory.domain.dates.terms import Chain, FiscalYear, Offset, Term, Unit, Window, Year

Match = re.Match[str]
Build = Callable[[Match, Chain | None], Chain | None]


def _added(chain: Chain | None, *terms: Term) -> Chain | None:
    more = Chain(tuple(sorted(terms, key=lambda term: term.rank)))
    return chain.joined(more) if chain else more


# Relative words


def relative(match: Match, chain: Chain | None) -> Chain | None:
    own = RELATIVE[match["word"]]
    return chain.joined(own) if chain else own


def neighbour(match: Match, chain: Chain | None) -> Chain | None:
    """クリスマスの翌日, その翌日."""
    unit, shift, part = NEIGHBOURS[match["beside"]]
    rest = () if part is None else (part,)
    if chain is None:
        return Chain((Unit(unit, shift, after_mention=True, needs_mention=unit == "day"), *rest))
    return Chain((Unit(unit, shift, chain), *rest)) if chain.is_dated else None


def same_day(match: Match, chain: Chain | None) -> Chain | None:
    """1年前の今日, 去年の今頃; 今日 with nothing before it is today."""
    if chain is None:
        return RELATIVE.get(match[0])
    frame = chain.frame if chain and len(chain.terms) == 1 else None
    if isinstance(frame, Offset) and frame.anchor is None:
        return Chain((Offset(frame.amount, frame.sign, Chain((Unit("day"),))),))
    if isinstance(frame, Unit) and frame.shift and frame.unit in ("week", "month", "year"):
        return Chain((Offset(length(abs(frame.shift), frame.unit), 1 if frame.shift > 0 else -1),))
    return None


def which(match: Match, chain: Chain | None) -> Chain | None:
    """この前の日曜, 今度の土曜: the turn of the element that follows."""
    return None if chain else Chain((), which=WHICH[match["which"]])


# Years


def year(match: Match, chain: Chain | None) -> Chain | None:
    number = value(match["year"])
    if not 1000 <= number <= 2999:
        return None
    if match["year_kind"] == "年代":
        return _added(chain, Year(number, "decade"))
    return _added(chain, Year(number, "fiscal_year" if match["year_kind"] == "年度" else "year"))


def short_decade(match: Match, chain: Chain | None) -> Chain | None:
    number = value(match["decade"])
    return _added(chain, Year(number + (1900 if number >= 30 else 2000), "decade"))


def era_year(match: Match, chain: Chain | None) -> Chain | None:
    number = 1 if match["era_year"] == "元" else value(match["era_year"])
    if not 1 <= number <= 99:
        return None
    return _added(chain, Year(ERAS[match["era"]] + number, "fiscal_year" if match["era_fiscal"] else "year"))


# Months and days


def month(match: Match, chain: Chain | None) -> Chain | None:
    number = value(match["month"])
    if not 1 <= number <= 12:
        return None
    if match["month_day"] is None:
        return _added(chain, Month(number))
    day_number = value(match["month_day"])
    return _added(chain, Month(number), DayOfMonth(day_number)) if 1 <= day_number <= 31 else None


def day(match: Match, chain: Chain | None) -> Chain | None:
    number = value(match["day"])
    return _added(chain, DayOfMonth(number)) if 1 <= number <= 31 else None


def first_of_month(_: Match, chain: Chain | None) -> Chain | None:
    return _added(chain, DayOfMonth(1))


def digits(match: Match, chain: Chain | None) -> Chain | None:
    """2021/3/5, 2021-03."""
    number, month_number = int(match["iso_year"]), int(match["iso_month"])
    day_number = int(match["iso_day"] or 1)
    if not (1000 <= number <= 2999 and 1 <= month_number <= 12 and 1 <= day_number <= 31):
        return None
    days = (DayOfMonth(day_number),) if match["iso_day"] else ()
    return _added(chain, Year(number), Month(month_number), *days)


def slashed(match: Match, chain: Chain | None) -> Chain | None:
    """3/5."""
    month_number, day_number = int(match["slash_month"]), int(match["slash_day"])
    if not (1 <= month_number <= 12 and 1 <= day_number <= 31):
        return None
    return _added(chain, Month(month_number), DayOfMonth(day_number))


# Weekdays, seasons, holidays, parts of a year


def weekday(match: Match, chain: Chain | None) -> Chain | None:
    return _added(chain, Weekday(WEEKDAYS[match["weekday"]]))


def bracketed_weekday(match: Match, chain: Chain | None) -> Chain | None:
    """5月3日(土)."""
    return _added(chain, Weekday(WEEKDAYS[match["bracketed"]]))


def weekend(_: Match, chain: Chain | None) -> Chain | None:
    return _added(chain, Weekend())


def after_weekend(_: Match, chain: Chain | None) -> Chain | None:
    """週明け: Monday."""
    return _added(chain, Weekday(0))


def season(match: Match, chain: Chain | None) -> Chain | None:
    return _added(chain, Season(SEASONS[match["season"]]))


def holiday(match: Match, chain: Chain | None) -> Chain | None:
    return _added(chain, Holiday(HOLIDAYS[match["holiday"]]))


def quarter(match: Match, chain: Chain | None) -> Chain | None:
    return _added(chain, PartOfYear(value(match["quarter"] or match["quarter_short"]), "quarter"))


def half_year(match: Match, chain: Chain | None) -> Chain | None:
    return _added(chain, PartOfYear(1 if match["half"] == "上" else 2, "half_year"))


def edge_of_year(match: Match, chain: Chain | None) -> Chain | None:
    return _added(chain, *EDGES_OF_YEAR[match["edge"]])


def fraction(match: Match, chain: Chain | None) -> Chain | None:
    """来月の初め, 8月下旬; 末 is the weekend of a week and the last days of a year."""
    if chain is None or not chain.is_dated or chain.finest >= Rank.WEEKEND:
        return None
    text = match["fraction"]
    if chain.finest is Rank.WEEK and text == "末":
        return _added(chain, Weekend())
    if chain.finest is not Rank.YEAR:
        return _added(chain, FRACTIONS[text])
    if text in ("前半", "後半"):
        return _added(chain, PartOfYear(1 if text == "前半" else 2, "half_year"))
    if text not in ("末", "暮れ"):
        return _added(chain, FRACTIONS[text])
    return _added(chain, Month(3)) if _is_fiscal(chain) else _added(chain, *EDGES_OF_YEAR["年末"])


def _is_fiscal(chain: Chain) -> bool:
    frame = chain.frame
    return isinstance(frame, FiscalYear) or (isinstance(frame, Year) and frame.length == "fiscal_year")


_NTH_UNITS: dict[str, CalendarUnitName] = {"週末": "weekend", "週": "week", "日": "day"}


def nth(match: Match, chain: Chain | None) -> Chain | None:
    """第2火曜日, 最終週, 最初の10日間."""
    place = match["nth"] or match["nth_counted"]
    number = value(place) if place else (1 if match["nth_end"] == "最初" else -1)
    if number == 0:
        return None
    if match["nth_weekday"]:
        return _added(chain, Nth(number, Weekday(WEEKDAYS[match["nth_weekday"]])))
    count = value(match["nth_count"] or "1")
    unit = _NTH_UNITS.get(match["nth_unit"], "month")
    return _added(chain, Nth(number, unit, count)) if chain and 1 <= count <= 100 else None


def lone_nth_weekday(match: Match, chain: Chain | None) -> Chain | None:
    """第2土曜に: of the month."""
    number = value(match["nth_of_month"])
    return _added(chain, Nth(number, Weekday(WEEKDAYS[match["nth_weekday"]]))) if number else None


# Distances and windows


def offset(match: Match, chain: Chain | None) -> Chain | None:
    """3日前, 2、3日前, クリスマスの3日前, その3日後."""
    amount = amount_of(match["distance"])
    if amount is None or (chain is not None and not chain.is_dated):
        return None
    sign = -1 if match["before"] else 1
    other = length(value(match["fewer"]), amount.unit) if match["fewer"] else None
    return Chain((Offset(amount, sign, chain, from_mention=match[0].startswith("その"), other=other),))


def still_ahead(match: Match, chain: Chain | None) -> Chain | None:
    """あと3日で."""
    amount = amount_of(match["ahead"])
    return Chain((Offset(amount, 1, only_ahead=True),)) if amount and chain is None else None


def window(match: Match, chain: Chain | None) -> Chain | None:
    """過去3ヶ月, ここ数日, これからの2日間."""
    if chain is not None:
        return None
    sign = WINDOWS[match["window"]]
    if match["window_half"]:
        return Chain((Window(length(6, "month"), sign),))
    unit, times = unit_of(match["window_unit"])
    count = count_of(match["window_count"])
    return Chain((Window(length(count * times, unit), sign),)) if count else None


# Time of day


def part_of_day(match: Match, chain: Chain | None) -> Chain | None:
    return _added(chain, PARTS_OF_DAY[match["part"]]) if chain else None


def clock(match: Match, chain: Chain | None) -> Chain | None:
    """8時半, 午後3時, 15:30."""
    if match["clock_hour"]:
        hour = value(match["clock_hour"])
        minute = 30 if match["clock_half"] else value(match["clock_minute"] or "0")
        bare = hour <= 12 and not match["clock_minute"]
    else:
        hour, minute = int(match["digital_hour"]), int(match["digital_minute"])
        bare = hour <= 12 and not match["digital_hour"].startswith("0")
    if hour > 29 or minute > 59:
        return None
    part = (PARTS_OF_DAY[match["clock_part"]],) if match["clock_part"] else ()
    return _added(chain, Clock(hour, minute, bare), *part)
