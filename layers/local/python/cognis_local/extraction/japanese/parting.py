"""What a content tells of having things and of parting with them: 「自転車を買った」「自転車を譲った」."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.japanese.terms import terms
from cognis_local.extraction.japanese.values import value_of
from cognis_local.extraction.patterns import any_of

ENDS: Final = any_of(
    r"(?<=[をはも])(?:もう)?(?:やめ|辞め|引退し|退職し|卒業し|手放し|売っ)(?:て|まして)",
    r"(?:退職し|退社し|引退し|脱サラし)(?:て|まして)",
)
"""A pattern of an end that leads to something else: 「テニスはやめて、」."""
_PARTED: Final = re.compile(
    r"(?P<v>[^、はがを]+?)(?:を|は)(?:[^、をは]{1,8}(?:に|へ|で))?"
    r"(?:売(?:った|って|り|却)|手放|譲|処分|返品|捨て|下取り|あげ(?:た|まし))"
    r"|(?:もう|本当は|実は)?(?P<w>[^、はがを]+?)(?:を|は|なんて)(?:もう)?(?:持って|飼って)(?:い)?(?:ません|ない)"
)
_GIVEN_UP: Final = re.compile(
    r"(?:^|、)(?P<v>[^、はがを]+?)(?:を|は)(?:もう)?(?:やめ|辞め)(?:た|て|まし|るこ|ると)"
)
_HAS: Final = re.compile(
    r"を(?:持って|所有|買|購入|飼|もら|手に入れ|使って|引き取|迎え)|に乗って|(?:が|も)(?:あ|い)(?:る|ます)"
)


def parted_with(predicate: str) -> frozenset[str]:
    """The terms of what the subject no longer has; empty where nothing is parted with."""
    match = _PARTED.search(predicate)
    return terms(value_of(match["v"] or match["w"]), "") if match else frozenset()


def given_up(predicate: str) -> frozenset[str]:
    """The terms of what the subject stopped doing, without the reason; empty where nothing is stopped."""
    match = _GIVEN_UP.search(predicate)
    return terms(value_of(match["v"]), "") if match else frozenset()


def tells_of_possession(predicate: str, possessed: str) -> bool:
    """Whether it tells that the subject has or got something, by its verb or by 「ユーザーの」."""
    return bool(possessed) or bool(_HAS.search(predicate))
