"""How somebody takes to a thing, in Japanese: 「辛いカレーが好きです」「もう卵を食べられます」."""

from __future__ import annotations

import re
from typing import Final, Literal

from cognis_local.extraction.japanese.terms import ordered_terms
from cognis_local.extraction.japanese.values import value_of
from cognis_local.extraction.model import Stance
from cognis_local.extraction.patterns import any_of, word_set

_ADVERBS: Final = any_of(
    "とても|一番|本当に|あまり|そんなに|最近|もう|全然|実は|今は|普通に|ちゃんと|やっぱり|やはり",
    "また|再び|やっと|ようやく|だんだん|段々|少しずつ|前より",
)
_BEFORE: Final = rf"{_ADVERBS}*"
_LIKING: Final = re.compile(
    r"^(?:(?:もう|やはり|やっぱり|今では|今|以前|昔|前|最近|近頃|この頃|だんだん|段々|少しずつ"
    r"|ようやく|やっと|いつの間にか|意外と)"
    r"(?:は|、|も|に)?)*(?P<v>[^、]{1,40}?)(?:が|は|も|に)?"
    + _BEFORE
    + r"(?P<feeling>大好き|好き|大嫌い|嫌い|苦手|お気に入り|気に入|(?:はま|ハマ)[っり])(?P<end>.{0,12})"
)
_LIKED: Final = frozenset({"好き", "大好き", "お気に入り", "気に入", "はまっ", "ハマっ", "はまり", "ハマり"})
_ONCE: Final = re.compile(r"^(?:以前|昔|前)は?.*(?:だった|でした)")
_COMPARED: Final = re.compile(r"^.*より(?:も)?")
_CLAUSE: Final = re.compile(r"のに|ので|けど|(?:だ|る|い)から")
_NOMINALISED: Final = re.compile(r"(?:ほう|方|こと|(?<!も)の)$")
_ALLERGIC: Final = re.compile(r"(?P<v>[^、はが]+?)の?(?:アレルギー|不耐症)(?P<end>.*)$")
_OVERCOME: Final = re.compile(
    r"(?:じゃ|では?|でも)(?:な|あり)|(?:が|は|も|を)?(?:な(?:い|か|く)|ありません|治|なお[っり]|克服|消え)"
)
_CAN_HAVE: Final = re.compile(
    rf"(?:^|、)(?P<v>[^、はが]{{1,20}}?)(?:が|は|も|を|、){_BEFORE}"
    r"(?:(?:食べられ|食べれ|飲め)(?P<cannot>な|ません|ず)?|(?:大丈夫|平気)(?P<not>じゃな|ではな"
    r"|ではあり)?|問題な)"
)
_NOT_ANY_MORE: Final = re.compile(r"ではな|じゃな|でな|くな|ではあり|じゃあり")
_TURNED: Final = re.compile(
    r"もう|また|再び|ようやく|だんだん|段々|少しずつ|今では|今は|今、|今も|最近|な(?:った"
    r"|りました|ってき)|やっと|以前は|昔は|前は|実は"
)
_LISTED: Final = re.compile(r"[とや・、](?!ても)")
_ANY_THING: Final = word_set("料理 食べ物 物 飲み物")
_ENDS_IN_ANY_THING: Final = re.compile(r"(?:もの|物|こと|の)$")
_SAME_ALLERGEN: Final = {"牛乳": "乳製品", "乳糖": "乳製品", "ミルク": "乳製品"}


def stance_of(predicate: str) -> Stance | None:
    """The stance that a content tells; `predicate` follows 「ユーザーは」."""
    return _liking(predicate) or _allergy(predicate) or _tolerance(predicate)


def _liking(text: str) -> Stance | None:
    match = _LIKING.search(text)
    if match is None:
        return None
    likes = match["feeling"] in _LIKED and not _NOT_ANY_MORE.search(match["end"]) and not _ONCE.search(text)
    thing = _COMPARED.sub("", _CLAUSE.split(match["v"])[-1])
    return _stance("liking", _NOMINALISED.sub("", thing), likes, text)


def _allergy(text: str) -> Stance | None:
    match = _ALLERGIC.search(text)
    return _stance("bearing", match["v"], bool(_OVERCOME.match(match["end"])), text) if match else None


def _tolerance(text: str) -> Stance | None:
    match = _CAN_HAVE.search(text)
    if match is None:
        return None
    return _stance("bearing", match["v"], not (match["cannot"] or match["not"]), text)


def _stance(kind: Literal["liking", "bearing"], text: str, favourable: bool, whole: str) -> Stance:
    name = value_of(text)
    terms = [_SAME_ALLERGEN.get(term, term) for term in ordered_terms(name, "")]
    head: str | None = terms[-1] if terms else None
    if _ENDS_IN_ANY_THING.search(name) or head in _ANY_THING:
        head = ""
    elif _LISTED.search(name):
        head = None
    return Stance(kind, frozenset(terms) - _ANY_THING, head, favourable, bool(_TURNED.search(whole)), name)
