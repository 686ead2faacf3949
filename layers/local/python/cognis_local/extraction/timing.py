"""When a statement happens, and how its content tells so to a later reader."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cognis_local.extraction.japanese.owned import APPOINTMENTS, MOVED, RESCHEDULED
from cognis_memory.domain.dates import DateMention, find_dates, main_date
from cognis_memory.models.message import Message

_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_YEAR: Final = re.compile(r"(?<!\d)\d{4}(?!\d)|\d年(?![前後間半]|ほど|くらい|ぐらい|以上|ぶり)")
_LENGTH: Final = re.compile(
    r"\b(?:(?P<years>years?|decades?)|(?P<months>months?))\b"
    r".*\b(?:ago|before|earlier|back|from now|later|time)\b"
    r"|^in .*\b(?:(?P<in_years>years?|decades?)|(?P<in_months>months?))\b"
    r"|(?:(?P<years_ja>年)|(?P<months_ja>[かヶケカヵ個]?月))(?:半|ほど|くらい|ぐらい)?(?:以上)?(?:前|後)",
    re.IGNORECASE,
)
"""Lengths from now: what they count tells how exact they are ("three years ago" names no day)."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A content with its dates spelled out, and its time (`end` exclusive, None for an instant).

    `lapses` is set where the content names both ends: what it tells is so between them alone.
    """

    content: str
    start: datetime | None
    end: datetime | None
    lapses: bool = False


_RESCHEDULED: Final = re.compile(
    r"\b(?:has been|have been|was|were|got|is) (?:\w+ )?(?:moved|postponed|rescheduled|pushed"
    r"|delayed|shifted|put off"
    r"|brought forward|changed)(?= (?:\w+ )?(?:to|until)\b)"
    r"|\b(?:moved|shifted)(?= to (?:(?:next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|next)\b)",
    re.IGNORECASE,
)
_MOVED_JA: Final = re.compile(
    rf"(?P<what>{APPOINTMENTS}[はが][^はが]*?){MOVED}$|(?P<other>.[にへ]){RESCHEDULED}$"
)


def _as_to_come(content: str) -> str:
    """The same in as many characters, with what was put off as what will be: its new time is not past."""
    moved = _MOVED_JA.search(content)
    if moved:
        return f"{content[: max(moved.end('what'), moved.end('other'))]}です".ljust(len(content))
    return _RESCHEDULED.sub(lambda match: "will be".ljust(len(match[0])), content)


def local_time(message: Message) -> datetime:
    """When the message was written, on the speaker's clock; UTC where the zone is unknown.

    UTC also where that clock would leave the years 1 to 9999.
    """
    try:
        return message.timestamp.astimezone(ZoneInfo(message.timezone))
    except (ZoneInfoNotFoundError, ValueError, OSError, OverflowError):
        return message.timestamp


def place_in_time(content: str, context: str, reference: datetime, language: str) -> Timed:
    """Puts the date after each relative expression: "last week (15–21 May 2023)".

    The speaker's words stay, because people search with them, and the date keeps them true when read later.
    Where the content names no date, one of `context`, the clause before in the same sentence, counts.
    """
    mentions = find_dates(_as_to_come(content), reference)
    annual = bool(_ANNUAL.search(content))
    mentions = [
        mention
        for mention in mentions
        if not (
            _recurs(mention, content) or _VAGUE.fullmatch(mention.text) or (annual and _names_month(mention))
        )
    ]
    main = main_date(_as_to_come(content), reference) if mentions else None
    if main is not None and main not in mentions:
        main = mentions[0]
    if main is None and context:
        main = main_date(context, reference)
    annotated = _annotated(content, mentions, language)
    if main is None:
        return Timed(annotated, None, None)
    if main.end <= main.start:
        return Timed(annotated, main.start, None)
    return Timed(annotated, main.start, main.end, main in mentions and _names_both_ends(main))


_MONTH_NAMED: Final = re.compile(
    rf"\b(?:{'|'.join(month[:3] for month in _MONTHS)})|[0-9０-９]月", re.IGNORECASE
)
_VAGUE: Final = re.compile(
    r"(?:these days|nowadays|lately|recently|now|right now|at the moment|最近|近頃|この頃|今"
    r"|現在)(?:は|、)?",
    re.IGNORECASE,
)
_SINCE: Final = re.compile(r"^since\b|から$|以来$|以降$", re.IGNORECASE)
_NAMED_DAY: Final = re.compile(rf"\d|\b(?:{'|'.join(month[:3] for month in _MONTHS)})", re.IGNORECASE)
_BARE_WEEKDAY: Final = re.compile(r"[月火水木金土日]曜日?|週末|平日|休日")
_HABITUAL: Final = re.compile(
    r"[てで]い?(?:ます|る)$|好き|嫌い|苦手|得意|趣味|日課"
    r"|(?<!結婚を)(?<!引っ越しを)(?<!手術を)(?<!発表を)(?<!出発を)(?<!試合を)(?<!面接を)(?<!引越しを)を(?:します|する)$"
    r"|(?:通い|通う|習い|習う|走り|走る|泳ぎ|泳ぐ|弾き|弾く|踊り|踊る|教え|練習し|練習す|料理し"
    r"|料理す|掃除し|掃除す|働き|働く)"
    r"(?:ます|る)?$"
)
_ANNUAL: Final = re.compile(r"\b(?:birthday|anniversary) is\b|(?:誕生日|記念日)は", re.IGNORECASE)


def _annotated(content: str, mentions: Sequence[DateMention], language: str) -> str:
    for mention in reversed(mentions):
        if not _YEAR.search(mention.text) and not _recurs(mention, content):
            date = _written_ja(mention) if language == "ja" else _written_en(mention)
            brackets = f"（{date}）" if language == "ja" else f" ({date})"
            content = content[: mention.end_index] + brackets + content[mention.end_index :]
    return content


def _names_both_ends(mention: DateMention) -> bool:
    """ "from 2023 to 2025", but neither "since 2023" nor "from Monday to Friday", which is every week."""
    dated = bool(_NAMED_DAY.search(mention.text))
    return mention.granularity == "range" and dated and not _until_now(mention)


def _recurs(mention: DateMention, content: str) -> bool:
    """「月曜はジムに行っています」 means every Monday."""
    return bool(_BARE_WEEKDAY.fullmatch(mention.text)) and bool(_HABITUAL.search(content))


def _names_month(mention: DateMention) -> bool:
    """Whether only the year is missing: "on 3 April"."""
    return mention.granularity in {"day", "month"} and bool(_MONTH_NAMED.search(mention.text))


def _last_day(mention: DateMention) -> datetime:
    return mention.end - timedelta(microseconds=1) if mention.end > mention.start else mention.start


def _needs_year_only(mention: DateMention) -> bool:
    return (
        mention.granularity in {"year", "decade", "season"}
        or _names_month(mention)
        or _counted_in(mention) == "year"
    )


def _whole_months(mention: DateMention) -> bool:
    named = mention.granularity in {"month", "quarter", "half_year"} and mention.start.day == 1
    return named or _counted_in(mention) == "month"


def _counted_in(mention: DateMention) -> str:
    """ "year" or "month" where a mention counts those from now, however exact its time is; else empty."""
    match = _LENGTH.search(mention.text) if mention.granularity == "day" else None
    if match is None:
        return ""
    return "year" if match["years"] or match["in_years"] or match["years_ja"] else "month"


def _until_now(mention: DateMention) -> bool:
    return mention.granularity == "range" and bool(_SINCE.search(mention.text))


def _written_en(mention: DateMention) -> str:
    first, last = mention.start, _last_day(mention)
    if _until_now(mention):
        return f"since {_first_en(first)}"
    if _needs_year_only(mention):
        return f"{first.year}" if first.year == last.year else f"{first.year}–{last.year}"
    if _whole_months(mention):
        begin, end = f"{_MONTHS[first.month - 1]} {first.year}", f"{_MONTHS[last.month - 1]} {last.year}"
        return begin if begin == end else f"{begin} – {end}"
    if first.date() == last.date():
        return f"{first.day} {_MONTHS[first.month - 1]} {first.year}"
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{last.day} {_MONTHS[first.month - 1]} {first.year}"
    begin_year = "" if first.year == last.year else f" {first.year}"
    begin = f"{first.day} {_MONTHS[first.month - 1]}{begin_year}"
    return f"{begin} – {last.day} {_MONTHS[last.month - 1]} {last.year}"


def _first_en(first: datetime) -> str:
    """The beginning of a stretch, no more exact than it can be: a first of January stands for its year."""
    if first.day == 1:
        return f"{first.year}" if first.month == 1 else f"{_MONTHS[first.month - 1]} {first.year}"
    return f"{first.day} {_MONTHS[first.month - 1]} {first.year}"


def _first_ja(first: datetime) -> str:
    if first.day == 1:
        return f"{first.year}年" if first.month == 1 else f"{first.year}年{first.month}月"
    return f"{first.year}年{first.month}月{first.day}日"


def _written_ja(mention: DateMention) -> str:
    first, last = mention.start, _last_day(mention)
    if _until_now(mention):
        return f"{_first_ja(first)}から"
    if _needs_year_only(mention):
        return f"{first.year}年" if first.year == last.year else f"{first.year}〜{last.year}年"
    if _whole_months(mention):
        begin, end = f"{first.year}年{first.month}月", f"{last.year}年{last.month}月"
        return begin if begin == end else f"{begin}〜{end}"
    begin = f"{first.year}年{first.month}月{first.day}日"
    if first.date() == last.date():
        return begin
    return f"{begin}〜{'' if first.year == last.year else f'{last.year}年'}{last.month}月{last.day}日"
