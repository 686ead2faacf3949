"""The names of times in Japanese: days, seasons, eras, holidays, parts of the day and of longer spans."""

from __future__ import annotations

from cognis_memory.domain.dates.details import Fraction, Month, PartOfDay, SeasonName
from cognis_memory.domain.dates.terms import AmountUnit

WEEKDAYS = {sign: number for number, sign in enumerate("月火水木金土日")}
SEASONS: dict[str, SeasonName] = {
    "春": "spring",
    "夏": "summer",
    "秋": "autumn",
    "冬": "winter",
}
ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867, "R": 2018, "H": 1988, "S": 1925}

AMOUNT_UNITS: dict[str, AmountUnit] = {
    "世紀": "decade",
    "年": "year",
    "月": "month",
    "週": "week",
    "日": "day",
    "時間": "hour",
    "分": "minute",
}
KANA_AMOUNTS: dict[str, tuple[AmountUnit, int]] = {
    "ふつか": ("day", 2),
    "みっか": ("day", 3),
    "よっか": ("day", 4),
    "いつか": ("day", 5),
    "ひと月": ("month", 1),
    "ひとつき": ("month", 1),
    "ふた月": ("month", 2),
    "一昔": ("year", 10),
}

MORNING, NOON, DUSK, NIGHT = PartOfDay(6, 12), PartOfDay(11, 14), PartOfDay(16, 19), PartOfDay(18, 24)
PARTS_OF_DAY = {
    "午前中": PartOfDay(0, 12),
    "午前": PartOfDay(0, 12),
    "午後": PartOfDay(12, 24),
    "早朝": PartOfDay(4, 7),
    "明け方": PartOfDay(4, 6),
    "未明": PartOfDay(0, 4),
    "朝方": MORNING,
    "朝": MORNING,
    "正午": PartOfDay(12, 13),
    "お昼": NOON,
    "昼間": PartOfDay(11, 16),
    "昼": NOON,
    "夕方": DUSK,
    "夕": DUSK,
    "深夜": PartOfDay(22, 24),
    "夜中": PartOfDay(22, 24),
    "夜": NIGHT,
    "晩": NIGHT,
}


HOLIDAYS = {
    "元日": "new_year",
    "元旦": "new_year",
    "お正月": "first_three_days",
    "正月": "first_three_days",
    "三が日": "first_three_days",
    "成人の日": "coming_of_age",
    "節分": "setsubun",
    "建国記念の日": "foundation_day",
    "建国記念日": "foundation_day",
    "バレンタインデー": "valentine",
    "バレンタイン": "valentine",
    "天皇誕生日": "emperor_birthday",
    "ひな祭り": "dolls_festival",
    "雛祭り": "dolls_festival",
    "ホワイトデー": "white_day",
    "春分の日": "spring_equinox",
    "エイプリルフール": "april_fools",
    "イースター": "easter",
    "昭和の日": "showa_day",
    "ゴールデンウィーク": "golden_week",
    "ゴールデンウイーク": "golden_week",
    "大型連休": "golden_week",
    "GW": "golden_week",
    "憲法記念日": "constitution_day",
    "みどりの日": "greenery_day",
    "こどもの日": "childrens_day",
    "子供の日": "childrens_day",
    "子どもの日": "childrens_day",
    "母の日": "mothers_day",
    "父の日": "fathers_day",
    "七夕": "tanabata",
    "海の日": "marine_day",
    "山の日": "mountain_day",
    "お盆": "obon",
    "敬老の日": "respect_for_the_aged",
    "秋分の日": "autumn_equinox",
    "体育の日": "sports_day",
    "スポーツの日": "sports_day",
    "ハロウィーン": "halloween",
    "ハロウィン": "halloween",
    "文化の日": "culture_day",
    "七五三": "shichigosan",
    "勤労感謝の日": "labor_thanksgiving",
    "感謝祭": "thanksgiving",
    "クリスマスイブ": "christmas_eve",
    "クリスマス・イブ": "christmas_eve",
    "クリスマスイヴ": "christmas_eve",
    "クリスマス": "christmas",
    "大晦日": "new_year_eve",
    "大みそか": "new_year_eve",
    "年末年始": "year_turn",
}

# Parts of what stands before: "6月上旬", "来年の初め", "来週半ば".
FRACTIONS = {
    **dict.fromkeys(("上旬", "初旬", "初め", "始め", "はじめ", "初頭", "頭"), Fraction(1, 3)),
    **dict.fromkeys(("中旬", "半ば", "なかば", "中頃", "中ごろ", "中盤"), Fraction(2, 3)),
    **dict.fromkeys(("下旬", "終わり", "終り", "おわり", "暮れ", "末頃", "末", "終盤"), Fraction(3, 3)),
    "前半": Fraction(1, 2),
    "後半": Fraction(2, 2),
}
YEAR_END = (Month(12), Fraction(3, 3))
YEAR_START = (Month(1), Fraction(1, 3))
EDGES_OF_YEAR = {
    **dict.fromkeys(("年末", "年の瀬", "年の暮れ"), YEAR_END),
    **dict.fromkeys(("年始", "年初", "年の初め", "年明け"), YEAR_START),
}

# Idioms, names and verbs in which a word of time is no date.
FALSE_FRIENDS = (
    "昨日の敵は今日の友",
    "明日は我が身",
    "今日日",
    "今日的",
    "今日子",
    "明日香",
    "明日葉",
)
