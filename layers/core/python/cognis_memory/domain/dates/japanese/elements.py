"""The elements of Japanese time expressions, each with the patterns that find it.

A date narrows from left to right (来月の｜第2週の｜火曜の｜午後3時). Some elements begin an expression
only in a strict form, as a lone 「3日」 only before a particle, but follow others in a loose one.
"""

from __future__ import annotations

from typing import NamedTuple

from cognis_memory.domain.dates.japanese import building
from cognis_memory.domain.dates.japanese.amounts import AMOUNT, COUNT, UNIT
from cognis_memory.domain.dates.japanese.building import Build
from cognis_memory.domain.dates.japanese.lexicon import EDGES_OF_YEAR, ERAS, FRACTIONS, HOLIDAYS, PARTS_OF_DAY
from cognis_memory.domain.dates.japanese.numbers import NUMBER
from cognis_memory.domain.dates.japanese.patterns import NO_DIGIT_BEFORE, words
from cognis_memory.domain.dates.japanese.relative import NEIGHBOURS, RELATIVE, WHICH, WINDOWS


class Element(NamedTuple):
    """`strict` is the pattern at the start of an expression, `loose` the one after another element."""

    name: str
    build: Build
    strict: str | None
    loose: str | None


# What follows a date that is no part of a longer word.
_PARTICLE = r"に|は|の|から|まで|も|か|が|を|と|[、。,.!?~\s(\d]|$"
_HOUR_PART = r"夜|朝|午|昼|夕|晩"
# Written in kana these are parts of other words, too (きょうと, きょうだい).
_KANA_DAYS = {"きょう", "けさ"}

_RELATIVE = (
    rf"(?P<word>(?:{words(_KANA_DAYS)})(?=[はのもに、。\s]|$)|{words(set(RELATIVE) - _KANA_DAYS)})"
    r"(?!号|[いイ]チ|度目)"
)
_BESIDE = rf"(?P<beside>{words(NEIGHBOURS)})(?!祭|比|線|曜|末)"
_WINDOW = (
    rf"(?P<window>{words(WINDOWS)})の?(?:(?P<window_half>半年)|(?P<window_count>{COUNT})(?P<window_unit>{UNIT}))"
    r"間?(?!前|後|目|分)"
)

_NOT_A_DATE = r"(?!間|生|前|後|ぶり)"
_ERA_YEAR = rf"(?P<era>{words(ERAS)})(?P<era_year>元|{NUMBER})年(?P<era_fiscal>度)?(?!間|生)"
_YEAR = (
    r"(?:西暦)?(?P<year>\d{4}|[一二][〇零一二三四五六七八九千百十]{2,6})(?P<year_kind>年[代度]?)"
    + _NOT_A_DATE
)
_SHORT_DECADE = (
    rf"{NO_DIGIT_BEFORE}(?P<decade>[1-9]0|[二三四五六七八九]十)年代(?={_PARTICLE}|前半|後半|初|半ば|末)"
)

_MONTH = (
    rf"(?P<month>{NUMBER})月(?!号|分|謝|雨|病|蝿|晴|馬|兎|踊|面|さん|ちゃん)"
    rf"(?:(?P<month_day>{NUMBER})日(?!間|目))?"
)
_DAY = rf"(?P<day>{NUMBER})日(?!間|目|前|後|市)"
_LONE_DAY = (
    rf"{NO_DIGIT_BEFORE}(?<!最初の)(?<!最後の)(?<!残りの)(?<!この)(?<!たった)(?!(?:1|一)日)(?P<day>{NUMBER})日"
    rf"(?=に(?!\d+回|[一二三四五]回|わた)|の(?!間|うち|猶予)|から|まで|[、~(]|{_HOUR_PART})"
)
_DIGITS = r"(?P<iso_year>\d{4})[/.-](?P<iso_month>\d{1,2})(?:[/.-](?P<iso_day>\d{1,2}))?(?![\d/.-]?\d)"
_SLASHED = r"(?P<slash_month>\d{1,2})/(?P<slash_day>\d{1,2})(?![\d/])"

_WEEKDAY = r"(?P<weekday>[月火水木金土日])曜"
_BRACKETED = r"\((?P<bracketed>[月火水木金土日])(?:曜日?)?(?:・?祝)?\)"
_SEASON = r"(?P<season>[春夏秋冬])(?:休み|頃|ごろ|場)?"
_HOLIDAY = rf"(?P<holiday>{words(HOLIDAYS)})"
_QUARTER = r"(?P<quarter>[1-4一二三四])(?:四半期|ク[ォオ]ーター)"
_EDGE = rf"(?P<edge>{words(EDGES_OF_YEAR)})"
_NTH = (
    rf"(?:第(?P<nth>{NUMBER})の?|(?P<nth_counted>{NUMBER})(?:番目|回目)の|(?P<nth_end>最初|最後|最終)の?)"
    r"(?:(?P<nth_weekday>[月火水木金土日])曜日?"
    rf"|(?P<nth_count>{NUMBER})?(?P<nth_unit>週末|週|日|[かヶカヵケ箇个]月)(?:間|目)?)"
)

