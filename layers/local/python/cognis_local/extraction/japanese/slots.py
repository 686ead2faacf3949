"""Which attribute a Japanese content fills: 「ユーザーは大阪に住んでいます」 fills "home" with 大阪."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.japanese import words
from cognis_local.extraction.japanese.circumstances import CIRCUMSTANCES
from cognis_local.extraction.japanese.endings import BREAKUP, FOR_NOW
from cognis_local.extraction.japanese.morphology import tokenize
from cognis_local.extraction.japanese.owned import MOVED
from cognis_local.extraction.japanese.slot_rules import COUNTER, NUMBER, STAYS, Rule, fills, rule
from cognis_local.extraction.japanese.values import value_of
from cognis_local.extraction.model import Slot
from cognis_local.extraction.patterns import any_of, words_of
from cognis_local.extraction.relations import ONE_OF_A_KIND

_PAST: Final = re.compile(
    any_of(
        r"住んでいました|住んでいた|以前|かつて|昔|の頃|していました|ていました$|ていた$",
        r"予定|つもり|たい(?:です)?$",
    )
)
_PET: Final = words_of(words.PETS)
_MAKE: Final = words_of(words.CAR_MAKES)
_JOB: Final = any_of(
    r"[^、はがを]{0,12}?(?:師|士|医|官|工|司書|教授|エンジニア|デザイナー|プログラマー|ライター"
    r"|ナース|シェフ)",
    r"[^、はがを]{0,12}?(?:マネージャー|コンサルタント|主婦|主夫|(?<![小中])学生|大生|社長"
    r"|パイロット|アナリスト)",
    r"[^、はがを]{0,12}?(?:会社|公務|隊|乗務|店|駅|議|教|職|銀行|社|団体職|派遣社)員",
    r"[^、はがを]{0,12}?(?:医|技術|研究|記|学|編集|経営|開発|翻訳|介護)者",
    r"[^、はがを]{0,12}?(?:作|画|建築|音楽|写真|小説|漫画|農|起業|料理|評論)家",
)
_FIELD: Final = any_of(
    "経理|営業|人事|総務|法務|事務|広報|企画|販売|接客|受付|経営|開発|研究職|設計|製造|配送"
    "|介護|警備|清掃|保育|編集|通訳|翻訳|教師|教員|講師",
    "先生|大工|漁師|職人|ドライバー|バリスタ|バーテンダー|俳優|女優|歌手|声優|モデル|秘書|店長"
    "|店主|オーナー|カメラマン|スタイリスト|トレーナー",
    "インストラクター|ディレクター|プロデューサー|アナウンサー|客室乗務員|農業|林業|漁業"
    "|自営業|会計|秘書|司書|船長|僧侶|牧師|監督|コーチ",
)
_WORK: Final = any_of(
    r"(?:会社|仕事|病院|職場|職|銀行|店|学校|役所|市役所|工場|事務所|[^、をは]{0,10}(?:師|士|員"
    r"|家|者|医|官|職|所|院|社|店|先生|館|園|局|署|室|工|"
    rf"{_FIELD}))(?:を|は)(?:もう)?(?:辞め|やめ)(?:て|まして)",
    r"(?:転職|退職|転身|脱サラ|退社|独立)し(?:て|まして)",
)
_LEAVES_WORK: Final = re.compile(_WORK)
_RENAMES: Final = r"(?:結婚|離婚|再婚|改名|改姓|婿入り|(?:苗字|名字|姓|名前)が変わ)[^、]*?[てり]、?"
_FOODS: Final = "肉|魚|乳製品|卵|グルテン|小麦"
_PRESENT: Final = (
    r"(?:(?:今|最近|現在|近頃|この頃|目下)(?:は|の|、)?|私の|僕の|(?:一番|いちばん|最も)(?:の)?)*"
)
_FAVOURITE: Final = re.compile(rf"^{_PRESENT}好きな(?P<what>.{{1,12}})$")
_IS_NAMED: Final = re.compile(
    r"^(?:今は|今は、|現在は)?(?P<v>[^、はがを]{1,12}?)(?P<honoured>さん|くん|君|ちゃん|先生)?"
    r"(?:です|だ|(?P<named>と(?:いい|言い)ます|という名前です)"
    r"|に(?:(?P<taken_over>[変代替]わ(?:りました|った))"
    r"|なりました|なった))$"
)


def slot_of(predicate: str, possessed: str) -> Slot | None:
    """The slot that a content fills: `predicate` follows 「ユーザーは」, `possessed` 「ユーザーの」."""
    text, rules = (possessed, _ATTRIBUTES) if possessed else (predicate, _PREDICATES)
    if _PAST.search(text):
        return None
    for pattern, build in rules:
        match = pattern.search(text)
        if match:
            slot = build(match)
            if slot.value:
                return slot
    return None


def leaves_work(predicate: str) -> bool:
    """Whether it tells that somebody left their work for what follows: 「教師を辞めて、…」."""
    return bool(_LEAVES_WORK.search(predicate))


def name_slot(predicate: str, relation: str) -> Slot | None:
    """The name that a predicate gives to a relation: 「佐藤さんに代わりました」; None where it gives none."""
    match = _IS_NAMED.match(predicate)
    if match is None:
        return None
    tokens = tokenize(match["v"])
    named = match["honoured"] or match["named"] or all(token.is_name for token in tokens)
    takes_over = relation in ONE_OF_A_KIND or match["taken_over"] is not None
    return Slot("name", match["v"], replaces=takes_over) if named else None


def _pet(match: re.Match[str]) -> Slot:
    return Slot(f"pet_name:{words.PETS[match['pet']]}", value_of(match["v"]))


def _new_pet(match: re.Match[str]) -> Slot:
    """A pet that is acquired comes beside the others."""
    return Slot(f"pet_name:{words.PETS[match['pet']]}", value_of(match["v"]), replaces=False)


def _renamed(match: re.Match[str]) -> Slot:
    """A new name, not what else one may become on marrying."""
    name = value_of(match["v"])
    return Slot("name", name if all(token.is_name for token in tokenize(name)) else "")


def _car(match: re.Match[str]) -> Slot:
    """A car or a motorbike, but no train, bus or bicycle; only what one drives takes another's place."""
    value = value_of(match["v"])
    return Slot("car", "" if value.endswith(tuple(words.NO_CARS)) else value, replaces="乗って" in match[0])


