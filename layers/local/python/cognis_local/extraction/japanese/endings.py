"""What ends with a bond or a life, in Japanese: 「美咲と別れました」「ハムスターのモモが亡くなりました」."""

from __future__ import annotations

import re
from typing import Final

from cognis_local.extraction.japanese import words
from cognis_local.extraction.japanese.terms import terms
from cognis_local.extraction.patterns import any_of, words_of
from cognis_local.extraction.relations import PARTNERS, relation_in

BREAKUP: Final = any_of(
    r"(?:^|と|とは|とも|、|もう|に|で)(?:もう)?別れ(?:ました|た|ることに|て(?:しま|い|、|$))",
    r"(?:離婚|破局|婚約を?(?:解消|破棄))(?:し(?:ました|た|まして|て)|に(?:なりました|なった))",
    r"振られ(?:ました|た|て)",
)
"""A pattern of a bond's end."""
FOR_NOW: Final = any_of(
    r"(?:駅|空港|改札|店|前|角|バス停|学校|会社|入口|場)[^、]{0,4}で.*別れ",
    r"(?:友達|友人|親友|同僚|先輩|後輩|みんな|皆|家族|両親|親|母|父)(?:たち|さん)?と(?:は|も)?(?:.*)別れ",
)
"""A pattern of parting until the next time: 「駅で友達と別れました」."""
_BREAKUP: Final = re.compile(rf"^(?!.*{FOR_NOW}).*?{BREAKUP}")
_PARTNER: Final = words_of(word for word, relation in words.RELATIONS.items() if relation in PARTNERS)
_HAS_PARTNER: Final = re.compile(
    rf"^(?:今|現在)?(?:は|、)?(?:{_PARTNER})が(?:いま|い|でき)(?:ます|る|した|ました|た|て(?:い)?ます)?$"
)
_WEDS: Final = re.compile(r"結婚(?:する|します|の)(?:予定|つもり)")
_DIED: Final = any_of(
    r"(?:亡くな|死ん|他界し|息を引き取|虹の橋を渡|天国に(?:行|旅立)|旅立)"
    r"[^、]{0,8}(?:ました|った|だ|た|します|しまいました)"
)
_DIED_OF: Final = re.compile(_DIED)
_PET_DIED: Final = re.compile(
    rf"^(?P<pet>[^、はがも]{{0,6}}?(?:{words_of(words.PETS)})(?:の[^、はがも]{{1,10}}?)?)[がはも](?:.*){_DIED}"
)
_KEEPS: Final = re.compile(r"飼|迎え|引き取|(?:が|も)い(?:ます|る)")
_ANIMAL: Final = re.compile(
    r"(?:(?P<called>[^、はがをのとや]{1,10}?)(?:という|っていう)(?:名前の)?)?"
    rf"(?P<pet>{words_of(words.PETS)})"
    r"(?:の(?:名前は)?(?P<name>[^、はがをのとやに]{1,10}?)(?=[、はがをとやに]|です|だ|といいます|$))?"
)


def ends_bond(predicate: str) -> bool:
    """Whether it tells that the subject is no longer with a partner."""
    return bool(_BREAKUP.match(predicate))


def tells_of_bond(subject: str, slot: str | None, predicate: str) -> bool:
    """Whether it tells that there is a partner or who that is: what a breakup ends."""
    named = relation_in(subject) in PARTNERS and slot == "name"
    return named or bool(_HAS_PARTNER.match(predicate) or _WEDS.search(predicate))


def animals(predicate: str, possessed: str) -> frozenset[str]:
    """The terms of the animals that it tells of having, their names included."""
    if possessed:
        first = _ANIMAL.match(possessed)
        found = [first] if first else []
    else:
        found = list(_ANIMAL.finditer(predicate)) if _KEEPS.search(predicate) else []
    named = [name for animal in found for name in animal.group("called", "pet", "name") if name]
    return frozenset[str]().union(*(terms(name, "") or {name} for name in named))


def death_of(subject: str, predicate: str, possessed: str) -> frozenset[str]:
    """The terms of the named one or the animal who died; empty for relatives and where nobody did."""
    pet = _PET_DIED.match(possessed)
    if pet:
        return terms(pet["pet"], "")
    named = subject != "User" and "'s " not in subject and _DIED_OF.search(predicate)
    return terms(subject, "") or frozenset({subject}) if named else frozenset()
