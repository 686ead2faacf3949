"""Things that speakers mean as their own, though no word says whose: 「会議は水曜日です」."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.japanese import words
from cognis_local.extraction.patterns import any_of, words_of

APPOINTMENTS: Final = any_of(
    "予約|面接|会議|打ち合わせ|打合せ|ミーティング|試験|テスト|手術|検査|診察|健診|検診|健康診断|面談|研修",
    "旅行|飲み会|飲み|食事会|食事|ランチ|ディナー|パーティー?|結婚式|披露宴|ライブ|コンサート"
    "|試合|大会|レッスン|授業",
    "フライト|飛行機|新幹線|便|出張|引っ?越し|デート|締め?切り?|発表会?|同窓会|予定|約束"
    "|集まり|講演|納期|帰省",
    "リハーサル|卒業式|入学式|運動会|納車|配達|工事|内見|オンライン会|勉強会|合宿|誕生日会|女子会|キャンプ",
    "バーベキュー|BBQ|花見|お花見|ピクニック|遠足|花火大会?|フェス|帰国|面会|懇親会|送別会"
    "|歓迎会|忘年会|新年会|オーディション",
)
"""A pattern of what has a time, at the end of its topic."""
_APPOINTMENT: Final = re.compile(rf"{APPOINTMENTS}$")
_TIME: Final = any_of(
    r"[月火水木金土日]曜|[\d０-９一二三四五六七八九十]+(?:時|日|月|分)|午前|午後|正午|明日"
    r"|あさって|明後日|今日|今夜|今晩",
    r"(?:来|再来|今)(?:週|月|年)|朝|夕方|夜|週末",
)
_TAKES_PLACE: Final = re.compile(
    rf"{_TIME}.*(?:です|だ|から|発|開始|に(?:なりました|なった|あります|ある))?$"
)
RESCHEDULED: Final = (
    r"(?:変更|延期|前倒し|後ろ倒し|繰り上げ|繰り下げ|リスケ|順延)"
    r"(?:[にと](?:なりました|なった|なって)|(?:され|し)(?:まし)?た)"
)
"""A pattern of what has another time than before, whatever it is."""
MOVED: Final = any_of(
    RESCHEDULED,
    r"(?:に|へ)(?:変わりました|変わった|ずれました|ずれた|移りました|移った|移動しました"
    r"|ずらしました|なりました|なった)",
)
"""A pattern of an appointment's new time."""
CANCELLED: Final = any_of(
    r"(?:中止|キャンセル|取り止め|取りやめ|白紙|お流れ|なし|無し)(?:に(?:なりました|なった"
    r"|しました|した)|となりました)",
    r"(?:中止|キャンセル)(?:(?:され|し)(?:まし)?た|です|だ)|(?:無く|行けなく|できなく"
    r"|出られなく|なく)な(?:りました|った)|流れました",
    r"取り消しました|取り消した|取りやめました|取りやめた|断りました",
)
"""A pattern of an appointment that will not take place."""
_CHANGES: Final = re.compile(any_of(MOVED, CANCELLED))
_VALUE_CHANGES: Final = re.compile(
    r"^[^、]+(?:に|へ|まで)[^、]{0,4}(?:上が|下が|変わ|増え|減|なり|値上が|伸び)[^、]*(?:ました|た)$"
)
_IS_SOMEHOW: Final = re.compile(
    r"(?:(?:に|へ)(?:移し|置き|しまい|入れ)(?:まし)?た|色|い|製|型|センチ|円|台|階|代"
    r"|(?:の(?:中|上|下|横|奥|引き出し))|(?:に(?:あります|ある|置いて|しまって).*))(?:です|だ)?$"
)
_BELONGING: Final = re.compile(rf"(?:^|の)[^の]{{0,4}}?(?:{words_of(words.BELONGINGS)})$")
_FAVOURITE: Final = re.compile(
    r"^(?:(?:今|最近|現在|近頃)(?:は|の|、)?)?(?:一番|いちばん|最も)?(?:の)?(?:好きな|苦手な|嫌いな)"
)


_MEASURE: Final = re.compile(r"(?:サイズ|色|番号|料金|月謝|レベル|給料|体重|身長|[^の]代|費|賃)$")
_PET: Final = re.compile(rf"(?:^|の)(?:{words_of(words.PETS)})(?:の[^の]{{1,8}})?$")
_BEFALLS_PET: Final = re.compile(
    r"逃げ|死|亡くな|病気|入院|手術|生まれ|産まれ|怪我|ケガ|けが|迷子|いなくな|骨折|元気|退院|懐|なつ"
)


def is_speakers(topic: str, predicate: str) -> bool:
    """Whether a topic is the speaker's by what is said of it: an appointment, an attribute, a belonging."""
    if _APPOINTMENT.search(topic):
        return bool(_TAKES_PLACE.match(predicate) or _CHANGES.search(predicate))
    if _PET.search(topic):
        return bool(_BEFALLS_PET.search(predicate))
    if topic in words.ATTRIBUTES or _MEASURE.search(topic):
        return bool(_VALUE_CHANGES.search(predicate))
    if _BELONGING.search(topic):
        return bool(_IS_SOMEHOW.search(predicate))
    return bool(_FAVOURITE.match(topic))