def _attribute(match: re.Match[str]) -> Slot:
    what = match["what"].removeprefix("新しい")
    favourite = _FAVOURITE.match(what)
    if favourite:
        return Slot(f"favourite:{favourite['what']}", match["v"])
    return Slot(words.ATTRIBUTE_SLOTS.get(what, f"attribute:{what}"), match["v"])


_CHANGES: Final[tuple[Rule, ...]] = (
    rule(
        _attribute,
        r"^(?P<what>[^はがを、]{1,20}?)[がは](?P<v>[^はがを、]+?)(?:に|へ|まで)",
        r"(?:[変代替]わ(?:りました|りまして|った)|(?:値)?[上下]がりました|(?:値)?[上下]がった"
        rf"|{MOVED})(?![らの])",
    ),
    rule(
        _attribute,
        r"^(?P<what>[^はがを、]{1,20}?)を(?P<v>[^はがを、]+?)に",
        r"(?:(?:買い?|乗り|切り)?[変替換]え(?:ました|まして|た)|(?:変更|機種変)し(?:ました|まして|た))(?![らの])",
    ),
)
"""「電話番号が…に変わりました」, with 「ユーザーの」 before it or 「ユーザーは」."""

_PREDICATES: Final[tuple[Rule, ...]] = (
    *CIRCUMSTANCES,
    rule(
        lambda match: Slot(f"favourite:{match['what']}", value_of(match["v"])),
        rf"^{_PRESENT}好きな(?P<what>[^はが、]{{1,12}})(?:は|が)(?P<v>.+?)(?:です|だ)?$",
    ),
    rule(fills("home"), r"もう(?P<v>[^、はが]+?)(?:には|に|は)住んで(?:い)?(?:ません|ない)"),
    rule(
        fills("home"),
        r"(?P<v>[^、はが]+?)(?:に[^、はがに]{1,8}と(?:一緒に|二人で)?住んで|(?:に|へ)?",
        any_of(rf"(?:住んで|で暮らして){STAYS}|住んでおり|住み始め|在住"),
        r"|(?:に|へ)",
        any_of(
            r"引っ?越し(?:ました|まして|た(?![いらく])|て(?!い|る))|引っ?越ししました",
            r"越し(?:ました|た(?![いらく])|てき)|転居しました|移住しました|移り住み",
            r"(?<!部署に)(?<!部屋に)(?<!席に)(?<!会社に)(?<!職場に)(?<!チームに)移(?:りました|った)",
        ),
        ")",
    ),
    rule(fills("home"), r"(?P<v>[^、はが人]{2,8}?)暮らし(?:です$|だ$|になりました|になった|を始め)"),
    rule(fills("birthplace"), r"(?P<v>[^、はが]+?)で生まれ"),
    rule(fills("origin"), r"(?P<v>[^、はがの]+?)出身"),
    rule(
        fills("job"),
        rf"(?P<v>{_JOB}|[^、はがを]{{0,12}}?{_FIELD})",
        rf"(?:として働|(?:の仕事)?を(?:して|やって){STAYS}|です$|だ$|になりました|になった|に転職|に就き)",
    ),
    rule(fills("job"), rf"(?P<v>[^、はがを]{{1,14}}?)の仕事(?:をして{STAYS}|に就|を始め|に転職)"),
    rule(
        fills("employer"),
        r"(?P<v>[^、はが]+?)",
        r"(?:で働いて|に勤めて|に勤務して|で勤務して|に就職しました|に転職しました|に入社しました"
        r"|で働き始め"
        r"|で(?:アルバイト|バイト|パート)を(?:して(?:い)?(?:ます|る)|始め))",
    ),
    rule(fills("job"), r"^(?:[^、]{0,12}、)?(?P<v>会社|仕事|職場)を?(?:辞め|退職)"),
    rule(
        lambda match: Slot("age", match["v"]),
        r"(?P<v>[\d０-９]{1,3})(?:歳|才)(?:です|になりました|になった|だ|$)",
    ),
    rule(fills("nickname"), r"「(?P<v>[^」]+)」と呼ばれたい"),
    rule(
        fills("diet"),
        r"(?P<v>ベジタリアン|ヴィーガン|ビーガン|菜食主義者?|グルテンフリー|ハラール)",
        r"(?:です|だ|で|な|に|$)(?!行|の)",
    ),
    rule(
        fills("diet"),
        rf"(?:また|再び|今は|今では)[^、]{{0,6}}?(?P<v>{_FOODS})(?:を|も)[^、]{{0,6}}?食べ(?:て|始め|る)",
    ),
    rule(
        fills("diet"),
        rf"(?P<v>{_FOODS})(?:を|も)[^、]{{0,6}}?(?:(?:また|再び)食べ(?:て|始め|る)|食べるようにな)",
    ),
    rule(
        fills("job"),
        rf"{_WORK}、?(?:[^、]{{0,12}}、)?(?:今は|今では|現在は)?(?P<v>[^、はがを]{{1,16}}?)",
        r"(?<!健康)(?<!元気)(?<!楽)(?<!自由)(?<!幸せ)(?<!よう)(?<!こと)(?:になりました|になった"
        r"|として働|に転職し)",
    ),
    rule(_renamed, rf"{_RENAMES}(?P<v>[^、はがを]{{2,12}}?)(?:に(?:なりました|なった|なります)|です$|だ$)"),
    rule(
        lambda match: Slot("relationship_status", match["v"]),
        r"(?P<v>独身|既婚|(?:[^はがをとに、]{1,10}と)?(?:結婚|婚約|離婚|交際))",
        rf"(?:です|だ|$|して{STAYS}|して、|しました|した)",
    ),
    rule(
        lambda match: Slot("relationship_status", match["v"]),
        rf"(?P<v>[^はがをとに、]{{1,10}}と付き合)(?:って{STAYS}|い始め|うことになりました)",
    ),
    rule(lambda _: Slot("relationship_status", "独身"), rf"^(?!.*{FOR_NOW}).*?{BREAKUP}"),
    rule(_car, rf"(?P<v>[^、はが]+?)に乗って{STAYS}"),
    rule(
        fills("car"),
        r"(?:車|愛車)(?:を|は|から)(?P<v>[^、はがを]+?)に(?:買い?替え|乗り換え|替え|変え)(?:まし)?た",
    ),
    rule(
        _car,
        r"(?P<v>[^、はがを]*?(?:車|バイク))(?:を|は)(?:[^、をは]{1,8}(?:に|へ|で))?",
        r"(?:売|手放|譲|処分|下取り)",
    ),
    rule(
        _car,
        rf"(?P<v>[^、はがを]*?(?:車|バイク|{_MAKE})[^、はがを]{{0,8}}?)を",
        r"(?:買(?:った|いました|い替え)|購入|持って|所有)",
    ),
    rule(_pet, rf"(?P<pet>{_PET})の名前を(?P<v>[^、はが]+?)に(?:し|決め|変え|変更し|改め)(?:まし)?た"),
    rule(_new_pet, rf"(?P<pet>{_PET})を[^、]{{1,12}}?て、(?P<v>[^、はが]+?)と(?:名付|名づ|呼)"),
    rule(_new_pet, rf"(?P<v>[^、はがの]+?)という(?:名前の)?(?P<pet>{_PET})を(?:飼|引き取)"),
    *_CHANGES,
)
"""Rules over what follows 「ユーザーは」; the first that matches counts."""

