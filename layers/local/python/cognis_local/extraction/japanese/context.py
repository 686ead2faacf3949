"""What a Japanese clause leaves to the clauses before it: whose name is told, where somebody moved to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from cognis_local.extraction.japanese import words
from cognis_local.extraction.patterns import any_of, words_of

_DESCRIBED: Final = r"(?:[一-鿿]{1,4}[いな])?(?:[ァ-ヶー]{1,8})?"
_BEING: Final = rf"(?P<who>{_DESCRIBED}(?:{words_of(words.PETS)}|(?P<relation>{words_of(words.RELATIONS)})))"
_COMES: Final = any_of(
    "飼|迎え|引き取|引取|拾|もら|譲り受け|保護し|生まれ|産まれ|出産|仲間入り|やってき|家族に|買っ|買い",
    r"出会|知り合|来ました|来た|でき(?:ました|た)|い(?:ます|る|て)|おり",
)
_INTRODUCES: Final = re.compile(rf"{_BEING}(?:(?:を|が|に|と|も)[^、。]{{0,14}}?{_COMES}|(?:です|だ|で)?$)")
_INTRODUCED_BEFORE: Final = re.compile(
    r"^(?P<before>.+?(?:[てでし]|ので|けど|が))、(?P<naming>(?:その)?名前(?:は|を).+)$"
)
_NAMING: Final = re.compile(
    r"^(?:その)?(?:(?:子|犬|猫)の)?名前(?P<told>(?:は|を)(?P<name>[^、]+))$"
    r"|^(?P<called>[^、はがを]{1,12}?)(?:(?:という|っていう|って)名前|(?:と|って)(?:いい|言い|呼|名付け|名づけ|いう|言う))"
)
_FINITE: Final = re.compile(r"(?:[てで]|ので|けど|が)$")
_UNNAMED: Final = re.compile(r"まだ|未定|決ま(?:って|ら)|考え|迷|どう|何")
_MOVED: Final = re.compile(r"引っ?越し(?:た|ました|て|まし)|転居し|移住し")
_PLACE: Final = (
    r"(?P<place>(?!.*(?:暮らし|中$|住まい$))[^、はがをでに]{2,12}?)"
    r"(?:です|だ|に(?:います|いる|なりました|なった))?(?:よ|ね)?$"
)
_MOVED_HERE: Final = re.compile(
    rf"^(?P<lead>.*引っ?越[^、はが]{{0,6}}?[てで])、?(?:今|現在)(?:は|では)?、?{_PLACE}"
)
_NOW_THERE: Final = re.compile(rf"^(?:今|現在)(?:は|では|の家は)、?{_PLACE}")
_NEW_HOME: Final = re.compile(
    rf"^(?:新居|引っ越し先|新しい家|今?住んで(?:い)?る(?:の|所|ところ|場所))は{_PLACE}"
)


@dataclass(frozen=True, slots=True)
class Introduced:
    """Somebody whom a clause brings up: the relation (None for an animal) and how it is written."""

    relation: str | None
    text: str


class Context:
    """What the clauses of one message, read in order, leave open for the next."""

    def __init__(self, earlier: str) -> None:
        self._introduced: Introduced | None = None
        self._moved = False
        for clause in re.split(r"[。！!？?\n、]", earlier):
            self.note(clause)

    def note(self, clause: str) -> None:
        """Takes in what a clause introduces, before the next is read."""
        match = _INTRODUCES.search(clause)
        if match is not None:
            relation = match["relation"]
            self._introduced = Introduced(words.RELATIONS[relation] if relation else None, match["who"])
        self._moved = self._moved or bool(_MOVED.search(clause))

    def named(self, clause: str) -> tuple[Introduced, str] | None:
        """Who is named by a clause such as 「名前はむぎです」, and what is told; None for others."""
        match = _NAMING.match(clause)
        if match is None or self._introduced is None:
            return None
        told = match["told"] or f"は{match['called']}です"
        return self._introduced, "" if _UNNAMED.search(match["name"] or "") else told

    def placed(self, clause: str) -> str:
        """The clause with the living spelled out that it leaves out: 「引っ越して今は山形」."""
        here = _MOVED_HERE.match(clause)
        if here is not None:
            return f"{here['lead']}、今は{here['place']}に住んでいます"
        there = _NEW_HOME.match(clause) or (_NOW_THERE.match(clause) if self._moved else None)
        return f"今は{there['place']}に住んでいます" if there is not None else clause


def parted_at_name(clause: str) -> list[str]:
    """「犬を飼い始めて、名前はポチです」 as two clauses, the first in a form that stands alone."""
    match = _INTRODUCED_BEFORE.match(clause)
    if match is None or not _INTRODUCES.search(match["before"]):
        return [clause]
    return [
        _FINITE.sub(lambda end: {"て": "た", "で": "です"}.get(end[0], ""), match["before"]),
        match["naming"],
    ]
