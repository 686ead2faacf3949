"""Appointments that get another time or do not take place: 「面接は木曜日に延期になりました」."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.japanese.owned import CANCELLED, MOVED
from cognis_local.extraction.japanese.terms import terms
from cognis_local.extraction.patterns import word_set

_MOVED_TO: Final = re.compile(rf"^(?P<v>[^はが、]{{1,30}}?)[はが](?:.*){MOVED}$")
_OWN_MOVED: Final = re.compile(
    rf"^(?P<who>[^はが、]{{1,20}}?の)(?P<v>[^はが、]{{1,30}}?)[はが](?:.*){MOVED}$"
)
_NOT_HELD: Final = re.compile(rf"^(?P<v>[^はが、]{{1,30}}?)(?:には|に|[はがを])(?:.*?){CANCELLED}$")
_REASON: Final = re.compile(r"^(?:雨|雪|台風|嵐|風邪|体調不良|仕事|都合|急用)(?:で|のため|により)、?")
_GENERAL: Final = word_set("旅行 予定 約束 予約 計画 件 話 行く")
_TIME: Final = re.compile(
    r"[月火水木金土日]曜|[\d０-９一二三四五六七八九十]+(?:時|日|月)|今日|明日|あさって|明後日|(?:来|再来|今)(?:週|月|年)|（[^（）]*年[^（）]*）"
)


_WHEN: Final = re.compile(rf"毎[朝晩日週]|(?:{_TIME.pattern})日?(?:半|に|の)?")
_PLANNED: Final = re.compile(
    r"(?:予定|つもり|計画|検討)(?:です|だ|があります|がある|して(?:い)?(?:ます|る)|中です)?$"
)
_AT_PRESENT: Final = re.compile(r"最近|今は|今では|今、|このごろ|この頃|近頃|これからは|現在は")


def moved_to_other_time(possessed: str) -> frozenset[str]:
    """The terms of the appointment that gets another time; empty where none does."""
    return _telling(_MOVED_TO.match(possessed))


def called_off(told: str) -> frozenset[str]:
    """The terms of the appointment that does not take place; empty where none is called off."""
    return _telling(_NOT_HELD.match(told))


def with_fuller_name(content: str, held: str) -> str:
    """What tells of another time, with the appointment as a memory names it: 「ケンとの会議」."""
    moved = _OWN_MOVED.match(content)
    if moved is None:
        return content
    named = re.search(
        rf"(?:^|[はがをに）、])(?:ユーザーの)?(?P<v>(?:[^はがをに（）、の]{{1,12}}の)+{re.escape(moved['v'])})",
        held,
    )
    if named is None or named["v"].startswith(moved["who"]) or _TIME.search(named["v"]):
        return content
    return f"{moved['who']}{named['v']}{content[moved.end('v') :]}"


def names_a_time(content: str) -> bool:
    """Whether it tells when something takes place."""
    return bool(_TIME.search(content))


def routine(predicate: str) -> frozenset[str]:
    """The terms of what is done, without when."""
    return terms(_WHEN.sub("", predicate), "")


def is_planned(predicate: str) -> bool:
    """Whether it is a plan of the subject."""
    return bool(_PLANNED.search(predicate))


def is_at_present(predicate: str) -> bool:
    """Whether its words tell that it is so by now."""
    return bool(_AT_PRESENT.search(predicate))


def _telling(match: re.Match[str] | None) -> frozenset[str]:
    found = terms(_REASON.sub("", match["v"]), "") if match else frozenset()
    return found - _GENERAL or found
