"""Japanese words for a time seen from now or from another time: 先週, 一昨日, 翌日, この前の, これからの."""

from __future__ import annotations

from cognis_memory.domain.dates.details import Fraction, Month, PartOfDay, Season
from cognis_memory.domain.dates.japanese.lexicon import DUSK, MORNING, NIGHT, SEASONS
from cognis_memory.domain.dates.spans import CalendarUnitName
from cognis_memory.domain.dates.terms import Chain, FiscalYear, Unit

_UNITS: tuple[tuple[CalendarUnitName, int, str], ...] = (
    ("day", 0, "今日 本日 きょう"),
    ("day", -1, "昨日 きのう"),
    ("day", -2, "一昨日 おととい"),
    ("day", -3, "一昨々日 さきおととい"),
    ("day", 1, "明日 あした"),
    ("day", 2, "明後日 あさって"),
    ("day", 3, "明々後日 しあさって"),
    ("week", 0, "今週"),
    ("week", -1, "先週"),
    ("week", -2, "先々週 先先週"),
    ("week", 1, "来週"),
    ("week", 2, "再来週 さ来週"),
    ("month", 0, "今月 本月"),
    ("month", -1, "先月"),
    ("month", -2, "先々月 先先月"),
    ("month", 1, "来月"),
    ("month", 2, "再来月 さ来月"),
    ("quarter", 0, "今四半期"),
    ("quarter", -1, "前四半期"),
    ("quarter", 1, "来四半期"),
    ("year", 0, "今年 本年 ことし"),
    ("year", -1, "去年 昨年"),
    ("year", -2, "一昨年 おととし"),
    ("year", 1, "来年 明年"),
    ("year", 2, "再来年 さ来年"),
)
_FISCAL_YEARS = (
    (0, "今年度 本年度"),
    (-1, "昨年度 去年度 前年度"),
    (-2, "一昨年度"),
    (1, "来年度"),
    (2, "再来年度"),
)
_PARTS_OF_DAYS = (
    (-1, NIGHT, "昨夜 昨晩 ゆうべ"),
    (-1, DUSK, "昨夕"),
    (-2, NIGHT, "一昨夜 一昨晩"),
    (0, MORNING, "今朝 けさ"),
    (0, DUSK, "今夕"),
    (0, NIGHT, "今夜 今晩 今宵"),
    (1, MORNING, "明朝"),
    (1, NIGHT, "明晩 明夜"),
)
# Of the running week or month.
_EDGES: tuple[tuple[CalendarUnitName, Fraction, str], ...] = (
    ("week", Fraction(1, 3), "週初め 週の初め 週の始め"),
    ("week", Fraction(2, 3), "週半ば 週の半ば"),
    ("week", Fraction(3, 3), "週の終わり"),
    ("month", Fraction(1, 3), "月初 月初め 月の初め 月の始め"),
    ("month", Fraction(2, 3), "月半ば 月の半ば"),
    ("month", Fraction(3, 3), "月末 月の終わり"),
)


def _relative_words() -> dict[str, Chain]:
    chains = {word: Chain((Unit(unit, shift),)) for unit, shift, words in _UNITS for word in words.split()}
    for shift, words in _FISCAL_YEARS:
        chains |= dict.fromkeys(words.split(), Chain((FiscalYear(shift),)))
    for shift, part, words in _PARTS_OF_DAYS:
        chains |= dict.fromkeys(words.split(), Chain((Unit("day", shift), part)))
    for unit, fraction, words in _EDGES:
        chains |= dict.fromkeys(words.split(), Chain((Unit(unit), fraction)))
    for sign, name in SEASONS.items():
        chains["昨" + sign] = Chain((Unit("year", -1), Season(name)))
        chains["今" + sign] = Chain((Season(name),), which=0)
        chains["来" + sign] = Chain((Season(name),), which=1)
    return chains | {"年度末": Chain((Month(3),))}


RELATIVE = _relative_words()

_NEIGHBOURS: tuple[tuple[CalendarUnitName, int, PartOfDay | None, str], ...] = (
    ("day", 1, None, "翌日 次の日 あくる日"),
    ("day", 2, None, "翌々日"),
    ("day", -1, None, "前日 前の日"),
    ("day", -2, None, "前々日"),
    ("day", 1, MORNING, "翌朝"),
    ("day", 1, NIGHT, "翌晩"),
    ("day", -1, NIGHT, "前夜 前の晩"),
    ("week", 1, None, "翌週 次の週"),
    ("week", -1, None, "前週 前の週"),
    ("month", 1, None, "翌月 次の月"),
    ("month", -1, None, "前月 前の月"),
    ("year", 1, None, "翌年 次の年"),
    ("year", -1, None, "前年 前の年"),
)
# Beside a date ("クリスマスの翌日") or beside what the text named before ("その翌日").
NEIGHBOURS = {word: (unit, shift, part) for unit, shift, part, words in _NEIGHBOURS for word in words.split()}

# Which turn of what follows: "この前の日曜", "今度の土曜".
WHICH = {
    "前の前の": -2,
    **dict.fromkeys(("この前の", "この間の", "こないだの", "前の", "前回の", "先日の", "去る"), -1),
    **dict.fromkeys(("この", "今の", "今回の"), 0),
    **dict.fromkeys(("今度の", "こんどの", "次の", "次回の", "来たる", "来る", "きたる"), 1),
    "次の次の": 2,
}
# Before a length of time: "過去3ヶ月", "これからの2日間".
WINDOWS = {
    **dict.fromkeys(("過去", "直近", "ここ", "この", "最近", "これまでの", "前の", "先の"), -1),
    **dict.fromkeys(("これから", "今後", "向こう", "次の", "この先"), 1),
}
