"""The language of a text, by its script."""

from __future__ import annotations

import re
from typing import Final, Literal

from cognis_memory.domain.lazy_patterns import lazy_pattern

Language = Literal["en", "ja", "ko", "zh"]

CJK: Final = frozenset({"ja", "ko", "zh"})
"""Languages whose words no space separates, or not reliably."""

_KANA: Final = lazy_pattern(r"[\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d]")
_HANGUL: Final = lazy_pattern(r"[\uac00-\ud7a3\u1100-\u11ff\u3130-\u318f]")
_HAN: Final = lazy_pattern(r"[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")

_JAPANESE_PARTICLE: Final = lazy_pattern(r"[A-Za-z0-9\u30a1-\u30ff\u4e00-\u9fff」』)] ?[をがはにでとのも]")
"""A particle after a word in other characters: Japanese grammar, whatever language its nouns are in."""

_JAPANESE_ONLY: Final = lazy_pattern(
    "[々〆働込峠畑枠匂駅円気図広売読変対応楽実発経済沢県様歳単団囲転鉄検権両戻払仏伝仮価渋絵総続縁"
    "蔵覚訳豊辺遅酔銭関雑霊頼顔駆験髪齢黒歩毎桜]"
)
"""Characters in forms that only Japanese uses; Chinese, simplified or traditional, writes others."""

_WORD: Final = re.compile(r"[A-Za-z]+")
_ENGLISH_GRAMMAR: Final = lazy_pattern(
    r"\b(?:I|my|we|our|you|your|he|she|they|is|are|was|were|have|has|had|to|for|with|at|in|and|of|a)\b",
    re.IGNORECASE | re.ASCII,
)


def detect_language(text: str, hint: Language | None = None) -> Language:
    """The language of a text: Japanese, Korean and Chinese by script, anything else "en".

    A text of two scripts is in the language of its grammar: 「DynamoDBを使う」 is Japanese, "I had お好み焼き
    for dinner" is not. Chinese characters alone are Chinese, or Japanese where one of them is written so in
    Japanese only; for those that both share, `hint`, the language of the conversation, decides when it is
    Japanese or Korean.
    """
    if text.isascii():
        return "en"
    kana, hangul, han = (len(script().findall(text)) for script in (_KANA, _HANGUL, _HAN))
    if _JAPANESE_PARTICLE().search(text):
        return "ja"
    # An English word carries about as much as two characters of the others.
    words = len(_WORD.findall(text)) if _ENGLISH_GRAMMAR().search(text) else 0
    if kana + hangul + han <= 2 * words:
        return "en"
    if kana or hangul:
        return "ja" if kana >= hangul else "ko"
    if _JAPANESE_ONLY().search(text):
        return "ja"
    return hint if hint in {"ja", "ko"} else "zh"
