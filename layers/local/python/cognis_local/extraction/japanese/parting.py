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
_BODY: Final = any_of(
    "チーム|プロジェクト|担当|部活|部門|部署|クラブ|バンド|グループ|サークル|ゼミ|委員会|自治会|町内会|班|係|当番|楽団|劇団|メンバー"
)
LEFT: Final = any_of(
    rf"{_BODY}[^、はがを]{{0,12}}?(?:を|から)(?:外れ|抜け)(?:まし)?た",
    r"(?:を|から)(?:退職|退社|退会|退団|脱退|引退|辞任)し(?:まし)?た",
)
"""A pattern of leaving what one belonged or was assigned to: 「チームを抜けました」."""
_GIVEN_UP: Final = re.compile(
    r"(?:^|、)"
    + any_of(
        r"(?P<v>[^、はがを]+?)(?:を|は)(?:もう)?(?:やめ|辞め)(?:た|て|まし|るこ|ると)",
        rf"(?={LEFT}|[^、はがを]+?{LEFT})(?P<w>[^、はがを]+?)(?:の(?:担当|メンバー|一員))?(?:を|から)"
        r"(?:外れ|抜け|退職|退社|退会|退団|脱退|引退|辞任)",
    )
)
_HAS: Final = re.compile(
    r"を(?:持って|集めて|所有|買|購入|飼|もら|手に入れ|使って|引き取|迎え|契約して|利用して)|に(?:乗って|加入して|登録して|入って)"
    r"|(?:が|も)(?:あ|い)(?:る|ます)"
)


def parted_with(predicate: str) -> frozenset[str]:
    """The terms of what the subject no longer has; empty where nothing is parted with."""
    match = _PARTED.search(predicate)
    return terms(value_of(match["v"] or match["w"]), "") if match else frozenset()


def given_up(predicate: str) -> frozenset[str]:
    """The terms of what the subject stopped doing, without the reason; empty where nothing is stopped."""
    match = _GIVEN_UP.search(predicate)
    return terms(value_of(match["v"] or match["w"]), "") if match else frozenset()


def tells_of_possession(predicate: str, possessed: str) -> bool:
    """Whether it tells that the subject has or got something, by its verb or by 「ユーザーの」."""
    return bool(possessed) or bool(_HAS.search(predicate))
