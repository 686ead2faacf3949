"""Sentences in English and Japanese whose words are as unevenly common as those of a language."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence


def _listed(words: str, separator: str = " ") -> list[str]:
    return words.split(separator)


WHO = _listed("Ana Bo Chika Dmitri Elena Farid Grace Hiro Ines Jonas Kenji Lucia Marta Nadia Omar Priya")
DID = _listed(
    "visited painted repaired bought sold borrowed forgot described cooked photographed "
    "cleaned designed recorded translated measured carried planted studied inherited polished",
)
WHAT = _listed(
    "guitar bicycle lantern tapestry telescope notebook kettle saddle violin teapot ladder "
    "suitcase mirror blanket camera compass hammock microscope accordion sculpture necklace "
    "umbrella typewriter greenhouse rowing-boat e-bike bookshelf sewing-machine clock "
    "chessboard",
)
HOW = _listed(
    "old wooden red broken expensive tiny Swedish silver heavy unfinished famous quiet second-hand blue",
)
WHERE = _listed(
    "Lisbon Kyoto Bergen Tallinn Oaxaca Marseille Sapporo Valletta Leipzig Cork Ghent Hobart "
    "Naples Izmir Bristol Quito Reykjavik Salzburg Nara Porto Galway Utrecht",
)
WHEN = _listed(
    "yesterday;last summer;on Monday;in March;two years ago;before lunch;at midnight;after school",
    ";",
)
AND = _listed(
    "It took longer than expected.;Nobody else knew about it.;The weather was dreadful.;"
    "A neighbour helped.;It was cheaper than last year.;We laughed a lot.;",
    ";",
)
WHERE_JA = _listed("東京 京都 札幌 横浜 神戸 金沢 長崎 仙台 奈良 広島 那覇 松本 鎌倉 高松")
WHAT_JA = _listed(
    "自転車 望遠鏡 着物 急須 日本画 腕時計 盆栽 提灯 将棋盤 三味線 手帳 旅行鞄 カメラ "
    "オルガン 植物図鑑 電子レンジ",
)
DID_JA = _listed(
    "買いました 直しました 借りました 描きました 忘れました 撮りました 磨きました 譲りました 調べました",
)
WHEN_JA = _listed("昨日 先週の土曜日に 去年の夏 三月に 朝早く 夜遅く 二年前に")
AND_JA = _listed(
    "天気が悪かったです。;友達が手伝ってくれました。;思ったより高かったです。;とても楽しかったです。;",
    ";",
)


class Corpus:
    """The same sentences in the same order for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def sentence(self, japanese_share: float = 0.3) -> str:
        pick = self._pick
        if self._random.random() < japanese_share:
            first = f"{pick(WHEN_JA)}{pick(WHERE_JA)}で{pick(WHAT_JA)}を{pick(DID_JA)}。"
            return first + pick(AND_JA)
        first = f"{pick(WHO)} {pick(DID)} the {pick(HOW)} {pick(WHAT)} in {pick(WHERE)} {pick(WHEN)}."
        return f"{first} {pick(AND)}".strip()

    def question(self, japanese_share: float = 0.3) -> str:
        pick = self._pick
        japanese: list[Callable[[], str]] = [
            lambda: f"{pick(WHERE_JA)}で何を{pick(DID_JA)}か？",
            lambda: f"{pick(WHAT_JA)}を{pick(DID_JA)}のはいつですか？",
            lambda: f"{pick(WHERE_JA)}の{pick(WHAT_JA)}",
        ]
        english: list[Callable[[], str]] = [
            lambda: f"Who {pick(DID)} the {pick(WHAT)} in {pick(WHERE)}?",
            lambda: f"What did {pick(WHO)} do {pick(WHEN)}?",
            lambda: f"{pick(HOW)} {pick(WHAT)}",
            lambda: f"Where was the {pick(HOW)} {pick(WHAT)} that {pick(WHO)} {pick(DID)}?",
        ]
        return self._random.choice(japanese if self._random.random() < japanese_share else english)()

    def _pick(self, words: Sequence[str]) -> str:
        """The first words are the most common, the second half as common as the first, and so on."""
        weights = [1 / (rank + 1) for rank in range(len(words))]
        return self._random.choices(words, weights)[0]