_BEFORE = (
    r"(?:以上|ほど|くらい|ぐらい|ばかり|近く|弱|あまり|余り|ちょっと)?\s*"
    r"(?:前|まえ)(?!半|後|例|回|払|倒|者|線|向)"
)
_AFTER = r"(?:ほど|くらい|ぐらい)?\s*(?:後(?!半|ろ|悔|輩|継|方)|あと|先(?!生|輩|頭|端|月|週|日))"
_OFFSET = (
    r"(?:約|およそ)?(?:(?P<fewer>[1-9一二三四五六七八九])[、,~-])?"
    rf"(?P<distance>{AMOUNT})(?:(?P<before>{_BEFORE})|(?P<after>{_AFTER}))"
)
# Not in 頭痛, nor where it is a verb (初めて, 始めた, 終わります), but in 月末まで.
_FRACTION = rf"(?P<fraction>{words(FRACTIONS)})(?!痛|て|た|る|ま(?!で)|っ)"
_PART_OF_DAY = rf"(?P<part>{words(PARTS_OF_DAY)})(?!食|刊|顔|礼|型|練|市)"
_CLOCK = (
    rf"(?:(?P<clock_part>{words(PARTS_OF_DAY)})の?\s*)?"
    rf"(?:(?P<clock_hour>{NUMBER})時(?!間|代|点|期|計|給)(?:(?P<clock_half>半)|(?P<clock_minute>{NUMBER})分)?"
    r"|(?P<digital_hour>\d{1,2}):(?P<digital_minute>\d\d)(?!\d))(?:頃|ごろ|過ぎ|すぎ)?"
)

ELEMENTS: tuple[Element, ...] = (
    Element("same_day", building.same_day, None, r"今(?:頃|ごろ|日)"),
    Element("relative", building.relative, _RELATIVE, _RELATIVE),
    Element("neighbour", building.neighbour, rf"(?:その|(?<!の)){_BESIDE}", _BESIDE),
    Element("window", building.window, _WINDOW, None),
    Element("which", building.which, rf"(?P<which>{words(WHICH)})", None),
    Element("era_year", building.era_year, _ERA_YEAR, _ERA_YEAR),
    Element("digits", building.digits, r"(?<![\d.:/-])" + _DIGITS, r"(?<![\d.:/])" + _DIGITS),
    Element("year", building.year, NO_DIGIT_BEFORE + _YEAR, _YEAR),
    Element("short_decade", building.short_decade, _SHORT_DECADE, None),
    Element("month", building.month, NO_DIGIT_BEFORE + _MONTH + "(?!生)", _MONTH),
    Element(
        "slashed",
        building.slashed,
        rf"(?<![\d.:/-]){_SLASHED}(?=に|は|の|から|まで|[、~-]|\s*\([月火水木金土日])",
        r"(?<![\d.:/])" + _SLASHED,
    ),
    Element("offset", building.offset, rf"(?:その|(?<!の)){NO_DIGIT_BEFORE}{_OFFSET}", _OFFSET),
    Element("still_ahead", building.still_ahead, rf"あと(?P<ahead>{AMOUNT})で", None),
    Element("day", building.day, _LONE_DAY, _DAY),
    Element("first", building.first_of_month, r"(?:1日|一日|ついたち)(?=から|まで|の[朝昼夜])", r"ついたち"),
    Element("bracketed", building.bracketed_weekday, None, _BRACKETED),
    Element(
        "weekday",
        building.weekday,
        rf"{_WEEKDAY}(?:日(?!ごと|毎|版)|(?={_PARTICLE}|{_HOUR_PART}))",
        rf"{_WEEKDAY}日?",
    ),
    Element("weekend", building.weekend, r"(?:週末|土日)(?!ごと|毎|婚)", r"週末|土日"),
    Element("after_weekend", building.after_weekend, r"週明け", r"週?明け"),
    Element(
        "season",
        building.season,
        rf"(?<![一-鿿ァ-ヶ毎]){_SEASON}(?=に(?!は?弱|は?強)|から|まで|の(?:間|初め|始め|終わり))",
        rf"{_SEASON}(?![一-鿿ァ-ヶ])",
    ),
    Element(
        "holiday",
        building.holiday,
        rf"{_HOLIDAY}(?=に|は|から|まで|も|の(?:日|{_HOUR_PART}|時|翌|前|\d|[一二三四五六七])|[、。]|$)",
        rf"{_HOLIDAY}(?![ァ-ヶー])",
    ),
    Element("quarter", building.quarter, rf"第{_QUARTER}|(?<![A-Za-z])Q(?P<quarter_short>[1-4])(?!\d)",
            rf"第?{_QUARTER}|Q(?P<quarter_short>[1-4])(?!\d)"),
    Element("half_year", building.half_year, r"(?P<half>[上下])半期", r"(?P<half>[上下])半?期"),
    Element("edge", building.edge_of_year, rf"(?<![\d一-鿿]){_EDGE}(?!調整|ジャンボ|セール)", _EDGE),
    Element(
        "lone_nth",
        building.lone_nth_weekday,
        rf"第(?P<nth_of_month>{NUMBER})(?P<nth_weekday>[月火水木金土日])曜日?(?=に|は|の|から|まで|、)",
        None,
    ),
    Element("nth", building.nth, None, _NTH),
    Element("fraction", building.fraction, None, _FRACTION),
    Element("clock", building.clock, None, _CLOCK),
    Element("part_of_day", building.part_of_day, None, _PART_OF_DAY),
)  # fmt: skip