_THING: Final = r"^(?P<what>[^はが、]{1,20}?)"
_BECOMES: Final = (
    r"が(?P<v>[^はが、]+?)(?<!好き|嫌い|苦手|平気|得意|よう|こと)(?<!大丈夫)に(?:なりました|なった)$"
)
_ATTRIBUTES: Final[tuple[Rule, ...]] = (
    rule(
        lambda match: Slot(f"count:{words.COUNTED[match['what']]}", match["v"]),
        rf"^(?P<what>{words_of(words.COUNTED)})(?:が|は)(?P<v>{NUMBER}){COUNTER}(?:です|だ|います"
        r"|いる)?$",
    ),
    rule(
        _pet,
        rf"^[^はが、]{{0,14}}?(?P<pet>{_PET})の名前[はを](?P<v>.+?)",
        r"(?:です|だ|といいます|と言います|になりました|に(?:し|決め)(?:まし)?た)?$",
    ),
    rule(_pet, rf"^(?P<pet>{_PET})は(?P<v>.+?)(?:という名前|といいます|って名前|と言います)"),
    rule(
        lambda match: Slot(f"favourite:{match['what']}", value_of(match["v"])),
        rf"^{_PRESENT}好きな(?P<what>[^はが、]{{1,12}})は(?P<v>.+?)(?:です|だ)?$",
    ),
    rule(
        _attribute,
        rf"{_THING}は(?P<v>[^が]+?)",
        r"(?:に(?:変わりました|なりました|なった)|(?:になります)|です|だ|といいます|と申します)$",
    ),
    rule(_attribute, rf"{_THING}(?:は|が)変わ(?:って|り)、?(?P<v>.+?)(?:に(?:なりました|なった))?$"),
    rule(_attribute, rf"{_THING}{_BECOMES}"),
    rule(
        _attribute,
        r"^(?P<what>スマホ|スマートフォン|携帯|パソコン|カメラ|車)は(?P<v>[^はが、]+?)を(?:使って"
        rf"|使用して|持って){STAYS}$",
    ),
    rule(
        lambda match: Slot(f"place:{match['what']}", match["v"]),
        rf"{_THING}[はを](?P<v>[^はがを、]+?)(?:に|へ)(?:移し|置き|しまい|片付け|入れ)(?:まし)?た$",
    ),
    rule(
        lambda match: Slot(f"place:{match['what']}", match["v"]),
        rf"{_THING}は(?P<v>.+?)に(?:あります|ある|(?:置いて|しまって){STAYS})$",
    ),
    *_CHANGES,
)
"""Rules over what follows 「ユーザーの」; the first that matches counts."""
