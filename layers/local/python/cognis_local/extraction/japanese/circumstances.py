"""Which circumstance of a life a Japanese content tells: school, team, household, counts, habits."""

from __future__ import annotations

from typing import Final

from cognis_local.extraction.japanese import words
from cognis_local.extraction.japanese.slot_rules import COUNTER, NUMBER, STAYS, Rule, rule
from cognis_local.extraction.model import Slot
from cognis_local.extraction.patterns import any_of, words_of

_SCHOOL: Final = any_of(
    "小学校|中学校|高校|高等学校|中学|大学院|大学|短大|専門学校|幼稚園|保育園|こども園|学園|塾|学校"
)
_SECTION: Final = any_of("部|課|チーム|室|支店|支社|本社|本部|局|グループ|事業部|研究所")

CIRCUMSTANCES: Final[tuple[Rule, ...]] = (
    rule(
        lambda match: Slot("school", match["v"]),
        rf"(?P<v>[^、はがを]{{1,16}}?{_SCHOOL})(?:に|へ)",
        rf"(?:通って{STAYS}|進学し|入学し|転校し|編入し|在学し|上が(?:りました|った)|入りました|通い始め)",
    ),
    rule(
        lambda match: Slot("team", match["v"]),
        rf"(?P<v>[^、はがを]{{1,14}}?{_SECTION})(?:に|へ|で)",
        rf"(?:所属して{STAYS}|所属です|異動|配属|転属|移(?:りました|った)|いて|います$|働いて{STAYS})",
    ),
    rule(
        lambda match: Slot(f"count:{words.COUNTED[match['what']]}", match["v"]),
        rf"(?P<what>{words_of(words.COUNTED)})(?:が|は|を)(?P<v>{NUMBER}){COUNTER}",
        rf"(?:います|いる|です|だ|になりました|になった|飼って{STAYS})?$",
    ),
    rule(
        lambda match: Slot("household", match["v"]),
        rf"^(?:(?:今|現在)(?:は|、)*)?(?P<v>[^、はがに]{{1,10}}?と)(?:一緒に|同居して|二人で)?(?:住んで|暮らして|同居して){STAYS}",
    ),
    rule(lambda match: Slot("household", match["v"]), rf"(?P<v>一人|ひとり)(?:で(?:住んで|暮らして){STAYS})"),
    rule(
        lambda match: Slot("job", match["v"]),
        r"(?P<v>(?:学校|高校|中学|大学|塾|会社|病院|役所|銀行|工場|施設)で[^、はが]+?を(?:教えて"
        rf"|担当して|作って|して){STAYS})",
    ),
    rule(
        lambda match: Slot("rises", match["v"]),
        rf"(?P<v>(?:午前|朝)?{NUMBER}時(?:半|{NUMBER}分)?)(?:に|頃に|ごろに)起き(?:て{STAYS}|ます|る)",
    ),
    rule(
        lambda match: Slot("bedtime", match["v"]),
        rf"(?P<v>(?:午後|夜)?{NUMBER}時(?:半|{NUMBER}分)?)(?:に|頃に|ごろに)寝(?:て{STAYS}|ます|る)",
    ),
    rule(
        lambda match: Slot("commute", match["v"]),
        rf"(?P<v>[^、はが]{{1,12}}?)(?:で|に乗って)通勤して{STAYS}",
    ),
    rule(lambda match: Slot("chronotype", match["v"]), r"(?P<v>朝型|夜型)(?:です|だ|人間|にな|に変わ)"),
    rule(
        lambda match: Slot(f"prefers:{' '.join(sorted((match['other'], match['v'])))}", match["v"]),
        r"^(?:最近は?、?|今は、?|今では)*(?P<other>[^、はがより]{1,10}?)より(?:も)?",
        r"(?P<v>[^、はが]{1,10}?)(?:の(?:ほう|方))?が(?:大)?好き",
    ),
)
"""Rules over what follows 「ユーザーは」."""
